import GRDB
import SMP
import TestSupport
import Testing

@testable import Agent

/// An agent that nobody holds goes, also while its work waits for an application that does not read what it is told.
@Suite(.timeLimit(.minutes(1))) struct AgentLifetimeTests {
    private let relay: RelayAddress

    init() throws { relay = try RelayAddress(parsing: "smp://\(String(repeating: "A", count: 43))=@127.0.0.1:9") }

    /// Waits until an agent is gone whose application is behind, after `work` has begun to wait for it.
    private func expectEnd(after work: (Agent) async -> Void) async throws {
        let store = try AgentStore(DatabaseQueue(), key: testStoreKey)
        let configuration = AgentConfiguration(directory: "", storeKey: testStoreKey, relays: [])
        var agent: Agent? = Agent(configuration: configuration, surroundings: .system(), store: store)
        weak let left = agent
        // Kept, but not read.
        let events = agent?.events
        await agent?.start()
        while agent?.continuation.yield(.down(relay)) == true {}
        if let agent { await work(agent) }
        // Whatever was begun has come to where it waits.
        try await Task.sleep(for: .milliseconds(200))
        agent = nil
        try await waitUntil("the agent is gone") { left == nil }
        withExtendedLifetime(events) {}
    }

    @Test func `what waits to acknowledge holds no agent`() async throws {
        try await expectEnd { await $0.perform([.acknowledge([1])], of: ConnectionID(rawValue: "a"), queue: 1) }
    }

    @Test func `what waits to subscribe more holds no agent`() async throws {
        let name = ReceiveQueueName(relay: relay, recipientID: EntityID([1]))
        try await expectEnd { _ = await $0.subscribe([name]) }
    }

    @Test func `a relay that is out of reach for the note holds no agent`() async throws {
        try await expectEnd { agent in await agent.beginNoteForTests() }
    }
}

extension Agent {
    /// Tries to write a note where there is no relay for it.
    fileprivate func beginNoteForTests() {
        configuration.relays = [try? RelayAddress(parsing: "smp://\(String(repeating: "A", count: 43))=@127.0.0.1:9")]
            .compactMap(\.self)
        moveNote()
    }
}
