import Testing

@testable import Agent

/// How soon a relay learns that a message was dealt with.
@Suite(.timeLimit(.minutes(5))) struct ReceptionPaceTests {
    @Test func `what is of use is never delayed`() {
        var pace = ReceptionPace()
        for _ in 0..<10_000 { #expect(pace.delay(after: .useful, at: 0) == 0) }
    }

    @Test func `what is of no use is borne in a burst and then slowly`() {
        var pace = ReceptionPace()
        var now: Int64 = 0
        for _ in 0..<200 { #expect(pace.delay(after: .useless, at: now) == 0) }
        for _ in 0..<100 {
            let delay = pace.delay(after: .useless, at: now)
            #expect(delay == 5_000)
            now += delay
        }
        // Useful messages between them don't wait.
        #expect(pace.delay(after: .useful, at: now) == 0)
    }

    @Test func `requests come ten a minute in the long run`() {
        var pace = ReceptionPace()
        var now: Int64 = 0
        var count = 0
        while now < 3_600_000, count < 10_000 {
            now += pace.delay(after: .request, at: now)
            count += 1
        }
        #expect((600...620).contains(count))
    }

    @Test func `who waits long may burst again but not more`() {
        var bucket = TokenBucket(capacity: 3, interval: 10)
        for _ in 0..<3 { #expect(bucket.spend(at: 0) == 0) }
        #expect(bucket.spend(at: 0) == 10)
        #expect(bucket.spend(at: 1_000_000) == 0)
        #expect(bucket.spend(at: 1_000_000) == 0)
        #expect(bucket.spend(at: 1_000_000) == 0)
        #expect(bucket.spend(at: 1_000_000) == 10)
    }

    @Test func `a clock that is set back gives and takes nothing`() {
        var bucket = TokenBucket(capacity: 1, interval: 10)
        #expect(bucket.spend(at: 1_000) == 0)
        #expect(bucket.spend(at: 0) == 10)
        #expect(bucket.spend(at: 10) == 10)
    }
}
