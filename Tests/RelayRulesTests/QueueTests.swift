import Cryptography
import Foundation
import RelayFixtures
import SMP
import SMPSession
import Testing

@testable import RelayRules

/// What commands do to queues (SMP fact sheet §9 and §12.1).
@Suite(.timeLimit(.minutes(5))) struct QueueTests {
    private let fixture = CoreFixture(quota: 3)
    private var recipient: CoreSession { fixture.session(1) }
    private var sender: CoreSession { fixture.session(2) }

    private func delivered(_ message: BrokerMessage) -> MessageID? {
        if case .message(let id, _) = message { id } else { nil }
    }

    private func pushed(_ pushes: [Push]) -> [MessageID] { pushes.compactMap { delivered($0.reply.brokerMessage) } }

    private func send(_ queue: CoreQueue, _ body: UInt8) throws -> (BrokerMessage?, [Push]) {
        let sender = sender
        let result = try sender.send([try sender.transmission(.send(notify: false, body: [body]), queue.senderID)])
        return (result.answers.first?.message, result.pushes)
    }

    @Test func `new repeats the mode in its flag`() throws {
        #expect(try recipient.makeQueue(link: .messaging(nil)).ids.mode == .messaging)
        #expect(try recipient.makeQueue(link: .contact(nil)).ids.mode == .contact)
    }

    @Test func `only the first of several messages is pushed`() throws {
        let queue = try recipient.makeQueue()
        #expect(pushed(try send(queue, 1).1).count == 1)
        #expect(pushed(try send(queue, 2).1).isEmpty)
    }

    @Test func `nothing is pushed without subscription`() throws {
        let queue = try recipient.makeQueue(subscribes: false)
        #expect(try send(queue, 1).1.isEmpty)
    }

    @Test func `ack answers with the next message`() throws {
        let queue = try recipient.makeQueue()
        let first = try #require(pushed(try send(queue, 1).1).first)
        _ = try send(queue, 2)
        let second = try #require(delivered(try queue.ask(.acknowledge(first), in: recipient)))
        #expect(second != first)
        #expect(try queue.ask(.acknowledge(second), in: recipient) == .ok)
        #expect(try queue.ask(.acknowledge(second), in: recipient) == .error(.noMessage))
    }

    @Test func `after an ack the next message is pushed again`() throws {
        let queue = try recipient.makeQueue()
        let first = try #require(pushed(try send(queue, 1).1).first)
        _ = try queue.ask(.acknowledge(first), in: recipient)
        #expect(pushed(try send(queue, 2).1).count == 1)
    }

    @Test func `an empty ack delivers the same message again`() throws {
        let queue = try recipient.makeQueue()
        let first = try #require(pushed(try send(queue, 1).1).first)
        #expect(delivered(try queue.ask(.acknowledge(MessageID([])), in: recipient)) == first)
        #expect(try queue.ask(.acknowledge(first), in: recipient) == .ok)
    }

    @Test func `sub sends the head as an event in the same block`() throws {
        let recipient = recipient
        let queue = try recipient.makeQueue(subscribes: false)
        _ = try send(queue, 1)
        let result = try recipient.send([
            try recipient.transmission(.subscribe, queue.recipientID, queue.recipientKey)
        ])
        #expect(result.blocks.count == 1)
        #expect(result.answers.first?.message == .ok)
        #expect(result.answers.last?.correlationID == CorrelationID.none)
        #expect(result.answers.last?.entity == queue.recipientID)
        #expect(delivered(try #require(result.answers.last?.message)) != nil)
    }

    @Test func `sub again delivers again`() throws {
        let recipient = recipient
        let queue = try recipient.makeQueue()
        let first = try #require(pushed(try send(queue, 1).1).first)
        let again = try recipient.send([
            try recipient.transmission(.subscribe, queue.recipientID, queue.recipientKey)
        ])
        #expect(again.answers.compactMap { delivered($0.message) } == [first])
    }

    @Test func `more than four subscriptions send messages afterwards`() throws {
        let recipient = recipient
        let queues = try (0..<5).map { _ in try recipient.makeQueue(subscribes: false) }
        for queue in queues { _ = try send(queue, 1) }
        let result = try recipient.send(
            queues.map { try recipient.transmission(.subscribe, $0.recipientID, $0.recipientKey) })
        #expect(result.blocks.first?.map(\.message) == Array(repeating: .ok, count: 5))
        #expect(result.blocks.dropFirst().map(\.count) == [1, 1, 1, 1, 1])
        #expect(result.blocks.dropFirst().flatMap { $0.map(\.entity) } == queues.map(\.recipientID))
    }

    @Test func `a later subscriber ends the earlier`() throws {
        let first = fixture.session(1)
        let second = fixture.session(3)
        let queue = try first.makeQueue()
        let message = try #require(pushed(try send(queue, 1).1).first)
        let result = try second.send([try second.transmission(.subscribe, queue.recipientID, queue.recipientKey)])
        #expect(result.pushes.map(\.session) == [1])
        #expect(result.pushes.map(\.reply.brokerMessage) == [.ended])
        #expect(result.answers.compactMap { delivered($0.message) } == [message])
        #expect(try queue.ask(.acknowledge(message), in: first) == .error(.noMessage))
        #expect(try queue.ask(.acknowledge(message), in: second) == .ok)
    }

    @Test func `a session's end keeps its messages`() throws {
        let queue = try recipient.makeQueue()
        let message = try #require(pushed(try send(queue, 1).1).first)
        fixture.core.withStore { $0.endSession(1) }
        #expect(try send(queue, 2).1.isEmpty)
        let second = fixture.session(3)
        let result = try second.send([try second.transmission(.subscribe, queue.recipientID, queue.recipientKey)])
        #expect(result.pushes.isEmpty)
        #expect(result.answers.compactMap { delivered($0.message) } == [message])
    }

    @Test func `the end of a displaced session does not touch the new subscriber`() throws {
        let queue = try recipient.makeQueue()
        let second = fixture.session(3)
        _ = try queue.ask(.subscribe, in: second)
        fixture.core.withStore { $0.endSession(1) }
        #expect(try send(queue, 1).1.map(\.session) == [3])
    }

    @Test func `get fetches one message and ack answers only OK`() throws {
        let recipient = recipient
        let queue = try recipient.makeQueue(subscribes: false)
        #expect(try queue.ask(.get, in: recipient) == .ok)
        _ = try send(queue, 1)
        _ = try send(queue, 2)
        let first = try #require(delivered(try queue.ask(.get, in: recipient)))
        #expect(delivered(try queue.ask(.get, in: recipient)) == first)
        #expect(try queue.ask(.acknowledge(first), in: recipient) == .ok)
        let second = try #require(delivered(try queue.ask(.get, in: recipient)))
        #expect(second != first)
    }

    @Test func `a full queue holds a marker and stays shut until it is empty`() throws {
        let queue = try recipient.makeQueue()
        var head = try #require(pushed(try send(queue, 1).1).first)
        for body in 2...3 as ClosedRange<UInt8> { #expect(try send(queue, body).0 == .ok) }
        for _ in 0..<3 { #expect(try send(queue, 9).0 == .error(.quota)) }
        #expect(
            fixture.core.withStore { $0.queues[queue.recipientID]?.messages.map(\.isMarker) }
                == [false, false, false, true])
        for _ in 0..<3 {
            head = try #require(delivered(try queue.ask(.acknowledge(head), in: recipient)))
            #expect(try send(queue, 9).0 == .error(.quota))
        }
        #expect(try queue.ask(.acknowledge(head), in: recipient) == .ok)
        #expect(try send(queue, 4).0 == .ok)
    }

    @Test func `the marker is sealed like a message`() throws {
        let secret = SecretBytes(Array(repeating: 5, count: 32))
        let marker = StoredMessage(id: .random(), body: .quota(time: 77))
        guard case .message(let id, let body) = Reply.delivery(marker, secret: secret).brokerMessage else {
            Issue.record("no message")
            return
        }
        #expect(body.count == SMPLimits.sealedMessageBody)
        #expect(try MessageBody(opening: body, secret: secret, id: id) == .quota(time: 77))
    }

    @Test func `expiry stops at the first young message or marker`() throws {
        var store = QueueStore(quota: 2)
        let key = AuthenticationPrivateKey.ed25519(.init())
        let agreement = try RelayEntropy.system.agreement(X25519.PrivateKey().publicKey)
        let request = QueueRequest(
            recipientKey: key.publicKey, agreementKey: agreement.publicKey, link: .messaging(nil))
        let made = store.create(
            request, correlationID: .random(), agreement: agreement, notifier: nil, session: 1)
        guard case .plain(.queue(let ids)) = made.reply else {
            Issue.record("no queue")
            return
        }
        for time in [100, 200, 300] as [Int64] {
            _ = store.send(ids.senderID, notify: false, body: [], limit: 10, time: time)
        }
        #expect(store.expire(before: 100) == 0)
        #expect(store.expire(before: 150) == 1)
        #expect(store.expire(before: 1_000) == 1)
        #expect(store.queues[ids.recipientID]?.messages.map(\.isMarker) == [true])
    }

    @Test func `del removes everything and tells the subscriber`() throws {
        let recipient = recipient
        let other = fixture.session(3)
        let queue = try recipient.makeQueue()
        let result = try other.send([try other.transmission(.delete, queue.recipientID, queue.recipientKey)])
        #expect(result.pushes.map(\.session) == [1])
        #expect(result.pushes.map(\.reply.brokerMessage) == [.deleted])
        #expect(try queue.ask(.subscribe, in: recipient) == .authenticationError)
        #expect(try queue.send(in: sender, secured: false) == .authenticationError)
        #expect(fixture.core.withStore { $0.queues.isEmpty && $0.senders.isEmpty })
    }

    @Test func `the deleting session gets no event`() throws {
        let recipient = recipient
        let queue = try recipient.makeQueue()
        let result = try recipient.send([
            try recipient.transmission(.delete, queue.recipientID, queue.recipientKey)
        ])
        #expect(result.pushes.isEmpty)
    }

    @Test func `notifiers are stored replaced and removed`() throws {
        let recipient = recipient
        let queue = try recipient.makeQueue()
        let key = AuthenticationPrivateKey.ed25519(.init())
        let keys = NotifierKeys(authenticationKey: key.publicKey, agreementKey: X25519.PrivateKey().publicKey)
        guard case .notifier(let first, _) = try queue.ask(.setNotifier(keys), in: recipient) else {
            Issue.record("no notifier")
            return
        }
        #expect(try recipient.ask(.subscribeNotifier, first, key) == .ok)
        #expect(try recipient.ask(.subscribeNotifier, first, queue.recipientKey) == .authenticationError)
        guard case .notifier(let second, _) = try queue.ask(.setNotifier(keys), in: recipient) else {
            Issue.record("no notifier")
            return
        }
        #expect(try recipient.ask(.subscribeNotifier, first, key) == .authenticationError)
        #expect(try recipient.ask(.subscribeNotifier, second, key) == .ok)
        #expect(try queue.ask(.deleteNotifier, in: recipient) == .ok)
        #expect(try recipient.ask(.subscribeNotifier, second, key) == .authenticationError)
    }

    @Test func `all commands of a block are authorised before the first is carried out`() throws {
        let sender = sender
        let queue = try recipient.makeQueue()
        let result = try sender.send([
            try sender.transmission(.secure(queue.senderKey.publicKey), queue.senderID, queue.senderKey),
            try sender.transmission(.send(notify: false, body: [1]), queue.senderID, queue.senderKey),
        ])
        // The refused command is answered in a block of its own.
        #expect(result.blocks.map { $0.map(\.message) } == [[.authenticationError], [.ok]])
    }

    @Test func `que tells state in JSON`() throws {
        let recipient = recipient
        let queue = try recipient.makeQueue()
        let message = try #require(pushed(try send(queue, 1).1).first)
        guard case .queueInfo(let json) = try queue.ask(.queueInfo, in: recipient) else {
            Issue.record("no information")
            return
        }
        let id = Data(message.bytes).base64EncodedString()
        #expect(
            String(decoding: json, as: UTF8.self) == """
                {"qiSub":{"qSubThread":"noSub","qDelivered":"\(id)"},"qiSnd":false,"qiNtf":false,"qiSize":1,\
                "qiMsg":{"msgId":"\(id)","msgTs":"2023-11-14T22:13:20Z","msgType":"message"}}
                """)
    }

    @Test func `message IDs in information are in standard Base64`() {
        let id = MessageID(Array(repeating: [0xFB, 0xEF, 0xFF], count: 8).flatMap { $0 })
        var queue = StoredQueue(
            number: 1, recipientID: .random(), senderID: .random(), recipientKeys: [], secret: .random(32), mode: nil)
        queue.messages.append(StoredMessage(id: id, body: .message(time: 0, notify: false, body: [])))
        let entry = SessionEntry(kind: .subscribed, delivered: id)
        let json = QueueInformation.json(queue, entry: entry)
        let text = String(repeating: "++//", count: 8)
        #expect(json.contains("\"qDelivered\":\"\(text)\""))
        #expect(json.contains("\"msgId\":\"\(text)\""))
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (951_782_399, "2000-02-28T23:59:59Z"), (951_782_400, "2000-02-29T00:00:00Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"), (-1, "1969-12-31T23:59:59Z"),
        ] as [(Int64, String)])
    func `timestamps are calendar dates`(seconds: Int64, text: String) {
        #expect(QueueInformation.timestamp(seconds) == text)
    }
}
