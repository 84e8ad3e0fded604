import BaseKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct InstantTests {
    @Test func `the clock goes on and never back`() async throws {
        var last = Instant.now
        for _ in 0..<1_000 {
            let next = Instant.now
            #expect(next >= last)
            last = next
        }
        try await Task.sleep(for: .milliseconds(2))
        #expect(Instant.now - last >= .milliseconds(2))
    }

    @Test func `a moment and a time give a moment, and two moments a time`() {
        let start = Instant(sinceStart: .seconds(5))
        #expect(start + .milliseconds(250) == Instant(sinceStart: .milliseconds(5_250)))
        #expect(start - .seconds(6) == Instant(sinceStart: .seconds(-1)))
        #expect(Instant(sinceStart: .seconds(7)) - start == .seconds(2))
        #expect(start.duration(to: Instant(sinceStart: .seconds(4))) == .seconds(-1))
        #expect(start < start + .nanoseconds(1))
    }

    @Test func `what is too far away is the furthest moment`() {
        let never = Instant(sinceStart: .seconds(Int64.max))
        #expect(never == Instant(sinceStart: .nanoseconds(Int64.max)))
        #expect(never + .seconds(1) == never)
        #expect(Instant(sinceStart: .zero) + .seconds(Int64.max) == never)
        let first = Instant(sinceStart: .seconds(Int64.min))
        #expect(first - .seconds(1) == first)
        #expect(first < never)
        #expect(never - first == .nanoseconds(Int64.max) - .nanoseconds(Int64.min))
    }

    private static let times: [(Duration, Int64)] = [
        (.zero, 0), (.microseconds(1_999), 1), (.milliseconds(-1), -1), (.microseconds(-1), -1),
        (.seconds(3) + .nanoseconds(999_999), 3_000), (.seconds(-3) - .nanoseconds(1), -3_001),
        (.milliseconds(Int64.max), Int64.max), (.seconds(Int64.max), Int64.max), (.seconds(Int64.min), Int64.min),
    ]

    @Test(arguments: times) func `a time in milliseconds is rounded down and never traps`(
        _ time: Duration, _ milliseconds: Int64
    ) {
        #expect(time.wholeMilliseconds == milliseconds)
    }

    @Test func `units agree with one another`() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<1_000 {
            let nanoseconds = Int64.random(in: -(1 << 60)...(1 << 60), using: &random)
            let time = Duration.nanoseconds(nanoseconds)
            #expect(time.wholeNanoseconds == nanoseconds)
            #expect(time.wholeMilliseconds * 1_000_000 <= nanoseconds)
            #expect(nanoseconds - time.wholeMilliseconds * 1_000_000 < 1_000_000)
            #expect(nanoseconds - time.wholeMicroseconds * 1_000 >= 0)
            #expect(nanoseconds - time.wholeMicroseconds * 1_000 < 1_000)
            #expect(abs(time.inSeconds - Double(nanoseconds) / 1e9) <= abs(time.inSeconds) * 1e-12)
        }
    }
}
