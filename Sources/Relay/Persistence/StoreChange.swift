import Cryptography
import SMP
import SMPTransport

/// One step that a relay's state on disk has to make to follow the state in memory.
enum StoreChange: Sendable {
    /// A queue is new, or its keys, status or notifier changed.
    case saveQueue(QueueRecord)
    /// The link of a queue is new or its data changed; nil removes it.
    case saveLink(queue: Int64, StoredQueue.Link?)
    case addMessage(queue: Int64, StoredMessage)
    case removeMessage(number: Int64)
    /// The queue and its link; its messages are removed one by one.
    case removeQueue(number: Int64)
    /// The relay has run for so many seconds.
    case saveAge(Int64)
    /// An operator blocks an address, or does so no more.
    case blockAddress(ConnectionOrigin, Bool)
}

/// What is kept of a queue besides its messages and its link.
struct QueueRecord: Sendable {
    let number: Int64
    let recipientID: EntityID
    let senderID: EntityID
    let recipientKeys: [AuthenticationPublicKey]
    let secret: SecretBytes
    let mode: QueueMode?
    let senderKey: AuthenticationPublicKey?
    let notifier: StoredQueue.Notifier?
    let status: StoredQueue.Status

    init(_ queue: StoredQueue) {
        number = queue.number
        recipientID = queue.recipientID
        senderID = queue.senderID
        recipientKeys = queue.recipientKeys
        secret = queue.secret
        mode = queue.mode
        senderKey = queue.senderKey
        notifier = queue.notifier
        status = queue.status
    }
}
