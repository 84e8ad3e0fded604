import Testing

@testable import SMPSession

@Suite(.timeLimit(.minutes(5))) struct ReconnectBackoffTests {
    @Test func `stays at two seconds for ten then at four for ten minutes then grows to a minute`() {
        var backoff = ReconnectBackoff()
        let delays = (0..<170).map { _ in backoff.next(random: 0.5) }
        #expect(Array(delays.prefix(8)) == [2, 2, 2, 2, 2, 3, 4, 4].map { Duration.seconds($0) })
        #expect(delays.first { $0 > .seconds(4) } == .seconds(6))
        let soon = delays.prefix { $0 <= .seconds(4) }
        #expect((Duration.seconds(600)..<Duration.seconds(605)).contains(soon.reduce(.zero, +)))
        #expect(delays.last == .seconds(60))
        #expect(delays == delays.sorted())
    }

    /// An attempt may itself take its time: the gap between two is what counts for a network that comes back at any moment.
    @Test(arguments: [Duration.zero, .seconds(8)])
    func `who comes back after an outage of up to ten minutes is dialled within six seconds`(attempt: Duration) {
        for seed in 0..<20 as Range<Int> {
            var backoff = ReconnectBackoff()
            var end = Duration.zero
            var gaps: [Duration] = []
            while end < .seconds(600) {
                let delay = backoff.next(random: Double(seed) / 19)
                gaps.append(delay)
                end += delay + attempt
            }
            // The last packet of an attempt asks 1 s before it is given up.
            #expect(!gaps.isEmpty)
            #expect(gaps.allSatisfy { $0 <= .seconds(5) })
        }
    }

    @Test func `varies by a quarter`() {
        var low = ReconnectBackoff()
        var high = ReconnectBackoff()
        #expect(low.next(random: 0) == .milliseconds(1_500))
        #expect(high.next(random: 1) == .milliseconds(2_500))
    }

    @Test func `starts over after a success`() {
        var backoff = ReconnectBackoff()
        for _ in 0..<12 { _ = backoff.next(random: 0.5) }
        backoff.reset()
        #expect(backoff == ReconnectBackoff())
    }
}
