import TestSupport
import Testing

/// The simulation itself is put to the test: with a fault built in on purpose it has to find a schedule that shows it.
@Suite(.timeLimit(.minutes(20))) struct FlawTests {
    /// How many schedules it gets to find one.
    private static let limit: UInt64 = 600

    private func findsAny(of flaws: World.Flaws, in mix: Mix = Mix.all[0]) throws -> Bool {
        for seed in 0..<Self.limit {
            if try !Simulation.run(seed: seed, mix: mix, flaws: flaws).complaints.isEmpty { return true }
        }
        return false
    }

    @Test func `a relay that answers before its disk is found`() throws {
        #expect(try findsAny(of: World.Flaws(relay: .answersEarly)))
    }

    @Test func `a relay that confuses the order is found`() throws {
        #expect(try findsAny(of: World.Flaws(relay: .confusesOrder)))
    }

    @Test func `an agent that takes a lost answer for a good one is found`() throws {
        #expect(try findsAny(of: World.Flaws(believesLostAnswers: true)))
    }

    @Test func `an agent that goes on with the ratchets of a copy is found`() throws {
        let mix = try #require(Mix.all.first { $0.name == "restored copies" })
        #expect(try findsAny(of: World.Flaws(trustsCopies: true), in: mix))
    }

    @Test func `an agent that does not know what has changed since its note is found`() throws {
        let mix = try #require(Mix.all.first { $0.name == "restored copies" })
        #expect(try findsAny(of: World.Flaws(forgetsChanges: true), in: mix))
    }

    private func routed() throws -> Mix { try #require(Mix.all.first { $0.name == "through proxies" }) }

    @Test func `an agent that takes a proxy's error for the relay's answer is found`() throws {
        #expect(try findsAny(of: World.Flaws(believesBrokerErrors: true), in: routed()))
    }

    @Test func `a proxy that goes on with a session it has lost is found`() throws {
        #expect(try findsAny(of: World.Flaws(relay: .keepsLostSessions), in: routed()))
    }

    @Test func `a relay that answers a proxy before its disk is found`() throws {
        #expect(try findsAny(of: World.Flaws(relay: .answersEarly), in: routed()))
    }

    /// The same as one that acknowledges before it stores.
    @Test func `an agent whose last steps are not on disk is found`() throws {
        #expect(try findsAny(of: World.Flaws(losesCommits: 3)))
    }
}
