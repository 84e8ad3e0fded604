import Cryptography
import SMP
import SMPSession

/// One step that a relay's state on disk has to make to follow the state in memory.
package enum StoreChange: Sendable {
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
package struct QueueRecord: Sendable {
    package let number: Int64
    package let recipientID: EntityID
    package let senderID: EntityID
    package let recipientKeys: [AuthenticationPublicKey]
    package let secret: SecretBytes
    package let mode: QueueMode?
    package let senderKey: AuthenticationPublicKey?
    package let notifier: StoredQueue.Notifier?
    package let status: StoredQueue.Status

    package init(_ queue: StoredQueue) {
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
