import Cryptography
import Testing

@testable import Agent
@testable import AgentProtocol

@Suite(.timeLimit(.minutes(5))) struct ReceiptTests {
    private func acknowledgeAll(_ party: StepParty, receipt: Bool) throws {
        for message in try party.store.read({ try $0.waitingMessages() }) {
            let queue = try party.step { try $0.acknowledge(message.id, receipt: receipt) }
            #expect(queue != nil)
        }
    }

    @Test func `the peer learns of the messages that were acknowledged with a receipt`() throws {
        let pair = try StepPair()
        try pair.joiner.queue([1])
        try pair.joiner.queue([2])
        try pair.settle()
        let sent = pair.joiner.events.compactMap { if case .sent(_, let number) = $0 { number } else { nil } }
        pair.joiner.events = []
        try acknowledgeAll(pair.initiator, receipt: true)
        try pair.settle()
        #expect(
            pair.joiner.events
                == sent.map { .received(pair.joiner.id, $0, .matching) })
        #expect(pair.initiator.events == [])
        #expect(try pair.initiator.bodies() == [])
        for number in sent {
            let sent = try pair.joiner.store.read { try $0.sent(number, connection: pair.joiner.id) }
            #expect(sent?.verdict == .matching)
        }
    }

    @Test func `without the applications wish none is sent`() throws {
        let pair = try StepPair()
        try pair.joiner.queue([1])
        try pair.settle()
        try acknowledgeAll(pair.initiator, receipt: false)
        #expect(pair.initiator.wanted.isEmpty)
    }

    @Test func `a message is receipted once however often it is acknowledged`() throws {
        let pair = try StepPair()
        try pair.joiner.queue([1])
        try pair.settle()
        let message = try #require(try pair.initiator.store.read { try $0.waitingMessages().first })
        let first = try pair.initiator.step { try $0.acknowledge(message.id, receipt: true) }
        let second = try pair.initiator.step { try $0.acknowledge(message.id, receipt: true) }
        #expect(first != nil)
        #expect(second == nil)
        #expect(pair.initiator.wanted.count == 1)
    }

    @Test func `a message that comes before the connection is allowed gets one too`() throws {
        let pair = try StepPair()
        try pair.joiner.queue([1])
        try pair.settle()
        try pair.initiator.step {
            $0.handshake = HandshakeMachine(
                role: .initiator, state: .confirmed, peerQueueIsFast: true, ownQueueIsFast: true, agentVersion: 7)
        }
        try acknowledgeAll(pair.initiator, receipt: true)
        #expect(try pair.initiator.store.read { try $0.deliveryEntries(of: pair.initiator.id) }.count == 1)
    }

    @Test func `versions before four get none`() throws {
        let pair = try StepPair()
        try pair.joiner.queue([1])
        try pair.settle()
        try pair.initiator.step { $0.handshake.agentVersion = 3 }
        try acknowledgeAll(pair.initiator, receipt: true)
        #expect(pair.initiator.wanted.isEmpty)
    }

    @Test func `a receipt of something else is told as such and only once`() throws {
        let pair = try StepPair()
        try pair.joiner.queue([1])
        try pair.settle()
        let number = try #require(
            pair.joiner.events.lazy.compactMap { if case .sent(_, let number) = $0 { number } else { nil } }.first)
        let chainNumber = try #require(
            try pair.joiner.store.read { try $0.sent(number, connection: pair.joiner.id) }?.chainNumber)
        pair.joiner.events = []
        let forged = AMessage.Receipt(id: chainNumber, hash: Digest.sha256([9]))
        // Nobody remembers it.
        let old = AMessage.Receipt(id: 0, hash: Digest.sha256([9]))
        try pair.joiner.step { try $0.receive([forged, old, forged]) }
        #expect(pair.joiner.events == [.received(pair.joiner.id, number, .badHash)])
    }

    @Test func `receipts count in the chain like everything else`() throws {
        let pair = try StepPair()
        try pair.joiner.queue([1])
        try pair.settle()
        try acknowledgeAll(pair.initiator, receipt: true)
        try pair.initiator.queue([2])
        try pair.settle()
        #expect(try pair.joiner.integrities() == [.ok])
    }

    @Test func `a receipt that waited survives a crash`() throws {
        let pair = try StepPair()
        try pair.joiner.queue([1])
        try pair.settle()
        try acknowledgeAll(pair.initiator, receipt: true)
        try pair.initiator.restart()
        try pair.settle()
        #expect(pair.joiner.events.contains { if case .received(_, _, .matching) = $0 { true } else { false } })
    }

    @Test func `a gap before a message of the agent's is told`() throws {
        let pair = try StepPair()
        try pair.joiner.queue([1])
        try pair.settle()
        try pair.initiator.queue([7])
        let lost = pair.initiator.wanted.removeFirst()
        _ = try pair.initiator.attempt(lost)
        try pair.initiator.accepted(lost)
        try acknowledgeAll(pair.initiator, receipt: true)
        try pair.settle()
        #expect(
            pair.joiner.events.contains(.integrityBroken(pair.joiner.id, .skipped(from: 2, to: 2))))
        let stored = try #require(try pair.joiner.record.integrity)
        #expect(try MessageIntegrity(decoding: stored) == .skipped(from: 2, to: 2))
    }
}
