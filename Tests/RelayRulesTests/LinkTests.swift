import Cryptography
import RelayFixtures
import SMP
import Testing

@testable import RelayRules

/// Short links, from version 15.
@Suite(.timeLimit(.minutes(5))) struct LinkTests {
    private let fixture = CoreFixture()
    private var session: CoreSession { fixture.session(1, version: 17) }
    private let data = LinkData(fixed: [1, 2], user: [3])

    private func make(
        _ link: (EntityID) -> QueueRequest.Link, in session: CoreSession, senderID: EntityID? = nil
    ) throws -> (BrokerMessage, AuthenticationPrivateKey) {
        let key = AuthenticationPrivateKey.ed25519(.init())
        let id = CorrelationID.random()
        let request = QueueRequest(
            recipientKey: key.publicKey, agreementKey: X25519.PrivateKey().publicKey,
            link: link(senderID ?? .sender(for: id)))
        let result = try session.send([try session.transmission(.new(request), .none, key, correlationID: id)])
        return (try #require(result.answers.first?.message), key)
    }

    private func queue(_ message: BrokerMessage) throws -> QueueIDs {
        guard case .queue(let ids) = message else { throw SMPError.internalError }
        return ids
    }

    @Test func `a one time link secures the queue and is gone after the first message`() throws {
        let session = session
        let (answer, _) = try make({ .messaging(.init(senderID: $0, data: data)) }, in: session)
        let ids = try queue(answer)
        let link = try #require(ids.linkID)
        let key = AuthenticationPrivateKey.ed25519(.init())
        let expected = BrokerMessage.link(senderID: ids.senderID, data)
        #expect(try session.ask(.getLink, link) == .authenticationError)
        #expect(try session.ask(.secureAndGetLink(key.publicKey), link, key) == expected)
        #expect(try session.ask(.secureAndGetLink(key.publicKey), link, key) == expected)
        let other = AuthenticationPrivateKey.ed25519(.init())
        #expect(try session.ask(.secureAndGetLink(other.publicKey), link, other) == .authenticationError)
        #expect(try session.ask(.send(notify: false, body: [1]), ids.senderID, key) == .ok)
        #expect(try session.ask(.secureAndGetLink(key.publicKey), link, key) == .authenticationError)
    }

    @Test func `a contact link is read by anybody and changed by its owner`() throws {
        let session = session
        let link = EntityID.random()
        let (answer, key) = try make({ .contact(.init(linkID: link, senderID: $0, data: data)) }, in: session)
        let ids = try queue(answer)
        #expect(ids.linkID == link)
        #expect(try session.ask(.getLink, link) == .link(senderID: ids.senderID, data))
        let changed = LinkData(fixed: data.fixed, user: [9])
        #expect(try session.ask(.setLinkData(linkID: link, changed), ids.recipientID, key) == .ok)
        #expect(try session.ask(.getLink, link) == .link(senderID: ids.senderID, changed))
        let forged = LinkData(fixed: [0], user: [9])
        #expect(try session.ask(.setLinkData(linkID: link, forged), ids.recipientID, key) == .authenticationError)
        #expect(
            try session.ask(.setLinkData(linkID: .random(), changed), ids.recipientID, key) == .authenticationError)
        #expect(try session.ask(.deleteLinkData, ids.recipientID, key) == .ok)
        #expect(try session.ask(.getLink, link) == .authenticationError)
    }

    @Test func `a sender ID must follow from the correlation ID`() throws {
        let (answer, _) = try make(
            { .messaging(.init(senderID: $0, data: data)) }, in: session, senderID: .random())
        #expect(answer == .error(.command(.prohibited)))
    }

    @Test func `a taken link ID gets auth`() throws {
        let session = session
        let link = EntityID.random()
        _ = try make({ .contact(.init(linkID: link, senderID: $0, data: data)) }, in: session)
        let (second, _) = try make({ .contact(.init(linkID: link, senderID: $0, data: data)) }, in: session)
        #expect(second == .authenticationError)
    }

    @Test func `recipient keys of contact queues can be replaced`() throws {
        let session = session
        let queue = try session.makeQueue(link: .contact(nil))
        let second = AuthenticationPrivateKey.ed25519(.init())
        let third = AuthenticationPrivateKey.x25519(.init())
        #expect(try queue.ask(.setRecipientKeys([second.publicKey, third.publicKey]), in: session) == .ok)
        #expect(try session.ask(.subscribe, queue.recipientID, queue.recipientKey) == .authenticationError)
        #expect(try session.ask(.subscribe, queue.recipientID, second) == .subscribed(serviceID: nil))
        #expect(try session.ask(.subscribe, queue.recipientID, third) == .subscribed(serviceID: nil))
        let messaging = try session.makeQueue()
        #expect(try messaging.ask(.setRecipientKeys([second.publicKey]), in: session) == .authenticationError)
    }

    @Test(arguments: [(4, true), (5, false), (255, false)])
    func `recipient keys are limited for each costs a verification`(count: Int, isTaken: Bool) throws {
        let session = session
        let queue = try session.makeQueue(link: .contact(nil))
        let keys = (1..<count).map { _ in AuthenticationPrivateKey.x25519(.init()).publicKey }
        let answer = try queue.ask(.setRecipientKeys(keys + [queue.recipientKey.publicKey]), in: session)
        #expect(answer == (isTaken ? .ok : .authenticationError))
        #expect(try queue.ask(.subscribe, in: session) == .subscribed(serviceID: nil))
    }

    @Test func `a notifier can come with the queue`() throws {
        let session = session
        let key = AuthenticationPrivateKey.ed25519(.init())
        let notifier = AuthenticationPrivateKey.ed25519(.init())
        let keys = NotifierKeys(authenticationKey: notifier.publicKey, agreementKey: X25519.PrivateKey().publicKey)
        let request = QueueRequest(
            recipientKey: key.publicKey, agreementKey: X25519.PrivateKey().publicKey, link: .messaging(nil),
            notifier: keys)
        let ids = try queue(try session.ask(.new(request), .none, key))
        let id = try #require(ids.notifier?.id)
        #expect(try session.ask(.subscribeNotifier, id, notifier) == .subscribed(serviceID: nil))
    }
}
