import Cryptography
import SMP

/// A queue somebody offers: address, key for the per-queue box, versions and mode (Agent fact sheet §2.1).
public struct QueueURI: Hashable, Sendable {
    /// Versions of the per-queue envelope.
    public let versions: VersionRange
    /// Relay and sender id.
    public let address: QueueAddress
    /// The recipient's key for the per-queue box.
    public let key: X25519.PublicKey
    /// Nil when the maker did not say: then the queue is secured by the recipient.
    public let mode: QueueMode?

    /// An offer of a queue.
    public init(versions: VersionRange, address: QueueAddress, key: X25519.PublicKey, mode: QueueMode?) {
        self.versions = versions
        self.address = address
        self.key = key
        self.mode = mode
    }

    /// The queue at the highest version both sides know, or nil when there is none.
    package func info(for own: VersionRange = QueueVersions.supported) -> QueueInfo? {
        guard let common = versions.intersection(own) else { return nil }
        return QueueInfo(version: common.maximum, address: address, key: key, mode: mode)
    }

    init(from reader: inout ByteReader) throws {
        versions = try VersionRange(from: &reader)
        address = try QueueAddress(from: &reader)
        key = try X25519.PublicKey(der: reader.bytes())
        mode = try reader.queueModeTail()
    }

    func encode(to writer: inout ByteWriter) throws {
        try versions.encode(to: &writer)
        try address.encode(to: &writer)
        try writer.bytes(key.derRepresentation)
        if versions.minimum >= QueueVersions.withQueueMode {
            if let mode { writer.byte(mode.rawValue) }
        } else if versions.minimum >= QueueVersions.withSenderKey {
            writer.bool(mode == .messaging)
        } else if versions.maximum >= QueueVersions.withSenderKey, mode == .messaging {
            writer.bool(true)
        }
    }
}
