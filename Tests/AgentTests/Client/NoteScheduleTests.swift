import Testing

@testable import Agent

/// When a note follows a change: transcripts, in milliseconds.
@Suite(.timeLimit(.minutes(5))) struct NoteScheduleTests {
    private var schedule = NoteSchedule()

    @Test mutating func `a note is due ten seconds after the only change`() {
        #expect(schedule.moved(at: 1_000) == .wait(10_000))
        #expect(schedule.hasChanges)
        #expect(schedule.woke(at: 11_000) == .renew)
        #expect(!schedule.hasChanges)
    }

    @Test mutating func `later changes put it off and nobody else waits`() {
        #expect(schedule.moved(at: 0) == .wait(10_000))
        #expect(schedule.moved(at: 4_000) == nil)
        #expect(schedule.woke(at: 10_000) == .wait(4_000))
        #expect(schedule.woke(at: 14_000) == .renew)
    }

    @Test mutating func `it is not put off for more than a minute`() {
        _ = schedule.moved(at: 0)
        var time: Int64 = 0
        while time < 100_000, case .wait(let delay) = schedule.woke(at: time) {
            #expect(delay > 0 && delay <= 10_000)
            time += delay
            #expect(schedule.moved(at: time) == nil)
        }
        #expect(time == 60_000)
    }

    @Test mutating func `the next change begins anew`() {
        _ = schedule.moved(at: 0)
        _ = schedule.woke(at: 10_000)
        #expect(schedule.moved(at: 90_000) == .wait(10_000))
    }

    @Test mutating func `a clock that is set back makes nobody wait for long`() {
        _ = schedule.moved(at: 1_000_000)
        #expect(schedule.moved(at: 0) == nil)
        #expect(schedule.woke(at: 1_000) == .wait(9_000))
        #expect(schedule.woke(at: 10_000) == .renew)
        _ = schedule.moved(at: 1_000_000)
        // Not an hour, but ten seconds more.
        #expect(schedule.woke(at: 0) == .wait(10_000))
    }
}
