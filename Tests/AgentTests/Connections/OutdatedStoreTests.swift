import Cryptography
import Testing

@testable import Agent
@testable import AgentProtocol

/// A side whose store is replaced by an earlier copy, every byte really made, no relay.
@Suite(.timeLimit(.minutes(5))) struct OutdatedStoreTests {
    /// Both have said something since the copy of the joiner's store was made.
    private func travelled(_ between: (StepPair) throws -> Void = { _ in }) throws -> StepPair {
        let pair = try StepPair()
        try pair.joiner.queue([1])
        try pair.settle()
        let copy = try pair.joiner.record
        for number in 2..<5 as Range<UInt8> {
            try pair.joiner.queue([number])
            try pair.initiator.queue([number])
            try pair.settle()
        }
        try between(pair)
        try pair.joiner.step { step in
            (step.record.ratchet, step.record.chains) = (copy.ratchet, copy.chains)
            step.record.synchronisationKeys = copy.synchronisationKeys
            step.record.seenRatchetKeys = copy.seenRatchetKeys
        }
        try pair.joiner.store.write { try $0.markOutdated() }
        try pair.joiner.reload()
        return pair
    }

    private func renew(_ party: StepParty) throws { try party.step { try $0.replaceOutdatedRatchet() } }

    @Test func `nothing is encrypted with the ratchet of a copy`() throws {
        let pair = try travelled()
        let ratchet = try pair.joiner.record.ratchet
        try pair.joiner.queue([9])
        #expect(pair.joiner.wanted.isEmpty)
        #expect(try pair.joiner.record.ratchet == ratchet)
    }

    @Test func `new ratchets let messages flow with whole chains again`() throws {
        let pair = try travelled()
        try renew(pair.joiner)
        try pair.settle()
        for party in [pair.initiator, pair.joiner] { #expect(try party.record.synchronisation == .ok) }
        // The first one tells what is missing; from then on all is whole.
        for number in 20..<23 as Range<UInt8> {
            try pair.joiner.queue([number])
            try pair.initiator.queue([number])
            try pair.settle()
        }
        #expect(try pair.initiator.bodies().suffix(3) == [[20], [21], [22]])
        #expect(try pair.joiner.bodies().suffix(3) == [[20], [21], [22]])
        #expect(try pair.initiator.integrities().suffix(2) == [.ok, .ok])
        #expect(try pair.joiner.integrities().suffix(2) == [.ok, .ok])
    }

    @Test func `a copy from before a repair that the peer has not used yet is repaired`() throws {
        let pair = try travelled { pair in
            // The joiner begins, the initiator answers, and the joiner's store is gone before it says more.
            try pair.joiner.step { try $0.startSynchronisation(force: true) }
            let number = pair.joiner.wanted.removeFirst()
            let attempt = try #require(try pair.joiner.attempt(number))
            try pair.initiator.deliver(attempt.body)
            try pair.joiner.accepted(number)
            pair.joiner.wanted = []
        }
        #expect(try pair.initiator.record.synchronisation == .agreed)
        try renew(pair.joiner)
        try pair.settle()
        for party in [pair.initiator, pair.joiner] { #expect(try party.record.synchronisation == .ok) }
    }

    @Test func `a copy that has lost the peer's new keys gets them again`() throws {
        let pair = try travelled { pair in
            // The initiator begins, and the joiner's store is gone when it has acknowledged that.
            try pair.initiator.step { try $0.startSynchronisation(force: true) }
            let number = pair.initiator.wanted.removeFirst()
            try pair.joiner.deliver(try #require(try pair.initiator.attempt(number)).body)
            try pair.initiator.accepted(number)
            pair.joiner.wanted = []
        }
        #expect(try pair.initiator.record.synchronisation == .started)
        try renew(pair.joiner)
        try pair.settle()
        for party in [pair.initiator, pair.joiner] { #expect(try party.record.synchronisation == .ok) }
    }

    @Test func `both stores may be copies`() throws {
        let pair = try travelled()
        try pair.initiator.store.write { try $0.markOutdated() }
        try pair.initiator.reload()
        try renew(pair.initiator)
        try renew(pair.joiner)
        try pair.settle()
        for party in [pair.initiator, pair.joiner] { #expect(try party.record.synchronisation == .ok) }
    }

    @Test func `what was encrypted before the copy leaves as it was`() throws {
        let pair = try StepPair()
        try pair.joiner.queue([1])
        let number = try #require(pair.joiner.wanted.first)
        let first = try #require(try pair.joiner.attempt(number))
        try pair.joiner.store.write { try $0.markOutdated() }
        try pair.joiner.reload()
        try renew(pair.joiner)
        #expect(first.notify == false)
        try pair.settle()
        #expect(try pair.initiator.bodies() == [[1]])
        #expect(try pair.initiator.integrities() == [.ok])
    }

    @Test func `a connection that was not complete cannot go on`() throws {
        let (initiator, link) = try StepParty.initiator(isFast: true)
        let joiner = try StepParty.joiner(link, repliesFast: true, info: [])
        withExtendedLifetime(initiator) {}
        try joiner.store.write { try $0.markOutdated() }
        try joiner.reload()
        try renew(joiner)
        #expect(try joiner.state == .failed)
        #expect(joiner.events == [.failed(joiner.id, nil, .outdated)])
        #expect(joiner.wanted.isEmpty)
    }

    @Test func `a receipt for what was never sent shows that the store is a copy`() throws {
        let pair = try StepPair()
        let receipt = AMessage.Receipt(id: 1_000, hash: [UInt8](repeating: 1, count: 32))
        try pair.joiner.step { try $0.receive([receipt]) }
        #expect(try pair.joiner.record.synchronisation == .started)
        try pair.settle()
        #expect(try pair.joiner.record.synchronisation == .ok)
    }
}

extension StepParty {
    /// What another process finds in the store; its agent has taken nothing up yet.
    fileprivate func reload() throws {
        wanted = []
        delivery = DeliveryMachine()
        let entries = try store.read { try $0.deliveryEntries(of: id) }
        try step { $0.effects.entries = entries }
    }
}
