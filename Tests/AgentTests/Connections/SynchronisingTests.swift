import Cryptography
import TestSupport
import Testing

@testable import Agent
@testable import AgentProtocol

/// Both sides' ratchets replaced, every byte really made, no relay.
@Suite(.timeLimit(.minutes(5))) struct SynchronisingTests {
    private func states(_ party: StepParty) -> [RatchetSynchronisation] {
        party.events.compactMap { if case .synchronisation(_, let state) = $0 { state } else { nil } }
    }

    private func start(_ party: StepParty, force: Bool = false) throws {
        try party.step { try $0.startSynchronisation(force: force) }
    }

    private func expectMessagesBothWays(_ pair: StepPair) throws {
        try pair.initiator.queue([101])
        try pair.joiner.queue([102])
        try pair.settle()
        #expect(try pair.joiner.bodies().last == [101])
        #expect(try pair.initiator.bodies().last == [102])
        #expect(try pair.joiner.integrities().last == .ok)
        #expect(try pair.initiator.integrities().last == .ok)
    }

    /// A side falls back to a ratchet of long ago, and the other one notices.
    private func broken() throws -> StepPair {
        let pair = try StepPair()
        let old = try pair.joiner.record
        for number in 0..<3 as Range<UInt8> {
            try pair.initiator.queue([number])
            try pair.joiner.queue([number])
            try pair.settle()
        }
        try pair.joiner.setRatchet(old)
        pair.initiator.events = []
        pair.joiner.events = []
        try pair.initiator.queue([50])
        try pair.settle()
        return pair
    }

    @Test func `a ratchet of long ago is noticed and stops the sending`() throws {
        let pair = try broken()
        #expect(states(pair.joiner) == [.required])
        #expect(pair.joiner.events.contains(.failed(pair.joiner.id, nil, .undecryptable)))
        #expect(pair.joiner.delivery.gate == .handshakeOnly)
        try pair.joiner.queue([60])
        #expect(pair.joiner.wanted.isEmpty)
    }

    @Test func `the repair of a broken ratchet lets messages flow again`() throws {
        let pair = try broken()
        try pair.joiner.queue([60])
        let code = try pair.initiator.record.ratchet?.withWipedCopy { try Ratchet(decoding: $0).securityCode }
        try start(pair.joiner)
        try pair.settle()
        #expect(states(pair.joiner) == [.required, .started, .agreed, .ok])
        #expect(states(pair.initiator) == [.agreed, .ok])
        // What had waited for the repair comes first.
        #expect(try pair.initiator.bodies().last == [60])
        #expect(try pair.initiator.integrities().last == .ok)
        try expectMessagesBothWays(pair)
        let codes = try [pair.initiator, pair.joiner].map { party in
            try party.record.ratchet?.withWipedCopy { try Ratchet(decoding: $0).securityCode }
        }
        #expect(codes[0] == codes[1])
        #expect(codes[0] != code)
    }

    @Test(arguments: 0..<8)
    func `whoever starts the repair succeeds in both roles`(round: Int) throws {
        // The keys are random: after some rounds each side has had each role.
        let pair = try StepPair()
        try start(round.isMultiple(of: 2) ? pair.initiator : pair.joiner, force: true)
        try pair.settle()
        #expect(try pair.initiator.record.synchronisation == .ok)
        #expect(try pair.joiner.record.synchronisation == .ok)
        try expectMessagesBothWays(pair)
    }

    @Test func `both may start at once`() throws {
        let pair = try StepPair()
        try start(pair.initiator, force: true)
        try start(pair.joiner, force: true)
        try pair.settle()
        #expect(states(pair.initiator) == [.started, .agreed, .ok])
        #expect(states(pair.joiner) == [.started, .agreed, .ok])
        try expectMessagesBothWays(pair)
    }

    @Test func `nothing wrong needs force`() throws {
        let pair = try StepPair()
        #expect(throws: AgentError.notReady) { try start(pair.joiner) }
        try start(pair.joiner, force: true)
        #expect(throws: AgentError.notReady) { try start(pair.joiner) }
    }

    /// A peer that has lost own keys, or has forgotten that it answered.
    private func loseAnswer(_ pair: StepPair) throws {
        let number = pair.initiator.wanted.removeFirst()
        try pair.joiner.deliver(try #require(try pair.initiator.attempt(number)).body)
        try pair.initiator.accepted(number)
        try pair.joiner.dropOutgoing()
    }

    @Test func `force puts new keys in the place of ones that nobody answers`() throws {
        let pair = try StepPair()
        try start(pair.initiator, force: true)
        try loseAnswer(pair)
        try pair.settle()
        #expect(try pair.initiator.record.synchronisation == .started)
        try start(pair.initiator, force: true)
        try pair.settle()
        for party in [pair.initiator, pair.joiner] { #expect(try party.record.synchronisation == .ok) }
        // What was lost is a gap once.
        try pair.joiner.queue([1])
        try pair.settle()
        try expectMessagesBothWays(pair)
    }

    @Test(arguments: 0..<8)
    func `force while both sides' keys are under way ends with ratchets that fit`(round: Int) throws {
        let pair = try StepPair()
        let party = round.isMultiple(of: 2) ? pair.initiator : pair.joiner
        try start(party, force: true)
        try start(round < 4 ? pair.initiator : pair.joiner, force: true)
        try start(party, force: true)
        try pair.settle()
        for party in [pair.initiator, pair.joiner] { #expect(try party.record.synchronisation == .ok) }
        try expectMessagesBothWays(pair)
    }

    @Test func `agents before version three cannot be repaired`() throws {
        let pair = try StepPair()
        try pair.joiner.step { $0.handshake.agentVersion = 2 }
        #expect(throws: AgentError.notReady) { try start(pair.joiner, force: true) }
    }

    @Test func `the same keys again change nothing but the count of messages`() throws {
        let pair = try StepPair()
        let parameters = RatchetKeyPairs().parameters(version: 2)
        let information = try AgentMessage.ratchetInformation([]).encoded()
        try pair.joiner.step { try $0.receiveRatchetKey(parameters, information: information) }
        var before = try pair.joiner.record
        var chains = try Chains(decoding: try #require(before.chains))
        pair.joiner.events = []
        let repeated = try AgentMessage.ratchetInformation([1]).encoded()
        try pair.joiner.step { try $0.receiveRatchetKey(parameters, information: repeated) }
        chains.uncounted.append(Digest.sha256(repeated))
        before.chains = try chains.encoded()
        #expect(try pair.joiner.record == before)
        #expect(pair.joiner.events == [])
    }

    @Test func `new keys before the last ones are in use take their place`() throws {
        let pair = try StepPair()
        let information = try AgentMessage.ratchetInformation([]).encoded()
        // Somebody's keys of which nothing more was heard: what was agreed with them will never be used.
        try pair.joiner.step {
            try $0.receiveRatchetKey(RatchetKeyPairs().parameters(version: 2), information: information)
        }
        #expect(try pair.joiner.record.synchronisation == .agreed)
        try pair.joiner.dropOutgoing()
        try start(pair.initiator, force: true)
        try pair.settle()
        for party in [pair.initiator, pair.joiner] {
            #expect(try party.record.synchronisation == .ok)
            #expect(try party.record.synchronisationKeys == nil)
        }
        try pair.joiner.queue([1])
        try pair.initiator.queue([2])
        try pair.settle()
        #expect(try pair.initiator.bodies().last == [1])
        #expect(try pair.joiner.bodies().last == [2])
    }

    @Test func `a message encrypted before the repair leaves before the new keys even after a crash`() throws {
        for crashes in [false, true] {
            let pair = try StepPair()
            try pair.joiner.queue([1])
            // Encrypted, and nobody knows whether it arrived.
            _ = try pair.joiner.attempt(try #require(pair.joiner.wanted.first))
            try start(pair.joiner, force: true)
            if crashes { try pair.joiner.restart() }
            try pair.settle()
            #expect(try pair.initiator.bodies() == [[1]])
            #expect(try pair.initiator.integrities() == [.ok])
            #expect(try pair.initiator.record.synchronisation == .ok)
            try expectMessagesBothWays(pair)
        }
    }

    @Test func `a message chosen but not encrypted waits for the new ratchet`() throws {
        let pair = try StepPair()
        try pair.joiner.queue([1])
        #expect(pair.joiner.wanted.count == 1)
        try start(pair.joiner, force: true)
        try pair.settle()
        #expect(try pair.initiator.bodies() == [[1]])
        #expect(try pair.initiator.integrities() == [.ok])
    }

    /// What became of a seeded schedule of losses, repeats and crashes around a repair.
    private struct Story {
        var pair: StepPair
        /// What each side sent.
        var sent: [[[UInt8]]]
    }

    /// - Parameter isInsistent: whether the people force further repairs while one is under way.
    private func story(seed: UInt64, isInsistent: Bool) throws -> Story {
        var random = SeededGenerator(seed: seed)
        let pair = try StepPair()
        let parties = [pair.initiator, pair.joiner]
        var sent: [[[UInt8]]] = [[], []]
        func turn(_ side: Int) throws {
            let from = parties[side]
            let peer = parties[1 - side]
            guard let number = from.wanted.first else { return }
            guard let attempt = try from.attempt(number) else {
                from.wanted.removeFirst()
                return
            }
            let fate = Int.random(in: 0..<6, using: &random)
            if fate != 0 { try peer.deliver(attempt.body) }
            if fate == 1 { try peer.deliver(attempt.body) }
            if fate == 2 { return try from.restart() }
            guard fate > 2 else { return }
            from.wanted.removeFirst()
            try from.accepted(number)
        }
        for round in 0..<80 {
            let side = Int.random(in: 0...1, using: &random)
            if round == 20 { try start(parties[side], force: true) }
            if isInsistent, (21..<40).contains(round), Int.random(in: 0..<3, using: &random) == 0 {
                try start(parties[1 - side], force: true)
            }
            if round == 22, Bool.random(using: &random) {
                let other = parties[1 - side]
                try? start(other, force: try other.record.synchronisation == .ok)
            }
            if round % 7 == 3 {
                sent[side].append([UInt8(round)])
                try parties[side].queue([UInt8(round)])
            }
            try turn(side)
        }
        for _ in 0..<200 {
            try turn(0)
            try turn(1)
        }
        return Story(pair: pair, sent: sent)
    }

    /// Both ratchets fit, and what was sent has arrived once and in order, with nothing told as missing. Neither side has heard of what
    /// `isUnwanted` says.
    private func expectWhole(_ story: Story, without isUnwanted: (AgentEvent) -> Bool) throws {
        let parties = [story.pair.initiator, story.pair.joiner]
        for side in 0...1 {
            #expect(try parties[side].record.synchronisation == .ok)
            #expect(try parties[1 - side].bodies() == story.sent[side])
            let integrities = try parties[side].integrities()
            #expect(integrities.allSatisfy { $0 == .ok })
            let unwanted = parties[side].events.filter(isUnwanted)
            #expect(unwanted == [])
        }
    }

    @Test(arguments: 0..<16)
    func `every seeded schedule of crashes ends in order`(seed: UInt64) throws {
        try expectWhole(try story(seed: seed, isInsistent: false)) { if case .failed = $0 { true } else { false } }
    }

    /// The agents' own words of the repair before may be told as unreadable, and then not as missing, too.
    @Test(arguments: 0..<32)
    func `repairs that are forced over again end with ratchets that fit`(seed: UInt64) throws {
        let story = try story(seed: seed, isInsistent: true)
        try expectWhole(story) { if case .integrityBroken = $0 { true } else { false } }
        try expectMessagesBothWays(story.pair)
    }
}

extension StepParty {
    /// Whatever was to be sent is lost.
    fileprivate func dropOutgoing() throws {
        wanted = []
        delivery = DeliveryMachine()
        try step { step in
            for entry in try step.transaction.deliveryEntries(of: step.record.id) {
                try step.transaction.deleteOutgoing(entry.id)
            }
        }
    }
}
