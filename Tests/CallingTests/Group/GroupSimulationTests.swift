import Foundation
import Testing

@testable import Calling

private let environment = ProcessInfo.processInfo.environment
private let count = environment["PARLEY_SCHEDULES"].flatMap(UInt64.init) ?? 400
/// Far more than they take on one core.
private let minutes = max(10, count / 200)

/// Calls of several under faults, each from one seed. PARLEY_SCHEDULES runs another number of them, PARLEY_SEED one of them, with its whole story.
@Suite("Calls of several, simulated", .timeLimit(.minutes(Int(minutes)))) struct GroupSimulationTests {
    @Test(arguments: SimulatedMix.all)
    func `at rest all agree on who is in and hold exactly the keys they may, and nobody waits for ever`(
        mix: SimulatedMix
    ) {
        let only = environment["PARLEY_SEED"].flatMap(UInt64.init)
        if let name = environment["PARLEY_MIX"], name != mix.name { return }
        var seen = SimulatedSights()
        for seed in only.map({ $0..<$0 + 1 }) ?? 0..<count / 4 {
            var world = GroupWorld(seed: seed, mix: mix)
            world.isLogging = only != nil
            world.run()
            #expect(world.faults == [], "PARLEY_SEED=\(seed), \(mix.name)")
            seen.joins += world.sights.joins
            seen.talks += world.sights.talks
            seen.deaths += world.sights.deaths
            seen.returns += world.sights.returns
            seen.removals += world.sights.removals
            seen.successions += world.sights.successions
            seen.fifths += world.sights.fifths
            seen.lockedOut += world.sights.lockedOut
            seen.recognitions += world.sights.recognitions
            seen.known += world.sights.known
        }
        guard only == nil, count >= 400 else { return }
        // The search has seen all of it.
        #expect(seen.joins > 100 && seen.talks > 150 && seen.removals > 5 && seen.successions > 5, "\(seen)")
        if mix.server != .never, mix.deathPercent > 0 { #expect(seen.lockedOut > 0, "\(seen)") }
        if mix.knowEachOther { #expect(seen.recognitions > 20 && seen.known > 0, "\(seen)") }
        if mix.server == .whenNeeded { #expect(seen.fifths > 5, "\(seen)") }
        if mix.deathPercent > 0 { #expect(seen.deaths > 30 && seen.returns > 10, "\(seen)") }
    }

    /// With a number given twice, in two parts of a call that each have a host, where it was not heard that somebody is out, where who asks to
    /// come back is answered by others than the host, and with rooms of hosts that went and came.
    @Test(
        arguments: [140, 220, 284, 545, 587, 840, 1119, 1341, 1626, 1745, 2081, 2114, 2255, 2450, 2972, 6020, 7600]
            as [UInt64])
    func `a schedule that once did not come to rest does`(seed: UInt64) {
        for mix in SimulatedMix.all where mix.people > 5 {
            var world = GroupWorld(seed: seed, mix: mix)
            world.run()
            #expect(world.faults == [])
        }
    }

    /// With a fault built in on purpose the simulation has to find a schedule that shows it.
    @Test(arguments: SimulatedFlaw.allCases) func `a fault that is built in is found`(flaw: SimulatedFlaw) {
        let found = (0..<60 as Range<UInt64>).contains { seed in
            SimulatedMix.all.contains { mix in
                var world = GroupWorld(seed: seed, mix: mix, flaw: flaw)
                world.run()
                return !world.faults.isEmpty
            }
        }
        #expect(found, "\(flaw)")
    }
}

extension SimulatedMix: CustomTestStringConvertible {
    var testDescription: String { name }
}
