import BaseKit
import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct PictureOrderTests {
    private func at(_ milliseconds: Int) -> Instant { Instant(sinceStart: .milliseconds(milliseconds)) }

    private func place(_ counter: UInt32, _ stream: GroupStream = .high, key: Int = 0) -> FramePlace {
        FramePlace(stream: stream, generation: key, counter: counter)
    }

    /// What is decoded of pictures that come by the given ways: `counter`, way, whether it is a key frame, time.
    private func decoded(_ pictures: [(UInt32, Int, Bool, Int)]) -> (counters: [UInt32], requests: Int) {
        var order = PictureOrder<UInt32>()
        var result: (counters: [UInt32], requests: Int) = ([], 0)
        for (counter, way, isKeyFrame, time) in pictures {
            let outcome = order.receive(counter, at: place(counter), isKeyFrame: isKeyFrame, by: way, now: at(time))
            result.counters += outcome.pictures
            if outcome.wantsKeyFrame { result.requests += 1 }
        }
        return result
    }

    @Test func `of what comes by two ways the first counts`() {
        let result = decoded([
            (0, 1, true, 0), (0, 2, true, 9), (1, 2, false, 30), (1, 1, false, 33), (2, 1, false, 60),
            (2, 2, false, 70),
        ])
        #expect(result.counters == [0, 1, 2] && result.requests == 0)
    }

    @Test func `what one way loses the other brings, in order`() {
        let result = decoded([
            (0, 1, true, 0), (0, 2, true, 20), (2, 1, false, 60), (3, 1, false, 93), (1, 2, false, 95),
            (2, 2, false, 110),
            (4, 1, false, 126),
        ])
        #expect(result.counters == [0, 1, 2, 3, 4] && result.requests == 0)
    }

    @Test func `with one way a hole asks for a key frame at once, and pictures begin with it`() {
        let result = decoded([
            (0, 1, true, 0), (2, 1, false, 60), (3, 1, false, 90), (4, 1, true, 120), (5, 1, false, 150),
        ])
        #expect(result.counters == [0, 4, 5] && result.requests == 2)
    }

    @Test func `a hole that the other way has passed is not waited for`() {
        let result = decoded([
            (0, 1, true, 0), (0, 2, true, 20), (2, 1, false, 60), (2, 2, false, 80), (3, 1, true, 90),
        ])
        #expect(result.counters == [0, 3] && result.requests == 1)
    }

    @Test func `a way that goes silent is waited for no longer than a moment`() {
        let result = decoded([
            (0, 1, true, 0), (0, 2, true, 1), (2, 1, false, 60), (3, 1, false, 90), (7, 1, false, 215),
            (8, 1, true, 240),
        ])
        #expect(result.counters == [0, 8] && result.requests == 1)
    }

    @Test func `a change of stream begins with a key frame, and only once no way brings the former`() {
        var order = PictureOrder<Int>()
        var shown: [Int] = []
        func take(_ picture: Int, _ place: FramePlace, _ isKeyFrame: Bool, _ way: Int, _ time: Int) -> Bool {
            let outcome = order.receive(picture, at: place, isKeyFrame: isKeyFrame, by: way, now: at(time))
            shown += outcome.pictures
            return outcome.wantsKeyFrame
        }
        _ = take(1, place(5), true, 1, 0)
        _ = take(2, place(5), true, 2, 10)
        // One way has gone to the smaller pictures; the other still brings the larger ones.
        _ = take(3, place(0, .low), true, 2, 40)
        _ = take(4, place(6), false, 1, 43)
        // It stops; the smaller ones begin anew.
        let asks = take(5, place(1, .low), false, 2, 600)
        _ = take(6, place(2, .low), true, 2, 640)
        _ = take(7, place(3, .low), false, 2, 673)
        #expect(shown == [1, 4, 6, 7] && asks)
    }

    @Test func `who begins anew with another key is seen from its first key frame on`() {
        var order = PictureOrder<Int>()
        var shown: [Int] = []
        let pictures = [(900, 0, true), (901, 0, false), (0, 1, true), (1, 1, false), (902, 0, true), (2, 1, false)]
        for (index, (counter, key, isKeyFrame)) in pictures.enumerated() {
            shown +=
                order.receive(
                    index, at: place(UInt32(counter), key: key), isKeyFrame: isKeyFrame, by: 1,
                    now: at(index * 33)
                ).pictures
        }
        // What is left of the former key comes too late.
        #expect(shown == [0, 1, 2, 3, 5])
    }

    @Test func `whatever is lost or late, pictures come in order and once, and after a hole only a key frame`() {
        for seed in 0..<300 {
            var random = SeededGenerator(seed: UInt64(seed))
            var arrivals: [(time: Int, way: Int, counter: UInt32)] = []
            for way in 1...Int.random(in: 1...3, using: &random) {
                var last = 0
                let delay = Int.random(in: 5...120, using: &random)
                for counter in 0..<200 where Int.random(in: 0..<100, using: &random) >= 5 {
                    last = max(last, counter * 33 + delay + Int.random(in: 0...20, using: &random))
                    arrivals.append((last, way, UInt32(counter)))
                }
            }
            var order = PictureOrder<UInt32>()
            var shown: [UInt32] = []
            for (time, way, counter) in arrivals.sorted(by: { ($0.time, $0.way) < ($1.time, $1.way) }) {
                shown +=
                    order.receive(
                        counter, at: place(counter), isKeyFrame: counter % 20 == 0, by: way, now: at(time)
                    ).pictures
            }
            for (one, next) in zip(shown, shown.dropFirst()) {
                #expect(next == one + 1 || next > one && next % 20 == 0, "seed \(seed)")
            }
            #expect(shown.count > 20, "seed \(seed)")
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct SoundOrderTests {
    private func at(_ milliseconds: Int) -> Instant { Instant(sinceStart: .milliseconds(milliseconds)) }

    private func plays(_ pieces: [(UInt32, Int, Int)]) -> [Bool] {
        var order = SoundOrder()
        return pieces.map { counter, way, time in
            order.admits(FramePlace(stream: .sound, generation: 0, counter: counter), by: way, now: at(time))
        }
    }

    @Test func `one way at a time is played`() {
        #expect(plays([(0, 1, 0), (0, 2, 9), (1, 2, 15), (1, 1, 20), (2, 1, 40)]) == [true, false, false, true, true])
    }

    @Test func `another takes over once nothing comes by the first, and plays nothing twice`() {
        let result = plays([(0, 1, 0), (3, 1, 60), (3, 2, 70), (4, 2, 90), (8, 2, 165), (4, 1, 170), (9, 1, 180)])
        #expect(result == [true, true, false, false, true, false, false])
    }
}
