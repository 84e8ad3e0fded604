import Cryptography
import DequeModule
import SMP

/// A message in a queue, or the marker that says the queue was full.
struct StoredMessage: Sendable, Equatable {
    /// Names the message on disk and orders it among all of the relay.
    var number: Int64 = 0
    let id: MessageID
    let body: MessageBody

    /// Arrival, seconds since 1970.
    var time: Int64 {
        switch body {
        case .message(let time, _, _), .quota(let time): time
        }
    }

    var isMarker: Bool { if case .quota = body { true } else { false } }
}

/// One queue: its keys, its messages and who listens (SMP fact sheet §12.1).
struct StoredQueue: Sendable {
    enum Status: Sendable, Equatable {
        case active
        case off
        case blocked(SMPError.BlockingInfo)
    }

    struct Link: Sendable {
        var id: EntityID
        var data: LinkData
    }

    struct Notifier: Sendable {
        var id: EntityID
        var key: AuthenticationPublicKey
        /// Seals what notifications tell.
        var secret: SecretBytes
    }

    /// Each command is checked against all recipient keys, so that there can't be as many as RKEY has room for.
    static let maximumRecipientKeys = 4

    /// Names the queue on disk.
    let number: Int64
    let recipientID: EntityID
    let senderID: EntityID
    /// Any of them may authenticate the recipient.
    var recipientKeys: [AuthenticationPublicKey]
    /// Seals messages for the recipient.
    let secret: SecretBytes
    let mode: QueueMode?
    var senderKey: AuthenticationPublicKey?
    var link: Link?
    var notifier: Notifier?
    var status = Status.active
    var messages: Deque<StoredMessage> = []
    /// False from the marker on, until the queue is empty.
    var canWrite = true
    var subscriber: SessionNumber?
}

/// Names a session within one relay.
typealias SessionNumber = UInt64

/// What one session does with one queue.
struct SessionEntry: Sendable {
    enum Kind { case subscribed, getOnly }

    let kind: Kind
    /// The message that was delivered and not acknowledged.
    var delivered: MessageID?
}
