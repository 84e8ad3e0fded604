import GRDB
import SMP
import SMPSession
import SMPTransport
import TestSupport
import Testing

@testable import Agent

/// An agent whose relay sends more than it may.
@Suite(.timeLimit(.minutes(5))) struct HostileRelayTests {
    private static let garbage = [UInt8](repeating: 7, count: SMPLimits.sealedMessageBody)

    /// An agent with so many queues on a hostile relay, after a restart, so that it has subscribed to all of them.
    private func arrange(queues: Int) async throws -> (relay: HostileRelay, agent: TestAgent) {
        let relay = try await HostileRelay()
        let first = try await TestAgent([relay.address])
        for _ in 0..<queues { _ = try await first.agent.makeInvitation() }
        await first.stop()
        let agent = try await TestAgent([relay.address], folder: first.folder)
        try await agent.waitUntilUp()
        #expect(relay.subscribed.count == queues)
        return (relay, agent)
    }

    private func problem(_ agent: TestAgent) async throws -> TransportError? {
        try await agent.agent.relayStates().first?.problem
    }

    /// How many messages the store remembers, whatever became of them.
    private func marks(of agent: TestAgent) throws -> Int {
        try agent.agent.store.read { (transaction: StoreTransaction) throws -> Int in
            try Int.fetchOne(transaction.database.database, sql: "SELECT COUNT(*) FROM received") ?? 0
        }
    }

    /// How many pages the store has.
    private func pages(of agent: TestAgent) throws -> Int {
        try agent.agent.store.read { (transaction: StoreTransaction) throws -> Int in
            try Int.fetchOne(transaction.database.database, sql: "PRAGMA page_count") ?? 0
        }
    }

    @Test func `two messages at once end the connection and the store has one`() async throws {
        let (relay, agent) = try await arrange(queues: 1)
        let before = relay.sessionCount
        relay.send { _ in (0..<500).map { _ in .message(.random(), body: Self.garbage) } }
        try await agent.wait("down") { events in
            events.contains { if case .down = $0 { true } else { false } } ? true : nil
        }
        #expect(await agent.failures.count == 1)
        #expect(try marks(of: agent) == 1)
        // It comes back, as to any relay.
        try await waitUntil("another connection") { relay.sessionCount > before }
        await agent.stop()
        await relay.stop()
    }

    @Test func `a relay that floods again at each connection makes no store grow`() async throws {
        let (relay, agent) = try await arrange(queues: 1)
        let before = try pages(of: agent)
        for round in 0..<6 {
            let sessions = relay.sessionCount
            // 5 MB.
            relay.send { _ in (0..<300).map { _ in .message(.random(), body: Self.garbage) } }
            try await waitUntil("connection \(round + 2)") {
                relay.sessionCount > sessions && !relay.subscribed.isEmpty
            }
        }
        // One of each connection, and hardly any that could be acknowledged in between.
        #expect(try (1...20).contains(marks(of: agent)))
        #expect(try pages(of: agent) <= before + 8)
        await agent.stop()
        await relay.stop()
    }

    @Test func `endings that belong to nothing are not told and end the connection`() async throws {
        let (relay, agent) = try await arrange(queues: 2)
        // Of each subscription one end is told. The messages come after all of them.
        relay.send { _ in [.ended, .ended, .ended, .message(.random(), body: Self.garbage)] }
        try await agent.wait("both messages") { events in
            events.filter { if case .failed(_, nil, .undecryptable) = $0 { true } else { false } }.count == 2
                ? true : nil
        }
        relay.sendAboutNothing((0..<5_000).map { _ in .ended })
        try await agent.wait("down") { events in
            events.contains { if case .down = $0 { true } else { false } } ? true : nil
        }
        let told = await agent.events.filter { if case .subscriptionEnded = $0 { true } else { false } }
        #expect(told.count == 2)
        await agent.stop()
        await relay.stop()
    }

    @Test func `a message on every queue at once is no fault`() async throws {
        let queues = 40
        let (relay, agent) = try await arrange(queues: queues)
        relay.send { _ in [.message(.random(), body: Self.garbage)] }
        try await agent.wait("all told") { events in
            events.filter { if case .failed(_, nil, .undecryptable) = $0 { true } else { false } }.count == queues
                ? true : nil
        }
        #expect(!(await agent.events.contains { if case .down = $0 { true } else { false } }))
        #expect(try await problem(agent) == nil)
        await agent.stop()
        await relay.stop()
    }
}
