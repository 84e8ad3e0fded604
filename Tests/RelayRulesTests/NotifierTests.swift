import Cryptography
import RelayFixtures
import SMP
import Testing

@testable import RelayRules

/// What notification servers are told (SMP fact sheet §14).
@Suite(.timeLimit(.minutes(5))) struct NotifierTests {
    private let fixture = CoreFixture(quota: 2)
    private var recipient: CoreSession { fixture.session(1, version: 17) }
    private var server: CoreSession { fixture.session(5, version: 17) }

    /// A queue with a notifier, and what its server and its recipient know.
    private struct Notified {
        let queue: CoreQueue
        let notifierID: EntityID
        let key: AuthenticationPrivateKey
        let agreement: X25519.PrivateKey
        let serverKey: X25519.PublicKey

        /// What a notification says, opened by the recipient.
        func meta(_ message: BrokerMessage?) throws -> NotificationMeta {
            guard case .notification(let nonce, let meta) = message else { throw SMPError.internalError }
            return try NotificationMeta(
                opening: meta, secret: agreement.sharedSecret(with: serverKey), nonce: nonce)
        }
    }

    private func make() throws -> Notified {
        let queue = try recipient.makeQueue(subscribes: false)
        let key = AuthenticationPrivateKey.ed25519(.init())
        let agreement = X25519.PrivateKey()
        let keys = NotifierKeys(authenticationKey: key.publicKey, agreementKey: agreement.publicKey)
        guard case .notifier(let id, let serverKey) = try queue.ask(.setNotifier(keys), in: recipient) else {
            throw SMPError.internalError
        }
        return Notified(queue: queue, notifierID: id, key: key, agreement: agreement, serverKey: serverKey)
    }

    private func send(_ notified: Notified, notify: Bool = true) throws -> [Push] {
        let sender = fixture.session(2)
        return try sender.send([
            try sender.transmission(.send(notify: notify, body: [1]), notified.queue.senderID)
        ]).pushes
    }

    private func subscribe(_ notified: Notified, _ session: CoreSession) throws -> (
        events: [BrokerMessage], pushes: [Push]
    ) {
        let result = try session.send([
            try session.transmission(.subscribeNotifier, notified.notifierID, notified.key)
        ])
        #expect(result.answers.first?.message == .subscribed(serviceID: nil))
        #expect(result.answers.allSatisfy { $0.entity == notified.notifierID })
        return (result.answers.dropFirst().map(\.message), result.pushes)
    }

    @Test func `a subscribed server is told at once of which message`() throws {
        let notified = try make()
        #expect(try subscribe(notified, server).events.isEmpty)
        let pushes = try send(notified)
        #expect(pushes.map(\.session) == [5])
        #expect(pushes.map(\.entity) == [notified.notifierID])
        let meta = try notified.meta(pushes.first?.reply.brokerMessage)
        let head = fixture.core.withStore { $0.queues[notified.queue.recipientID]?.messages.first }
        #expect(meta == NotificationMeta(messageID: try #require(head).id, time: 1_700_000_000))
    }

    @Test func `only messages that ask for it are notified`() throws {
        let notified = try make()
        _ = try subscribe(notified, server)
        #expect(try send(notified, notify: false).isEmpty)
    }

    @Test func `the quota marker is not notified`() throws {
        let notified = try make()
        _ = try subscribe(notified, server)
        let counts = try (0..<3).map { _ in try send(notified).count }
        #expect(counts == [1, 1, 0])
    }

    @Test func `what waited comes with the subscription and only once`() throws {
        let notified = try make()
        #expect(try send(notified).isEmpty)
        #expect(try send(notified).isEmpty)
        #expect(try subscribe(notified, server).events.count == 2)
        #expect(try subscribe(notified, server).events.isEmpty)
    }

    @Test func `an acknowledged message is not notified any more`() throws {
        let notified = try make()
        _ = try send(notified)
        guard case .message(let id, _) = try notified.queue.ask(.get, in: recipient) else {
            Issue.record("no message")
            return
        }
        _ = try notified.queue.ask(.acknowledge(id), in: recipient)
        #expect(try subscribe(notified, server).events.isEmpty)
    }

    @Test func `a later server displaces the first`() throws {
        let notified = try make()
        _ = try subscribe(notified, server)
        let pushes = try subscribe(notified, fixture.session(6, version: 17)).pushes
        #expect(pushes.map(\.session) == [5])
        #expect(pushes.map(\.entity) == [notified.notifierID])
        #expect(pushes.map(\.reply.brokerMessage) == [.ended])
        #expect(try send(notified).map(\.session) == [6])
    }

    @Test func `a server that left is told when it comes back`() throws {
        let notified = try make()
        _ = try subscribe(notified, server)
        fixture.core.withStore { $0.endSession(5) }
        #expect(try send(notified).isEmpty)
        #expect(try subscribe(notified, server).events.count == 1)
    }

    @Test(arguments: [Command.deleteNotifier, .delete]) func `the server learns that its notifier is gone`(
        command: Command
    )
        throws
    {
        let notified = try make()
        _ = try subscribe(notified, server)
        let recipient = recipient
        let result = try recipient.send([
            try recipient.transmission(command, notified.queue.recipientID, notified.queue.recipientKey)
        ])
        #expect(result.pushes.map(\.entity) == [notified.notifierID])
        #expect(result.pushes.map(\.reply.brokerMessage) == [.deleted])
    }

    @Test func `waiting notifications are bounded and expire`() {
        var desk = NotifierDesk()
        let notifier = EntityID.random()
        for time in 0..<100 as Range<Int64> {
            desk.add(.init(message: .random(), time: time, seen: time), for: notifier)
        }
        #expect(desk.pending[notifier]?.map(\.time) == Array(100 - Int64(NotifierDesk.maximumPending)..<100))
        desk.expire(before: 99, of: notifier)
        #expect(desk.pending[notifier]?.map(\.time) == [99])
        desk.expire(before: 100, of: notifier)
        #expect(desk.pending.isEmpty)
    }
}
