import BaseKit
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct GroupRatesTests {
    /// So many packets of a kilobyte, evenly over a second, of which each arrives 20 ms later unless `loss` takes it.
    private func second(_ packets: Int, from start: Duration, loses loss: (Int) -> Bool = { _ in false })
        -> [PacketReport]
    {
        (0..<packets).map { index in
            let sent = start + .seconds(1) * index / packets
            return PacketReport(
                sentAt: Instant(sinceStart: sent), arrivedAt: loss(index) ? nil : sent + .milliseconds(20), size: 1_000)
        }
    }

    /// Rates after some seconds in which each way has lost the packets that its entry says.
    private func rates(_ losses: [Int: (Int) -> Bool]) -> GroupRates {
        var rates = GroupRates()
        for way in losses.keys { rates.add(way, former: nil) }
        for time in 1...12 {
            for (way, loss) in losses {
                let now = Instant(sinceStart: .seconds(time + 1))
                rates.receive(second(100, from: .seconds(time), loses: loss), by: way, now: now)
            }
        }
        return rates
    }

    @Test func `the narrowest way decides for all`() throws {
        let rates = rates([1: { _ in false }, 2: { $0 % 4 == 0 }])
        let (wide, narrow) = (try #require(rates.bitrate(of: 1)), try #require(rates.bitrate(of: 2)))
        #expect(wide > narrow)
        #expect(rates.target.bitrate == max(narrow, min(wide, GroupRates.least)))
        #expect(rates.loss > 0.1)
    }

    @Test func `a way that carries hardly anything does not take the pictures from others`() throws {
        let rates = rates([1: { _ in false }, 2: { $0 % 10 != 0 }])
        #expect(try #require(rates.bitrate(of: 2)) < GroupRates.least)
        #expect(rates.target.bitrate >= GroupRates.least)
    }

    @Test func `a way by which nothing comes holds nobody back`() throws {
        var rates = rates([1: { _ in false }, 2: { $0 % 4 == 0 }])
        rates.setHeard(false, 2)
        #expect(rates.target.bitrate == rates.bitrate(of: 1))
        rates.setHeard(true, 2)
        rates.remove(2)
        #expect(rates.target.bitrate == rates.bitrate(of: 1))
        #expect(rates.pacingRate(of: 2) == nil)
    }
}

@Suite(.timeLimit(.minutes(5))) struct SealedBacklogTests {
    @Test func `nothing goes before a key frame, which is asked for`() {
        var backlog = SealedBacklog()
        #expect(backlog.admit(isKeyFrame: false, waiting: 0) == .drop(wantsKeyFrame: true))
        #expect(backlog.admit(isKeyFrame: true, waiting: 0) == .send)
        #expect(backlog.admit(isKeyFrame: false, waiting: 1) == .send)
    }

    @Test func `where too many wait all go up to a key frame, wanted once they have left`() {
        var backlog = SealedBacklog()
        #expect(backlog.admit(isKeyFrame: true, waiting: 0) == .send)
        #expect(backlog.admit(isKeyFrame: false, waiting: SealedBacklog.most) == .send)
        #expect(backlog.admit(isKeyFrame: false, waiting: SealedBacklog.most + 1) == .drop(wantsKeyFrame: false))
        #expect(backlog.admit(isKeyFrame: true, waiting: SealedBacklog.few + 1) == .drop(wantsKeyFrame: false))
        #expect(backlog.admit(isKeyFrame: false, waiting: SealedBacklog.few) == .drop(wantsKeyFrame: true))
        #expect(backlog.admit(isKeyFrame: true, waiting: SealedBacklog.few) == .send)
        #expect(backlog.admit(isKeyFrame: false, waiting: 4) == .send)
    }

    @Test func `after a pause pictures begin with a key frame`() {
        var backlog = SealedBacklog()
        #expect(backlog.admit(isKeyFrame: true, waiting: 0) == .send)
        backlog.restart()
        #expect(backlog.admit(isKeyFrame: false, waiting: 0) == .drop(wantsKeyFrame: true))
    }
}
