import Testing

@testable import Calling

/// Processes that die and are started again while they ring, at any moment.
@Suite("Restarts", .timeLimit(.minutes(5)))
struct RestartTests {
    @Test func `in 1,000 lives of a ringing call none rings twice or for ever and each is accepted or missed`() {
        var counts: [RestartWorld.Outcome: Int] = [:]
        var (deaths, again) = (0, 0)
        for seed in 0..<1_000 as Range<UInt64> {
            var world = RestartWorld(seed: seed)
            world.run()
            let outcomes = world.outcomes
            #expect(world.faults == [], "seed \(seed)")
            #expect(!outcomes.isEmpty, "seed \(seed) ends without a word")
            #expect(world.rung <= .seconds(62), "seed \(seed) rings for \(world.rung)")
            // An acceptance that no disk has seen is asked for again; nothing else is told twice but what nobody may have read.
            #expect(Set(outcomes).subtracting([.lost]).count <= 2, "seed \(seed): \(outcomes)")
            for outcome in outcomes { counts[outcome, default: 0] += 1 }
            deaths += world.deaths
            again += world.ringCount > 1 ? 1 : 0
        }
        // The search has seen all of it.
        #expect(deaths >= 1_000 && again >= 100, "\(deaths) \(again)")
        for outcome in [RestartWorld.Outcome.missed, .accepted, .declined, .lost] {
            #expect(counts[outcome, default: 0] >= 20, "\(counts)")
        }
    }
}
