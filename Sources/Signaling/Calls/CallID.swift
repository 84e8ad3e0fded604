import Cryptography

/// The identifier of a call: 16 random bytes, written as base64url (Calls fact sheet §3).
public struct CallID: Sendable, Hashable {
    /// The identifier's bytes; 16 for calls of this program, 1 to 64 for those of others.
    public let bytes: [UInt8]

    /// Takes 1 to 64 bytes; nil for any other number.
    public init?(bytes: [UInt8]) {
        guard (1...64).contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    /// Reads base64url, padded or not; nil if it is none or has an unusable length.
    public init?(parsing text: String) {
        guard text.utf8.count <= 88, let bytes = try? Base64URL.decode(text) else { return nil }
        self.init(bytes: bytes)
    }

    /// A new random identifier.
    public static func random() -> CallID { CallID(validated: randomBytes(16)) }

    private init(validated bytes: [UInt8]) { self.bytes = bytes }

    /// The identifier as it stands in messages.
    public var text: String { Base64URL.encode(bytes) }
}

extension CallID: Comparable {
    /// Compares byte by byte, by which two persons' simultaneous calls are settled.
    public static func < (left: CallID, right: CallID) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }
}

extension CallID: CustomStringConvertible {
    /// The same as ``text``.
    public var description: String { text }
}
