import SMP
import Testing

@testable import Agent

/// Contact addresses over a real relay.
@Suite(.timeLimit(.minutes(5))) struct AgentAddressTests {
    private func request(_ agent: TestAgent) async throws -> ContactRequest {
        try await agent.wait("a request") { events in
            events.lazy.compactMap { if case .request(let request) = $0 { request } else { nil } }.first
        }
    }

    @Test func `somebody asks and is accepted`() async throws {
        let relay = try await TestRelay()
        let owner = try await TestAgent([relay.address])
        let requester = try await TestAgent([relay.address])
        let address = try await owner.agent.makeAddress()
        #expect(try await owner.agent.addresses() == [address])
        #expect(try await owner.agent.connections() == [])

        let asking = try await requester.agent.join(link: address.link, info: [1])
        let request = try await request(owner)
        #expect(request.information == [1])
        #expect(request.address == address.id)
        let accepted = try await owner.agent.accept(request.id, info: [2])
        await #expect(throws: AgentError.unknownRequest) { try await owner.agent.accept(request.id, info: [2]) }
        let (confirmed, information) = try await requester.waitForConfirmation()
        #expect(confirmed == asking)
        #expect(information == [2])
        try await requester.agent.allow(asking, info: [3])
        try await requester.waitUntilConnected(asking)
        try await owner.waitUntilConnected(accepted)
        _ = try await owner.agent.send([7], on: accepted, notify: true)
        #expect(try await requester.waitForMessages(1) == [[7]])
        #expect(await owner.failures == [])
        #expect(await requester.failures == [])

        // The address goes, the contact stays.
        try await owner.agent.delete(address.id)
        try await owner.waitUntilForgotten(address.id)
        _ = try await requester.agent.send([8], on: asking, notify: true)
        #expect(try await owner.waitForMessages(1) == [[8]])
        let late = try await TestAgent([relay.address])
        let refused = try await late.agent.join(link: address.link, info: [])
        let (failed, _, error) = try await late.waitForFailure()
        #expect(failed == refused)
        #expect(error == .peerGone)
        for agent in [owner, requester, late] { await agent.stop() }
        await relay.stop()
    }

    @Test func `an unanswered request comes again after a restart until it is rejected`() async throws {
        let relay = try await TestRelay()
        let owner = try await TestAgent([relay.address])
        let requester = try await TestAgent([relay.address])
        let address = try await owner.agent.makeAddress()
        _ = try await requester.agent.join(link: address.link, info: [1])
        let first = try await request(owner)
        await owner.stop()
        let again = try await TestAgent([relay.address], folder: owner.folder)
        #expect(try await request(again) == first)
        try await again.agent.reject(first.id)
        #expect(try await again.agent.requests() == [])
        await #expect(throws: AgentError.unknownRequest) { try await again.agent.reject(first.id) }
        #expect(try await again.agent.connections() == [])
        for agent in [again, requester] { await agent.stop() }
        await relay.stop()
    }
}
