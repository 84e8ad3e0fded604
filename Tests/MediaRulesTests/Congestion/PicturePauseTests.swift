import BaseKit
import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct PicturePauseTests {
    /// Takes a rate ten times a second while pictures are sent; the moments of a pause.
    private func send(
        _ pause: inout PicturePause, _ times: Range<Int>, rate: Int, loss: Double = 0.1, carried: Int? = 40_000
    ) -> [Int] {
        stride(from: times.lowerBound, to: times.upperBound, by: 100).filter { time in
            let congestion = carried.map { Congestion(at: at(time), carried: $0) }
            return begins(&pause, rate: rate, loss: loss, congestion, at(time))
        }
    }

    /// Whether a pause begins with this.
    private func begins(
        _ pause: inout PicturePause, rate: Int, loss: Double, _ congestion: Congestion?, _ now: Instant
    ) -> Bool {
        let wasOn = pause.isOn
        pause.update(rate: rate, loss: loss, congestion: congestion, now: now)
        return pause.isOn && !wasOn
    }

    /// Lets a voice that is at its best since a moment go well; when the pause ends.
    private func talk(_ pause: inout PicturePause, _ times: Range<Int>, bestSince: Int?) -> [Int] {
        stride(from: times.lowerBound, to: times.upperBound, by: 100).filter { time in
            pause.update(rate: 60_000, bestSince: bestSince.map { at($0) }, congestion: nil, now: at(time))
        }
    }

    @Test func `pictures are paused once there has been no room for them for a while`() {
        var pause = PicturePause()
        #expect(send(&pause, 0..<10_000, rate: 71_000) == [])
        #expect(send(&pause, 10_000..<14_000, rate: 60_000) == [13_000])
        #expect(pause.isOn)
    }

    @Test func `where little is lost it takes longer to be sure`() {
        var pause = PicturePause()
        #expect(send(&pause, 0..<10_000, rate: 60_000, loss: 0.09) == [5_000])
    }

    @Test func `as long as voice and small pictures come through they are not paused`() {
        var pause = PicturePause()
        #expect(send(&pause, 0..<10_000, rate: 60_000, carried: 55_000) == [])
    }

    @Test func `a low rate where nothing is congested is no reason`() {
        var pause = PicturePause()
        #expect(send(&pause, 0..<10_000, rate: 60_000, carried: nil) == [])
        let old = Congestion(at: at(0), carried: 40_000)
        let begun = stride(from: 3_100, to: 9_000, by: 100).filter {
            begins(&pause, rate: 60_000, loss: 0.5, old, at($0))
        }
        #expect(begun == [])
    }

    @Test func `a rate that swings, and a time without news, begin anew`() {
        var pause = PicturePause()
        for start in stride(from: 0, to: 9_000, by: 3_000) {
            #expect(send(&pause, start..<start + 2_900, rate: 60_000) == [])
            #expect(send(&pause, start + 2_900..<start + 3_000, rate: 90_000) == [])
        }
        #expect(send(&pause, 10_000..<11_500, rate: 60_000) == [])
        #expect(send(&pause, 15_000..<19_000, rate: 60_000) == [18_000])
    }

    @Test func `they come again when the voice has gone well at its best for a while`() {
        var pause = PicturePause()
        _ = send(&pause, 0..<3_100, rate: 60_000)
        #expect(talk(&pause, 3_100..<60_000, bestSince: nil) == [])
        let ended = pause.update(
            rate: 60_000, bestSince: at(10_000), congestion: Congestion(at: at(59_500), carried: 0), now: at(60_000))
        #expect(!ended)
        #expect(talk(&pause, 60_000..<70_000, bestSince: 59_500) == [61_500])
        #expect(!pause.isOn)
    }

    @Test func `where that was too early it takes longer each time, and not where it went well for a while`() {
        var (pause, now) = (PicturePause(), 0)
        var waits: [Int] = []
        for _ in 0..<6 {
            now = send(&pause, now..<now + 5_000, rate: 60_000)[0]
            let end = talk(&pause, now..<now + 60_000, bestSince: now)[0]
            waits.append(end - now)
            now = end
        }
        #expect(waits == [2_000, 4_000, 8_000, 16_000, 32_000, 32_000])
        _ = send(&pause, now..<now + 20_000, rate: 200_000)
        now = send(&pause, now + 20_000..<now + 25_000, rate: 60_000)[0]
        #expect(talk(&pause, now..<now + 60_000, bestSince: now) == [now + 2_000])
    }

    @Test func `a rate that a voice alone does not show ends a pause at once`() {
        var pause = PicturePause()
        _ = send(&pause, 0..<3_100, rate: 60_000)
        let congestion = Congestion(at: at(3_100), carried: 40_000)
        let ends = [99_999, 100_000].map {
            pause.update(rate: $0, bestSince: nil, congestion: congestion, now: at(3_100))
        }
        #expect(ends == [false, true])
    }

    @Test func `a pause ends where something else is sent`() {
        var pause = PicturePause()
        _ = send(&pause, 0..<3_100, rate: 60_000)
        pause.end()
        #expect(!pause.isOn && send(&pause, 3_100..<6_000, rate: 60_000) == [])
    }
}
