import Cryptography
import DequeModule
import SMP
import SMPSession

/// A message in a queue, or the marker that says the queue was full.
package struct StoredMessage: Sendable, Equatable {
    package enum Content: Sendable, Equatable {
        case marker
        /// `count`: bytes of the body.
        case message(notify: Bool, count: Int)
    }

    /// Names the message on disk and orders it among all of the relay.
    package let number: Int64
    package let id: MessageID
    /// Arrival, seconds since 1970.
    package let time: Int64
    /// Arrival by the relay's age, which no clock's jump changes, in seconds.
    package let seen: Int64
    package let content: Content
    /// Where it came from; known since the start only, and on no disk.
    package var origin: ConnectionOrigin?
    /// Nil while it is on disk only.
    private var bytes: [UInt8]?

    /// A message as it arrives.
    ///
    /// - Parameter seen: nil where the relay's age is as good as the clock.
    package init(
        number: Int64 = 0, id: MessageID, body: MessageBody, seen: Int64? = nil, origin: ConnectionOrigin? = nil
    ) {
        self.number = number
        self.id = id
        self.origin = origin
        switch body {
        case .quota(let time): (self.time, content, bytes) = (time, .marker, nil)
        case .message(let time, let notify, let body):
            (self.time, content, bytes) = (time, .message(notify: notify, count: body.count), body)
        }
        self.seen = seen ?? time
    }

    /// A message that is on disk.
    package init(number: Int64, id: MessageID, time: Int64, seen: Int64, content: Content) {
        self.number = number
        self.id = id
        self.time = time
        self.seen = seen
        self.content = content
    }

    var isMarker: Bool { content == .marker }

    /// Bytes of the body.
    var bodyCount: Int { if case .message(_, let count) = content { count } else { 0 } }

    /// Whether it can be delivered without the disk.
    package var isInMemory: Bool { isMarker || bytes != nil }

    /// What is sealed for the recipient; nil while it is on disk only.
    package var body: MessageBody? {
        switch content {
        case .marker: .quota(time: time)
        case .message(let notify, _): bytes.map { .message(time: time, notify: notify, body: $0) }
        }
    }

    /// Leaves the body to the disk.
    mutating func dropBody() { bytes = nil }

    /// The same message with its body from the disk.
    package func with(_ bytes: [UInt8]) -> StoredMessage {
        var message = self
        message.bytes = bytes
        return message
    }
}

/// One queue: its keys, its messages and who listens (SMP fact sheet §12.1).
package struct StoredQueue: Sendable {
    package enum Status: Sendable, Equatable {
        case active
        case off
        case blocked(SMPError.BlockingInfo)
    }

    /// What few queues have, so that the others need no room for it.
    private final class Held<Value: Sendable>: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    package struct Link: Sendable {
        package var id: EntityID
        package var data: LinkData

        package init(id: EntityID, data: LinkData) {
            self.id = id
            self.data = data
        }
    }

    package struct Notifier: Sendable {
        package var id: EntityID
        package var key: AuthenticationPublicKey
        /// Seals what notifications tell.
        package var secret: SecretBytes

        package init(id: EntityID, key: AuthenticationPublicKey, secret: SecretBytes) {
            self.id = id
            self.key = key
            self.secret = secret
        }
    }

    /// Each command is checked against all recipient keys, so that there can't be as many as RKEY has room for.
    static let maximumRecipientKeys = 4

    /// Relays before that limit kept as many as RKEY has room for. All of them stay: which ones the owner still has is not to
    /// be told, and without them a contact address is lost. Each command is charged for each key it is checked against
    /// (``CommandVerifier/cost(_:_:)``), so they cost the one who asks, and the next RKEY is held to the limit.
    static let maximumStoredKeys = 255

    /// Names the queue on disk.
    package let number: Int64
    package let recipientID: EntityID
    package let senderID: EntityID
    /// Any of them may authenticate the recipient.
    package var recipientKeys: [AuthenticationPublicKey]
    /// Seals messages for the recipient.
    package let secret: SecretBytes
    package let mode: QueueMode?
    package var senderKey: AuthenticationPublicKey?
    private var heldLink: Held<Link>?
    private var heldNotifier: Held<Notifier>?
    package var status = Status.active
    package var messages: Deque<StoredMessage> = []
    /// False from the marker on, until the queue is empty.
    package var canWrite = true
    var subscriber: SessionNumber?
    /// Its place among all queues.
    package var place = 0
    /// Where it was made from; known since the start only, and on no disk.
    package var origin: ConnectionOrigin?

    package var link: Link? {
        get { heldLink?.value }
        set { heldLink = newValue.map { Held($0) } }
    }

    package var notifier: Notifier? {
        get { heldNotifier?.value }
        set { heldNotifier = newValue.map { Held($0) } }
    }

    /// A queue without messages, to which nobody listens.
    package init(
        number: Int64, recipientID: EntityID, senderID: EntityID, recipientKeys: [AuthenticationPublicKey],
        secret: SecretBytes, mode: QueueMode?
    ) {
        self.number = number
        self.recipientID = recipientID
        self.senderID = senderID
        self.recipientKeys = recipientKeys
        self.secret = secret
        self.mode = mode
    }

    /// Forgets the link of a queue that its sender has found and secured.
    ///
    /// - Returns: the link.
    mutating func takeUsedLink() -> Link? {
        guard mode == .messaging, senderKey != nil else { return nil }
        defer { link = nil }
        return link
    }

    /// Takes a message in.
    ///
    /// - Parameter canWrite: whether more may follow.
    mutating func append(_ message: StoredMessage, canWrite: Bool) {
        messages.append(message)
        self.canWrite = canWrite
    }

    /// Drops the first message, if it is this one.
    ///
    /// - Returns: what was dropped.
    mutating func removeFirst(_ message: MessageID) -> StoredMessage? {
        messages.first?.id == message ? messages.removeFirst() : nil
    }
}

/// Names a session within one relay.
package typealias SessionNumber = UInt64

/// What one session does with one queue.
struct SessionEntry: Sendable {
    enum Kind { case subscribed, getOnly }

    let kind: Kind
    /// The message that was delivered and not acknowledged.
    var delivered: MessageID?
}
