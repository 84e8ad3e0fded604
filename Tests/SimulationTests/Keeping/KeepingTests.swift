import Foundation
import TestSupport
import Testing

/// Queues, short links and messages that nobody fetches, through crashes of their relay and lost answers.
@Suite(.timeLimit(.minutes(10))) struct KeepingTests {
    @Test func `what was confirmed is true in every schedule`() throws {
        if let seed = ProcessInfo.processInfo.environment["PARLEY_SEED"].flatMap(UInt64.init) {
            let (complaints, log) = try KeptWorld.run(seed: seed, isLogging: true)
            print(log.joined(separator: "\n"))
            #expect(complaints == [])
            return
        }
        for seed in 0..<400 as Range<UInt64> {
            let complaints = try KeptWorld.run(seed: seed).complaints
            #expect(complaints == [], "PARLEY_SEED=\(seed)")
        }
    }

    @Test(arguments: [KeptWorld.Flaw.answersEarly, .expiresEarly, .neverExpires])
    func `a fault on purpose is found`(flaw: KeptWorld.Flaw) throws {
        let found = try (0..<200 as Range<UInt64>).contains { seed in
            try !KeptWorld.run(seed: seed, flaw: flaw).complaints.isEmpty
        }
        #expect(found)
    }
}
