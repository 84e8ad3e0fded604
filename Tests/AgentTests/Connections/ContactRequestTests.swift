import Testing

@testable import Agent
@testable import AgentProtocol

/// A contact address and somebody who asks there, without a relay.
@Suite(.timeLimit(.minutes(5))) struct ContactRequestTests {
    private let information = Array("who asks".utf8)

    private func requests(_ party: StepParty) -> [ContactRequest] {
        party.events.compactMap { if case .request(let request) = $0 { request } else { nil } }
    }

    private func asked() throws -> (address: StepParty, requester: StepParty) {
        let (address, link) = try StepParty.address()
        let requester = try StepParty.opener(of: link, info: information)
        try requester.runRelaySteps()
        return (address, requester)
    }

    private func invitation(at address: StepParty) throws -> ConnectionLink {
        let request = try #require(try address.store.read { try $0.requests().first })
        return try ConnectionLink(decoding: request.link)
    }

    @Test func `a request is unsigned and reaches the owner with its information`() throws {
        let (address, requester) = try asked()
        let number = try #require(requester.wanted.first)
        let attempt = try #require(try requester.attempt(number))
        #expect(!attempt.isSigned)
        #expect(attempt.notify)
        #expect(attempt.body.count == 15_992)
        try address.deliver(attempt.body)
        #expect(requests(address).map(\.information) == [information])
        #expect(try requester.state == .requesting)
        try requester.accepted(number)
        #expect(try requester.state == .invited)
    }

    @Test func `an accepted request connects`() throws {
        let (address, requester) = try asked()
        try requester.flush(to: address)
        let owner = try StepParty.opener(of: try invitation(at: address), info: [5])
        try owner.flush(to: requester)
        #expect(requester.events.last == .confirmation(requester.id, information: [5]))
        try requester.allow([6])
        try requester.flush(to: owner)
        #expect(owner.events == [.information(owner.id, information: [6]), .connected(owner.id)])
        #expect(requester.events.last == .connected(requester.id))
        try owner.queue([1])
        try requester.queue([2])
        try owner.flush(to: requester)
        try requester.flush(to: owner)
        #expect(try requester.bodies() == [[1]])
        #expect(try owner.bodies() == [[2]])
    }

    @Test func `the same request again is told once`() throws {
        let (address, requester) = try asked()
        let number = try #require(requester.wanted.first)
        for _ in 0..<3 { try address.deliver(try #require(try requester.attempt(number)).body) }
        // After a crash the same bytes go out again.
        try requester.restart()
        try requester.flush(to: address)
        #expect(requests(address).count == 1)
        #expect(!address.events.contains { if case .failed = $0 { true } else { false } })
    }

    @Test func `two requesters are two requests`() throws {
        let (address, link) = try StepParty.address()
        for _ in 0..<2 { try StepParty.opener(of: link, info: information).flush(to: address) }
        #expect(requests(address).count == 2)
        #expect(try address.store.read { try $0.requests().count } == 2)
    }

    @Test func `the answer may overtake the request's OK`() throws {
        let (address, requester) = try asked()
        let number = requester.wanted.removeFirst()
        try address.deliver(try #require(try requester.attempt(number)).body)
        let owner = try StepParty.opener(of: try invitation(at: address), info: [5])
        try owner.flush(to: requester)
        #expect(try requester.state == .confirmed)
        // The request is forgotten; what is left of it in memory sends nothing.
        #expect(try requester.attempt(number) == nil)
        try requester.accepted(number)
        try requester.allow([6])
        try requester.flush(to: owner)
        #expect(owner.events.last == .connected(owner.id))
    }

    @Test func `anything else at an address is reported and dropped`() throws {
        let (address, link) = try StepParty.address()
        let (_, invitation) = try StepParty.initiator(isFast: true)
        let queue = try SendQueueRecord(connection: ConnectionID.random(), to: try #require(link.queue.info()))
        let key = try #require(try? QueueEnvelopeKey(queue))
        let contents: [AgentEnvelope.Content] = [
            .message(encrypted: [1]), .confirmation(parameters: nil, encrypted: [1]),
            .invitation(link: link, information: []),
        ]
        for content in contents { try address.deliver(try key.seal(content, version: 7)) }
        try address.deliver(try key.seal(.invitation(link: invitation, information: []), version: 99))
        #expect(requests(address).isEmpty)
        let unexpected = AgentEvent.failed(address.id, nil, .unexpectedMessage)
        #expect(
            address.events == [unexpected, unexpected, unexpected, .failed(address.id, nil, .incompatibleVersion)])
    }
}
