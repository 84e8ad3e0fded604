import Cryptography
import SMP

/// A queue at one agreed version, as confirmations and queue rotation name it (Agent fact sheet §2.2).
package struct QueueInfo: Hashable, Sendable {
    /// Version of the per-queue envelope.
    package let version: UInt16
    package let address: QueueAddress
    /// The recipient's key for the per-queue box.
    package let key: X25519.PublicKey
    package let mode: QueueMode?

    package init(version: UInt16, address: QueueAddress, key: X25519.PublicKey, mode: QueueMode?) {
        self.version = version
        self.address = address
        self.key = key
        self.mode = mode
    }

    init(from reader: inout ByteReader) throws {
        version = try reader.word16()
        address =
            version < QueueVersions.withSeveralHosts
            ? QueueAddress(relay: try reader.legacyRelayAddress(), senderID: try reader.entityID())
            : try QueueAddress(from: &reader)
        key = try X25519.PublicKey(der: reader.bytes())
        mode = try reader.queueModeTail()
    }

    func encode(to writer: inout ByteWriter) throws {
        writer.word16(version)
        if version < QueueVersions.withSeveralHosts {
            try writer.legacyRelayAddress(address.relay)
            try writer.entityID(address.senderID)
        } else {
            try address.encode(to: &writer)
        }
        try writer.bytes(key.derRepresentation)
        if version >= QueueVersions.withQueueMode {
            if let mode { writer.byte(mode.rawValue) }
        } else if version >= QueueVersions.withSenderKey, mode == .messaging {
            writer.bool(true)
        }
    }

    /// Reads a whole queue description.
    ///
    /// - Throws: `AgentDecodingError`.
    package init(decoding bytes: [UInt8]) throws(AgentDecodingError) {
        self = try decodeAll(bytes) { try QueueInfo(from: &$0) }
    }

    /// The binary form.
    package func encoded() throws -> [UInt8] {
        var writer = ByteWriter()
        try encode(to: &writer)
        return writer.written
    }
}
