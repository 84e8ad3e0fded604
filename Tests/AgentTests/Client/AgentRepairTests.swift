import Cryptography
import SMP
import TestSupport
import Testing

@testable import Agent
@testable import AgentProtocol

/// Receipts, state and repair of the encryption over a real relay.
@Suite(.timeLimit(.minutes(5))) struct AgentRepairTests {
    @Test func `a receipt tells the sender and the state names relay and version`() async throws {
        let relay = try await TestRelay()
        let initiator = try await TestAgent([relay.address], acknowledges: false)
        let joiner = try await TestAgent([relay.address])
        let ids = try await connect(initiator, joiner)
        let number = try await joiner.agent.send([1], on: ids.joiner, notify: true)
        try await initiator.waitForMessages(1)
        #expect(try await joiner.agent.receipt(of: number, on: ids.joiner) == nil)
        let message = try #require(await initiator.messages.first)
        await initiator.agent.acknowledge(ids.initiator, message: message.id, receipt: true)
        try await joiner.wait("a receipt") { $0.contains(.received(ids.joiner, number, .matching)) ? true : nil }
        #expect(try await joiner.agent.receipt(of: number, on: ids.joiner) == .matching)

        // The relay hands a message on before it tells the sender that it has taken it.
        try await waitUntil("the relay has told that it took the message") {
            try await joiner.agent.status(of: ids.joiner).waitingMessages == 0
        }
        let status = try await joiner.agent.status(of: ids.joiner)
        #expect(status.summary.phase == .connected)
        #expect(status.synchronisation == .ok)
        #expect(status.lastIntegrity == .ok)
        #expect(status.receivingRelays.map(\.smpVersion) == [17])
        #expect(status.sendingRelay?.address == relay.address)
        await initiator.stop()
        await joiner.stop()
        await relay.stop()
    }

    @Test func `a corrupted ratchet is replaced and messages flow again`() async throws {
        let relay = try await TestRelay()
        let initiator = try await TestAgent([relay.address])
        let joiner = try await TestAgent([relay.address])
        let ids = try await connect(initiator, joiner)
        for number in 0..<3 as Range<UInt8> {
            _ = try await initiator.agent.send([number], on: ids.initiator, notify: true)
            _ = try await joiner.agent.send([number], on: ids.joiner, notify: true)
        }
        try await initiator.waitForMessages(3)
        try await joiner.waitForMessages(3)

        try await joiner.agent.spoilRatchet(of: ids.joiner)
        _ = try await initiator.agent.send([9], on: ids.initiator, notify: true)
        for agent in [initiator, joiner] {
            try await agent.wait("a repaired ratchet") { events in
                events.contains { if case .synchronisation(_, .ok) = $0 { true } else { false } } ? true : nil
            }
        }
        _ = try await initiator.agent.send([10], on: ids.initiator, notify: true)
        _ = try await joiner.agent.send([11], on: ids.joiner, notify: true)
        #expect(try await joiner.waitForMessages(4).last == [10])
        #expect(try await initiator.waitForMessages(4).last == [11])
        #expect(await joiner.failures == [.failed(ids.joiner, nil, .undecryptable)])
        let codes = [
            try await initiator.agent.securityCode(of: ids.initiator),
            try await joiner.agent.securityCode(of: ids.joiner),
        ]
        #expect(codes[0] == codes[1])
        await initiator.stop()
        await joiner.stop()
        await relay.stop()
    }
}

extension Agent {
    /// Puts a ratchet into the store that has nothing to do with the peer's.
    func spoilRatchet(of connection: ConnectionID) throws {
        let other = try Ratchet(joiner: RatchetKeyPairs(), peer: RatchetKeyPairs().parameters(version: 2))
        try step(connection) { $0.record.ratchet = SecretBytes(other.encoded) }
    }
}
