import Testing

@testable import Calling

/// Two callers and one callee, and all that can come together.
@Suite("Several parties", .timeLimit(.minutes(10)))
struct SeveralPartiesTests {
    @Test
    func `in 1,000 stories of two callers and one callee none is stuck, at most one is active, every entry is right`() {
        var seen = SeveralPartiesWorld.Sights()
        for seed in 0..<1_000 as Range<UInt64> {
            var world = SeveralPartiesWorld(seed: seed)
            world.run()
            #expect(world.faults == [], "seed \(seed)")
            seen.holds += world.sights.holds
            seen.swaps += world.sights.swaps
            seen.endsForAnother += world.sights.endsForAnother
            seen.waits += world.sights.waits
            seen.busy += world.sights.busy
            seen.talks += world.sights.talks
            seen.deaths += world.sights.deaths
            seen.entries += world.sights.entries
        }
        // The search has seen all of it.
        #expect(seen.holds > 300 && seen.swaps > 50 && seen.endsForAnother > 50, "\(seen)")
        #expect(seen.waits > 100 && seen.busy > 50 && seen.talks > 1_000 && seen.deaths > 300, "\(seen)")
    }
}
