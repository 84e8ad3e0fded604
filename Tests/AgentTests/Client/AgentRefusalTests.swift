import Cryptography
import SMP
import Testing

@testable import Agent
@testable import AgentProtocol

/// What is refused before any relay is asked.
@Suite(.timeLimit(.minutes(5))) struct AgentRefusalTests {
    /// Nobody listens here.
    private func deadRelay() throws -> RelayAddress {
        try RelayAddress(hosts: ["127.0.0.1"], port: 1, keyHash: [UInt8](repeating: 3, count: 32))
    }

    private func link(
        agent: VersionRange = AgentVersions.supported, ratchet: VersionRange = RatchetVersions.advertised,
        queue: VersionRange = QueueVersions.supported, isContact: Bool = false
    ) throws -> String {
        let address = QueueAddress(relay: try deadRelay(), senderID: .random())
        let uri = QueueURI(versions: queue, address: address, key: X25519.PrivateKey().publicKey, mode: .messaging)
        let kind: ConnectionLink.Kind =
            isContact ? .contact : .invitation(RatchetKeyPairs().offer(versions: ratchet))
        return ConnectionLink(kind: kind, agentVersions: agent, queue: uri).text()
    }

    @Test func `text that is no link is refused`() async throws {
        let agent = try await TestAgent([try deadRelay()])
        for text in ["", "hello", "https://example.org/invitation", "simplex:/invitation#/?v=2-7&smp=&e2e="] {
            await #expect(throws: AgentError.invalidLink) { try await agent.agent.join(link: text, info: []) }
        }
        #expect(try await agent.agent.connections() == [])
        await agent.stop()
    }

    @Test func `versions without overlap are refused`() async throws {
        let agent = try await TestAgent([try deadRelay()])
        let future = VersionRange(minimum: 90, maximum: 99)
        for text in [try link(agent: future), try link(ratchet: future), try link(queue: future)] {
            await #expect(throws: AgentError.incompatibleVersion) {
                try await agent.agent.join(link: text, info: [])
            }
        }
        #expect(try await agent.agent.connections() == [])
        await agent.stop()
    }

    @Test func `what does not fit is refused before anything is stored`() async throws {
        let agent = try await TestAgent([try deadRelay()])
        let link = try link()
        await #expect(throws: AgentError.messageTooLong(limit: Agent.maximumInformation)) {
            try await agent.agent.join(link: link, info: [UInt8](repeating: 0, count: 14_001))
        }
        let connection = try await agent.agent.join(link: link, info: [])
        await #expect(throws: AgentError.messageTooLong(limit: 15_795)) {
            try await agent.agent.send([UInt8](repeating: 0, count: 15_796), on: connection, notify: true)
        }
        _ = try await agent.agent.send([UInt8](repeating: 0, count: 15_795), on: connection, notify: true)
        await agent.stop()
    }

    @Test func `a relay that is not there is named so`() async throws {
        let agent = try await TestAgent([try deadRelay()])
        await #expect(throws: AgentError.relayUnreachable) { try await agent.agent.makeInvitation() }
        await agent.stop()
        let none = try await TestAgent([])
        await #expect(throws: AgentError.noRelay) { try await none.agent.makeInvitation() }
        let link = try link()
        await #expect(throws: AgentError.noRelay) { try await none.agent.join(link: link, info: []) }
        await none.stop()
    }

    @Test func `a relay that is too old is named so and not the network`() async throws {
        let relay = try await TestRelay(versions: 6...8)
        let agent = try await TestAgent([relay.address])
        let error = AgentError.relayUnusable(.version)
        await #expect(throws: error) { try await agent.agent.makeInvitation() }
        await #expect(throws: error) { try await agent.agent.makeShortInvitation() }
        await agent.stop()
        await relay.stop()
    }

    @Test func `a relay that is another one is named so`() async throws {
        let relay = try await TestRelay()
        let other = try RelayAddress(
            hosts: ["127.0.0.1"], port: relay.address.effectivePort, keyHash: [UInt8](repeating: 3, count: 32))
        let agent = try await TestAgent([other])
        await #expect(throws: AgentError.relayUnusable(.wrongFingerprint)) { try await agent.agent.makeInvitation() }
        await agent.stop()
        await relay.stop()
    }

    @Test func `unknown connections are refused`() async throws {
        let agent = try await TestAgent([])
        let nobody = ConnectionID(rawValue: "nobody")
        await #expect(throws: AgentError.unknownConnection) {
            try await agent.agent.send([], on: nobody, notify: true)
        }
        await #expect(throws: AgentError.unknownConnection) { try await agent.agent.allow(nobody, info: []) }
        await #expect(throws: AgentError.unknownConnection) { try await agent.agent.delete(nobody) }
        await agent.agent.acknowledge(nobody, message: 1)
        await agent.stop()
    }

    @Test func `a stopped agent refuses everything and ends its events`() async throws {
        let agent = try await TestAgent([])
        await agent.stop()
        await #expect(throws: AgentError.stopped) { try await agent.agent.makeInvitation() }
        await #expect(throws: AgentError.stopped) { try await agent.agent.connections() }
        await #expect(throws: AgentError.stopped) { try await agent.agent.applicationData("a") }
        await agent.agent.start()
        await agent.agent.stop()
    }

    @Test func `an agent that is not started keeps application data but connects nobody`() async throws {
        let agent = try await TestAgent([try deadRelay()], starts: false)
        try await agent.agent.setApplicationData("profile", to: [1, 2])
        #expect(try await agent.agent.applicationData("profile") == [1, 2])
        #expect(try await agent.agent.applicationDataNames() == ["profile"])
        await #expect(throws: AgentError.notReady) { try await agent.agent.makeInvitation() }
        await agent.stop()
    }

    @Test func `the wrong key is refused before anything else`() async throws {
        let agent = try await TestAgent([])
        await agent.stop()
        await #expect(throws: StoreError.wrongKey) {
            _ = try await Agent(
                configuration: AgentConfiguration(
                    directory: agent.folder.path, storeKey: SecretBytes([UInt8](repeating: 9, count: 32)), relays: []))
        }
    }
}
