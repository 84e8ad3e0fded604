import SMP
import Testing

@testable import Agent

/// Short links over real relays of SMP version 15 and later.
@Suite(.timeLimit(.minutes(5))) struct AgentShortLinkTests {
    @Test(arguments: [15, 16, 17])
    func `a short invitation connects`(version: UInt16) async throws {
        let relay = try await TestRelay(versions: 9...17)
        let initiator = try await TestAgent([relay.address], version: version)
        let joiner = try await TestAgent([relay.address], version: version)
        let (own, link) = try await initiator.agent.makeShortInvitation(data: [1, 2])
        #expect(link.hasPrefix("simplex:/i#"))
        #expect(link.utf8.count < 250)
        let joined = try await joiner.agent.join(link: link, info: [3])
        let (confirmed, info) = try await initiator.waitForConfirmation()
        #expect(confirmed == own)
        #expect(info == [3])
        try await initiator.agent.allow(own, info: [4])
        try await initiator.waitUntilConnected(own)
        try await joiner.waitUntilConnected(joined)
        _ = try await joiner.agent.send([9], on: joined, notify: true)
        #expect(try await initiator.waitForMessages(1) == [[9]])
        #expect(await initiator.failures == [])
        #expect(await joiner.failures == [])
        for agent in [initiator, joiner] { await agent.stop() }
        await relay.stop()
    }

    @Test func `a short address is opened by many and an invitation by one`() async throws {
        let relay = try await TestRelay(versions: 9...17)
        let owner = try await TestAgent([relay.address], version: 17)
        let address = try await owner.agent.makeShortAddress()
        #expect(address.link.hasPrefix("simplex:/a#"))
        #expect(try await owner.agent.addresses() == [address])
        let (_, invitation) = try await owner.agent.makeShortInvitation()
        let guests = [
            try await TestAgent([relay.address], version: 17), try await TestAgent([relay.address], version: 17),
        ]
        for guest in guests { _ = try await guest.agent.join(link: address.link, info: [1]) }
        try await owner.wait("two requests") { events in
            events.filter { if case .request = $0 { true } else { false } }.count == 2 ? true : nil
        }
        _ = try await guests[0].agent.join(link: invitation, info: [])
        await #expect(throws: AgentError.peerGone) { try await guests[1].agent.join(link: invitation, info: []) }
        for agent in guests + [owner] { await agent.stop() }
        await relay.stop()
    }

    @Test func `a relay that is too old is named so`() async throws {
        let relay = try await TestRelay()
        let agent = try await TestAgent([relay.address], version: 14)
        await #expect(throws: AgentError.shortLinksUnsupported) { try await agent.agent.makeShortInvitation() }
        await agent.stop()
        await relay.stop()
    }
}
