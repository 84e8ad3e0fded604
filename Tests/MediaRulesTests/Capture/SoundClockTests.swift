import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct SoundClockTests {
    private static let piece: Int64 = 10_000_000
    private static let millisecond: Int64 = 1_000_000

    @Test func `a piece was captured before it came, by as long as it is`() {
        var clock = SoundClock(rate: 48_000)
        #expect(clock.piece(samples: 480, at: 1_000_000_000, isNew: true) == 990_000_000)
        #expect(clock.piece(samples: 480, at: 1_010_000_000, isNew: false) == 1_000_000_000)
    }

    @Test func `what comes late keeps its time`() {
        var clock = SoundClock(rate: 48_000)
        _ = clock.piece(samples: 480, at: 1_000_000_000, isNew: true)
        #expect(clock.piece(samples: 480, at: 1_170_000_000, isNew: false) == 1_000_000_000)
        #expect(clock.piece(samples: 480, at: 1_170_000_001, isNew: false) == 1_010_000_000)
    }

    @Test func `a microphone that begins with what it has kept is soon on time`() {
        var clock = SoundClock(rate: 48_000)
        var last: Int64 = 0
        // 200 ms at once, then one after the other.
        for index in 0..<20 { _ = clock.piece(samples: 480, at: 5_000_000_000, isNew: index == 0) }
        for index in 1...3 {
            let arrival = 5_000_000_000 + Int64(index) * Self.piece
            last = clock.piece(samples: 480, at: arrival, isNew: false)
            #expect(last == arrival - Self.piece)
        }
    }

    @Test func `clocks that drift apart are followed, either way`() {
        for drift in [-0.0001, 0.0001] {
            var clock = SoundClock(rate: 48_000)
            var random = SeededGenerator(seed: 5)
            for index in 0..<60_000 {
                let captured = Int64(Double(index) * Double(Self.piece) * (1 + drift))
                let arrival = captured + Self.piece + Int64.random(in: 0...40, using: &random) * Self.millisecond
                let time = clock.piece(samples: 480, at: arrival, isNew: index == 0)
                guard index > 100 else { continue }
                #expect(abs(time - captured) < 2 * Self.millisecond)
            }
        }
    }

    @Test func `after samples were lost it begins anew`() {
        var clock = SoundClock(rate: 48_000)
        _ = clock.piece(samples: 480, at: 1_000_000_000, isNew: true)
        #expect(clock.piece(samples: 480, at: 1_500_000_000, isNew: true) == 1_490_000_000)
    }

    @Test func `no count and no time make it trap`() {
        var clock = SoundClock(rate: 0)
        _ = clock.piece(samples: -5, at: 0, isNew: false)
        _ = clock.piece(samples: 0, at: 1 << 62, isNew: false)
        _ = clock.piece(samples: 480, at: 0, isNew: true)
    }
}
