import TestSupport
import Testing

/// The simulation itself is put to the test: with a fault built in on purpose it has to find a schedule that shows it.
@Suite(.timeLimit(.minutes(20))) struct FlawTests {
    /// How many schedules it gets to find one.
    private static let limit: UInt64 = 600
    /// After how many steps a schedule that has not ended never will. They take seconds, where one that ends takes a fraction of one.
    private static let steps = 20_000

    /// Whether a schedule shows the flaw, and passes without it. The first that is tried is `seed`, which has shown it before: to look for
    /// one may take a minute. A change of the code may make another story of it, then another one has to be found.
    private func shows(_ flaws: World.Flaws, first seed: UInt64, in mix: Mix = Mix.all[0]) throws -> Bool {
        let found = try ([seed] + Array(0..<Self.limit)).first { seed in
            try !Simulation.run(seed: seed, mix: mix, flaws: flaws, steps: Self.steps).complaints.isEmpty
        }
        guard let found else { return false }
        return try Simulation.run(seed: found, mix: mix, steps: Self.steps).complaints.isEmpty
    }

    @Test func `a relay that answers before its disk is found`() throws {
        #expect(try shows(World.Flaws(relay: .answersEarly), first: 45))
    }

    @Test func `a relay that confuses the order is found`() throws {
        #expect(try shows(World.Flaws(relay: .confusesOrder), first: 14))
    }

    @Test func `an agent that takes a lost answer for a good one is found`() throws {
        #expect(try shows(World.Flaws(believesLostAnswers: true), first: 8))
    }

    @Test func `an agent that goes on with the ratchets of a copy is found`() throws {
        let mix = try #require(Mix.all.first { $0.name == "restored copies" })
        #expect(try shows(World.Flaws(trustsCopies: true), first: 210, in: mix))
    }

    @Test func `an agent that does not know what has changed since its note is found`() throws {
        let mix = try #require(Mix.all.first { $0.name == "restored copies" })
        #expect(try shows(World.Flaws(forgetsChanges: true), first: 414, in: mix))
    }

    private func routed() throws -> Mix { try #require(Mix.all.first { $0.name == "through proxies" }) }

    @Test func `an agent that takes a proxy's error for the relay's answer is found`() throws {
        #expect(try shows(World.Flaws(believesBrokerErrors: true), first: 0, in: routed()))
    }

    @Test func `a proxy that goes on with a session it has lost is found`() throws {
        #expect(try shows(World.Flaws(relay: .keepsLostSessions), first: 0, in: routed()))
    }

    @Test func `a relay that answers a proxy before its disk is found`() throws {
        #expect(try shows(World.Flaws(relay: .answersEarly), first: 6, in: routed()))
    }

    /// The same as one that acknowledges before it stores.
    @Test func `an agent whose last steps are not on disk is found`() throws {
        #expect(try shows(World.Flaws(losesCommits: 3), first: 9))
    }
}
