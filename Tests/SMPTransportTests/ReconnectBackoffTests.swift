import Testing

@testable import SMPTransport

struct ReconnectBackoffTests {
    @Test func staysAtTwoSecondsForTenThenGrowsToThreeMinutes() {
        var backoff = ReconnectBackoff()
        let delays = (0..<20).map { _ in backoff.next(random: 0.5) }
        #expect(delays.prefix(8) == [2000, 2000, 2000, 2000, 2000, 3000, 4500, 6750])
        #expect(delays.last == 180_000)
        #expect(delays == delays.sorted())
    }

    @Test func variesByAQuarter() {
        var low = ReconnectBackoff()
        var high = ReconnectBackoff()
        #expect(low.next(random: 0) == 1500)
        #expect(high.next(random: 1) == 2500)
    }

    @Test func startsOverAfterASuccess() {
        var backoff = ReconnectBackoff()
        for _ in 0..<12 { _ = backoff.next(random: 0.5) }
        backoff.reset()
        #expect(backoff == ReconnectBackoff())
    }
}
