import Cryptography
import SMP

/// The content of a numbered agent message (Agent fact sheet §3).
package enum AMessage: Hashable, Sendable {
    /// `H`: the queue works; only in the classic handshake.
    case hello
    /// `M`: an application message.
    case message([UInt8])
    /// `V`: messages were received.
    case receipts([Receipt])
    /// `QC`: the named queue is drained, go on sending to it.
    case continueSending(QueueAddress)
    /// `QA`: new queues, each perhaps in place of an old one.
    case addQueues([NewQueue])
    /// `QK`: keys for the new queues.
    case queueKeys([QueueKey])
    /// `QU`: the new queues are secured, use them.
    case useQueues([UsedQueue])
    /// `QT`: sent to the new queues as a test.
    case testQueues([QueueAddress])
    /// `E`: the new ratchet is ready.
    case ratchetReady(lastReceivedID: Int64)

    /// One received message.
    package struct Receipt: Hashable, Sendable {
        /// Its number in the receiver's incoming direction.
        package let id: Int64
        /// SHA-256 of its plaintext.
        package let hash: [UInt8]
        /// Empty today.
        package let information: [UInt8]

        package init(id: Int64, hash: [UInt8], information: [UInt8] = []) {
            self.id = id
            self.hash = hash
            self.information = information
        }
    }

    /// A queue that shall be used, and the one it replaces.
    package struct NewQueue: Hashable, Sendable {
        package let queue: QueueURI
        package let replaced: QueueAddress?

        package init(queue: QueueURI, replaced: QueueAddress?) {
            self.queue = queue
            self.replaced = replaced
        }
    }

    /// The sender's keys for a new queue: for the box in `queue`, for the relay beside it.
    package struct QueueKey: Hashable, Sendable {
        package let queue: QueueInfo
        package let authenticationKey: AuthenticationPublicKey

        package init(queue: QueueInfo, authenticationKey: AuthenticationPublicKey) {
            self.queue = queue
            self.authenticationKey = authenticationKey
        }
    }

    /// A queue that is ready.
    package struct UsedQueue: Hashable, Sendable {
        package let address: QueueAddress
        package let isPrimary: Bool

        package init(address: QueueAddress, isPrimary: Bool) {
            self.address = address
            self.isPrimary = isPrimary
        }
    }
}

extension AMessage {
    package init(from reader: inout ByteReader) throws {
        switch try reader.byte() {
        case UInt8(ascii: "H"): self = .hello
        case UInt8(ascii: "M"): self = .message(reader.tail())
        case UInt8(ascii: "V"):
            self = .receipts(
                try reader.nonempty { reader in
                    Receipt(
                        id: try reader.int64(), hash: try reader.bytes(), information: try reader.large())
                })
        case UInt8(ascii: "Q"): self = try Self.queueMessage(&reader)
        case UInt8(ascii: "E"): self = .ratchetReady(lastReceivedID: try reader.int64())
        default: throw AgentDecodingError.unknownTag
        }
    }

    private static func queueMessage(_ reader: inout ByteReader) throws -> AMessage {
        switch try reader.byte() {
        case UInt8(ascii: "C"): return .continueSending(try QueueAddress(from: &reader))
        case UInt8(ascii: "A"):
            return .addQueues(
                try reader.nonempty { reader in
                    NewQueue(
                        queue: try QueueURI(from: &reader),
                        replaced: try reader.maybe { try QueueAddress(from: &$0) })
                })
        case UInt8(ascii: "K"):
            return .queueKeys(
                try reader.nonempty { reader in
                    QueueKey(
                        queue: try QueueInfo(from: &reader),
                        authenticationKey: try AuthenticationPublicKey(der: reader.bytes()))
                })
        case UInt8(ascii: "U"):
            return .useQueues(
                try reader.nonempty { reader in
                    UsedQueue(address: try QueueAddress(from: &reader), isPrimary: try reader.bool())
                })
        case UInt8(ascii: "T"): return .testQueues(try reader.nonempty { try QueueAddress(from: &$0) })
        default: throw AgentDecodingError.unknownTag
        }
    }

    package func encode(to writer: inout ByteWriter) throws {
        switch self {
        case .hello: writer.raw("H")
        case .message(let body):
            writer.raw("M")
            writer.raw(body)
        case .receipts(let receipts):
            writer.raw("V")
            try writer.list(receipts) { writer, receipt in
                writer.int64(receipt.id)
                try writer.bytes(receipt.hash)
                try writer.large(receipt.information)
            }
        case .continueSending(let address):
            writer.raw("QC")
            try address.encode(to: &writer)
        case .addQueues(let queues):
            writer.raw("QA")
            try writer.list(queues) { writer, new in
                try new.queue.encode(to: &writer)
                try writer.maybe(new.replaced) { try $1.encode(to: &$0) }
            }
        case .queueKeys(let keys):
            writer.raw("QK")
            try writer.list(keys) { writer, key in
                try key.queue.encode(to: &writer)
                try writer.bytes(key.authenticationKey.derRepresentation)
            }
        case .useQueues(let queues):
            writer.raw("QU")
            try writer.list(queues) { writer, used in
                try used.address.encode(to: &writer)
                writer.bool(used.isPrimary)
            }
        case .testQueues(let addresses):
            writer.raw("QT")
            try writer.list(addresses) { try $1.encode(to: &$0) }
        case .ratchetReady(let id):
            writer.raw("E")
            writer.int64(id)
        }
    }
}
