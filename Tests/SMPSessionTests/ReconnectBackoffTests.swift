import Testing

@testable import SMPSession

@Suite(.timeLimit(.minutes(5))) struct ReconnectBackoffTests {
    @Test func `stays at two seconds for ten then at four for ten minutes then grows to a minute`() {
        var backoff = ReconnectBackoff()
        let delays = (0..<170).map { _ in backoff.next(random: 0.5) }
        #expect(delays.prefix(8) == [2000, 2000, 2000, 2000, 2000, 3000, 4000, 4000])
        #expect(delays.first { $0 > 4_000 } == 6_000)
        let soon = delays.prefix { $0 <= 4_000 }
        #expect((600_000..<605_000).contains(soon.reduce(0, +)))
        #expect(delays.last == 60_000)
        #expect(delays == delays.sorted())
    }

    /// An attempt may itself take its time: the gap between two is what counts for a network that comes back at any moment.
    @Test(arguments: [Int64(0), 8_000])
    func `who comes back after an outage of up to ten minutes is dialled within six seconds`(attempt: Int64) {
        for seed in 0..<20 as Range<Int> {
            var backoff = ReconnectBackoff()
            var end: Int64 = 0
            var gaps: [Int64] = []
            while end < 600_000 {
                let delay = backoff.next(random: Double(seed) / 19)
                gaps.append(delay)
                end += delay + attempt
            }
            // The last packet of an attempt asks 1 s before it is given up.
            #expect(gaps.max() ?? .max <= 5_000)
        }
    }

    @Test func `varies by a quarter`() {
        var low = ReconnectBackoff()
        var high = ReconnectBackoff()
        #expect(low.next(random: 0) == 1500)
        #expect(high.next(random: 1) == 2500)
    }

    @Test func `starts over after a success`() {
        var backoff = ReconnectBackoff()
        for _ in 0..<12 { _ = backoff.next(random: 0.5) }
        backoff.reset()
        #expect(backoff == ReconnectBackoff())
    }
}
