import SMP
import Testing

@testable import Agent

/// A queue moves between two real relays while messages flow.
@Suite(.timeLimit(.minutes(5))) struct AgentMovingTests {
    private func waitUntilMoved(_ agent: TestAgent, _ connection: ConnectionID) async throws {
        try await agent.wait("a moved queue") { $0.contains(.rotation(connection, .none)) ? true : nil }
    }

    @Test func `messages keep their order while a queue moves`() async throws {
        let relays = [try await TestRelay(), try await TestRelay()]
        let addresses = relays.map(\.address)
        let mover = try await TestAgent(addresses)
        let peer = try await TestAgent([addresses[0]])
        let ids = try await connect(mover, peer)
        let before = try await mover.agent.status(of: ids.initiator).receivingRelays.map(\.address)
        for number in 0..<10 as Range<UInt8> {
            _ = try await peer.agent.send([number], on: ids.joiner, notify: true)
        }
        try await mover.agent.moveQueue(of: ids.initiator)
        await #expect(throws: AgentError.notReady) { try await mover.agent.moveQueue(of: ids.initiator) }
        for number in 10..<30 as Range<UInt8> {
            _ = try await peer.agent.send([number], on: ids.joiner, notify: true)
        }
        try await waitUntilMoved(mover, ids.initiator)
        _ = try await peer.agent.send([30], on: ids.joiner, notify: true)
        _ = try await mover.agent.send([40], on: ids.initiator, notify: true)
        #expect(try await mover.waitForMessages(31) == (0...30).map { [UInt8($0)] })
        #expect(try await peer.waitForMessages(1) == [[40]])
        let status = try await mover.agent.status(of: ids.initiator)
        #expect(status.receivingRelays.count == 1)
        #expect(status.receivingRelays.map(\.address) != before)
        #expect(relays.map(\.queueCount).reduce(0, +) == 2)
        #expect(await mover.failures == [])
        #expect(await peer.failures == [])
        #expect(await mover.messages.allSatisfy { $0.integrity == .ok })
        await mover.stop()
        await peer.stop()
        for relay in relays { await relay.stop() }
    }

    @Test func `a move goes on after a restart`() async throws {
        let relays = [try await TestRelay(), try await TestRelay()]
        let mover = try await TestAgent(relays.map(\.address))
        let peer = try await TestAgent([relays[0].address])
        let ids = try await connect(mover, peer)
        try await mover.agent.moveQueue(of: ids.initiator)
        try await mover.wait("an offered queue") { $0.contains(.rotation(ids.initiator, .offered)) ? true : nil }
        await mover.stop()
        _ = try await peer.agent.send([1], on: ids.joiner, notify: true)
        let again = try await TestAgent(relays.map(\.address), folder: mover.folder)
        try await waitUntilMoved(again, ids.initiator)
        _ = try await peer.agent.send([2], on: ids.joiner, notify: true)
        #expect(try await again.waitForMessages(2) == [[1], [2]])
        #expect(relays.map(\.queueCount).reduce(0, +) == 2)
        #expect(await again.failures == [])
        await again.stop()
        await peer.stop()
        for relay in relays { await relay.stop() }
    }
}
