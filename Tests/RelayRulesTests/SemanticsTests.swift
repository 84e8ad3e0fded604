import Cryptography
import RelayFixtures
import SMP
import Testing

@testable import RelayRules

/// Lines of SMP fact sheet §9 that no other suite has.
@Suite(.timeLimit(.minutes(5))) struct SemanticsTests {
    private let fixture = CoreFixture()
    private var session: CoreSession { fixture.session(1, version: 17) }

    @Test func `a message carries time flag and body in a fixed size`() throws {
        let agreement = X25519.PrivateKey()
        let key = AuthenticationPrivateKey.ed25519(.init())
        let request = QueueRequest(
            recipientKey: key.publicKey, agreementKey: agreement.publicKey, link: .messaging(nil))
        guard case .queue(let ids) = try session.ask(.new(request), .none, key) else {
            Issue.record("no queue")
            return
        }
        for (notify, body) in [(true, []), (false, [UInt8](repeating: 9, count: 16_048))] {
            _ = try session.ask(.send(notify: notify, body: body), ids.senderID)
            _ = try session.ask(.subscribe, ids.recipientID, key)
            let head = try #require(fixture.core.withStore { $0.queues[ids.recipientID]?.messages.first })
            let secret = try agreement.sharedSecret(with: ids.serverKey)
            guard case .message(let id, let sealed) = Reply.delivery(head, secret: secret).brokerMessage else {
                Issue.record("no message")
                return
            }
            #expect(sealed.count == 16_122)
            let opened = try MessageBody(opening: sealed, secret: secret, id: id)
            #expect(opened == .message(time: 1_700_000_000, notify: notify, body: body))
            _ = try session.ask(.acknowledge(id), ids.recipientID, key)
        }
    }

    @Test func `flags of later versions are ignored`() throws {
        let queue = try session.makeQueue(subscribes: false)
        for flags in ["T", "F", "TX", "Fabc"] {
            let transmission = Transmission(
                correlationID: .random(), entityID: queue.senderID, command: Array("SEND \(flags) hello".utf8))
            #expect(try session.send([transmission]).answers.map(\.message) == [.ok])
        }
        let bodies = fixture.core.withStore { $0.queues[queue.recipientID]?.messages.map(\.body) }
        #expect(bodies?.allSatisfy { if case .message(_, _, Array("hello".utf8)) = $0 { true } else { false } } == true)
    }

    @Test(arguments: [(15, BrokerMessage.ok), (16, .subscribed(serviceID: nil))] as [(UInt16, BrokerMessage)])
    func `sub is answered by its version`(version: UInt16, answer: BrokerMessage) throws {
        let session = fixture.session(1, version: SMPVersion(rawValue: version))
        let queue = try session.makeQueue(subscribes: false)
        #expect(try queue.ask(.subscribe, in: session) == answer)
    }

    @Test func `del removes links notifiers and messages`() throws {
        let session = session
        let id = CorrelationID.random()
        let key = AuthenticationPrivateKey.ed25519(.init())
        let keys = NotifierKeys(authenticationKey: key.publicKey, agreementKey: X25519.PrivateKey().publicKey)
        let link = EntityID.random()
        let request = QueueRequest(
            recipientKey: key.publicKey, agreementKey: X25519.PrivateKey().publicKey,
            link: .contact(.init(linkID: link, senderID: .sender(for: id), data: LinkData(fixed: [1], user: [2]))),
            notifier: keys)
        let made = try session.send([try session.transmission(.new(request), .none, key, correlationID: id)])
        guard case .queue(let ids) = made.answers.first?.message, let notifier = ids.notifier?.id else {
            Issue.record("no queue")
            return
        }
        _ = try session.ask(.send(notify: true, body: [1]), ids.senderID)
        #expect(try session.ask(.delete, ids.recipientID, key) == .ok)
        #expect(try session.ask(.getLink, link) == .authenticationError)
        #expect(try session.ask(.subscribeNotifier, notifier, key) == .authenticationError)
        #expect(try session.ask(.send(notify: true, body: [1]), ids.senderID) == .authenticationError)
        #expect(
            fixture.core.withStore { store in
                store.queues.isEmpty && store.senders.isEmpty && store.links.isEmpty && store.notifiers.isEmpty
                    && store.desk.pending.isEmpty && store.messageCount == 0
            })
    }

    @Test func `the whole drain reopens a full queue`() throws {
        let fixture = CoreFixture(quota: 128)
        let session = fixture.session(1)
        let queue = try session.makeQueue(subscribes: false)
        for _ in 0..<128 { #expect(try queue.send(in: session, secured: false) == .ok) }
        #expect(try queue.send(in: session, secured: false) == .error(.quota))
        var taken = 0
        while case .message(let id, _) = try queue.ask(.get, in: session) {
            // Even with the marker alone left the queue is shut.
            #expect(try queue.send(in: session, secured: false) == .error(.quota))
            _ = try queue.ask(.acknowledge(id), in: session)
            taken += 1
        }
        #expect(taken == 129)
        #expect(try queue.send(in: session, secured: false) == .ok)
    }

    @Test func `an expired delivery can still be acknowledged`() throws {
        let session = session
        let queue = try session.makeQueue()
        let pushes = try session.send([try session.transmission(.send(notify: false, body: [1]), queue.senderID)])
            .pushes
        guard case .message(let id, _) = pushes.first?.reply.brokerMessage else {
            Issue.record("nothing was delivered")
            return
        }
        #expect(fixture.core.withStore { $0.expire(before: .max) } == 1)
        #expect(try queue.send([2], in: session, secured: false) == .ok)
        guard case .message(let next, _) = try queue.ask(.acknowledge(id), in: session) else {
            Issue.record("the next message is not delivered")
            return
        }
        #expect(next != id)
    }

    @Test func `one session may poll while another is subscribed`() throws {
        let subscriber = fixture.session(1)
        let poller = fixture.session(2)
        let queue = try subscriber.makeQueue()
        try queue.send(in: poller, secured: false)
        guard case .message(let id, _) = try queue.ask(.get, in: poller) else {
            Issue.record("nothing to get")
            return
        }
        // The first to acknowledge removes it; for the other it is then gone, which is no fault.
        #expect(try queue.ask(.acknowledge(id), in: poller) == .ok)
        #expect(try queue.ask(.acknowledge(id), in: subscriber) == .ok)
        #expect(try queue.send([2], in: poller, secured: false) == .ok)
    }

    @Test func `a command of a later version than the session's is understood`() throws {
        let session = fixture.session(1, version: 9)
        let queue = try session.makeQueue(link: .contact(nil))
        let link = EntityID.random()
        let data = LinkData(fixed: [1], user: [2])
        #expect(try queue.ask(.setLinkData(linkID: link, data), in: session) == .ok)
        #expect(try session.ask(.getLink, link) == .link(senderID: queue.senderID, data))
    }
}
