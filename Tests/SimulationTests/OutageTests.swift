import TestSupport
import Testing

/// How soon people reach each other after their relays were away. Time is simulated, what waits and dials is not.
@Suite(.timeLimit(.minutes(5))) struct OutageTests {
    /// Minutes without a relay, as a machine that restarts, a router that is updated, or a line that is mended.
    private static let lengths = [60_000, 75_000, 120_000, 300_000, 590_000] as [Int64]

    @Test(arguments: lengths, [false, true])
    func `after an outage of a minute or more both have what was sent meanwhile within 10 s of the relay`(
        length: Int64, isRouted: Bool
    ) throws {
        for seed in 0..<8 as Range<UInt64> {
            let returns = try Simulation.returns(afterOutageOf: length, seed: seed, isRouted: isRouted)
            #expect(returns.complaints == [], "seed \(seed)")
            #expect(!returns.arrivedEarly, "seed \(seed)")
            for time in returns.times {
                #expect(try #require(time, "seed \(seed)") <= 10_000, "seed \(seed)")
            }
        }
    }
}
