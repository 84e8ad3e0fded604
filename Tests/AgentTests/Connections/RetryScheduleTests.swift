import TestSupport
import Testing

@testable import Agent

@Suite(.timeLimit(.minutes(5))) struct RetryScheduleTests {
    @Test func `starts at two seconds and grows by half`() {
        let delays = (1...4).map { RetrySchedule.unreachable.delay(afterFailures: $0, jitter: 0.5) }
        #expect(delays == [2_000, 3_000, 4_500, 6_750])
    }

    @Test func `never waits longer than the ceiling`() {
        #expect(RetrySchedule.unreachable.delay(afterFailures: 1_000_000, jitter: 0.5) == 120_000)
        #expect(RetrySchedule.full.delay(afterFailures: 1_000_000, jitter: 0.5) == 6 * 3_600_000)
    }

    @Test func `young messages are tried again every few seconds and others as rarely as ever`() {
        let schedule = RetrySchedule.unreachable
        #expect((1...50).map { schedule.delay(afterFailures: $0, age: 179_999, jitter: 1) }.max() == 4_800)
        #expect(schedule.delay(afterFailures: 50, age: 180_000, jitter: 0.5) == 120_000)
        // A full queue is not emptied any sooner.
        #expect(RetrySchedule.full.delay(afterFailures: 1, age: 0, jitter: 0.5) == 300_000)
    }

    @Test func `jitter spreads by a fifth`() {
        #expect(RetrySchedule.unreachable.delay(afterFailures: 1, jitter: 0) == 1_600)
        #expect(RetrySchedule.unreachable.delay(afterFailures: 1, jitter: 1) == 2_400)
        #expect(RetrySchedule.unreachable.delay(afterFailures: 1, jitter: 99) == 2_400)
    }
}
