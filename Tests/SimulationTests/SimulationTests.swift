import Foundation
import Synchronization
import TestSupport
import Testing

private let count = ProcessInfo.processInfo.environment["PARLEY_SCHEDULES"].flatMap(UInt64.init) ?? 500
/// Far more than they take on two cores.
private let minutes = max(20, count / 100)

/// Schedules of faults, each from one seed. PARLEY_SCHEDULES runs another number of them, PARLEY_SEED one of them, with its
/// whole story.
@Suite(.timeLimit(.minutes(minutes))) struct SimulationTests {
    private static let environment = ProcessInfo.processInfo.environment

    @Test func `every schedule ends with each message once in order`() throws {
        if let seed = Self.environment["PARLEY_SEED"].flatMap(UInt64.init) {
            let outcome = try Simulation.run(seed: seed, isLogging: true)
            print(outcome.log.joined(separator: "\n"))
            #expect(outcome.complaints == [])
            return
        }
        let failed = try Simulation.run(seeds: 0..<count)
        for outcome in failed {
            Issue.record("PARLEY_SEED=\(outcome.seed) (\(outcome.mix)): \(outcome.complaints.joined(separator: "\n"))")
        }
    }

    @Test(arguments: UInt64(0)..<8) func `a seed always tells the same story`(seed: UInt64) throws {
        let first = try Simulation.run(seed: seed)
        let second = try Simulation.run(seed: seed)
        #expect(first.fingerprint == second.fingerprint)
    }
}
