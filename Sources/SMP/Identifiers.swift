import Cryptography

/// What a command or message is about: a queue's recipient or sender id, a link, a notifier, a service (24 random bytes)
/// or nothing.
public struct EntityID: Hashable, Sendable {
    public var bytes: [UInt8]

    /// Length of the ids a relay makes.
    public static let count = 24
    /// No entity.
    public static let none = EntityID([])

    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// A fresh id.
    public static func random() -> EntityID { EntityID(randomBytes(count)) }

    /// Whether there is no entity.
    public var isEmpty: Bool { bytes.isEmpty }

    /// The only sender id a client may choose itself: from the correlation id of its NEW (SMP fact sheet §7.1).
    public static func sender(for correlationID: CorrelationID) -> EntityID {
        EntityID(Array(Digest.sha3_384(correlationID.bytes).prefix(count)))
    }
}

extension EntityID: CustomStringConvertible {
    public var description: String { Base64URL.encode(bytes) }
}

/// Ties a response to its request; empty in events of the relay. Also the nonce of X25519 authenticators.
public struct CorrelationID: Hashable, Sendable {
    public var bytes: [UInt8]

    /// Length of the ids a client makes.
    public static let count = 24
    /// The id of events.
    public static let none = CorrelationID([])

    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// A fresh id.
    public static func random() -> CorrelationID { CorrelationID(randomBytes(count)) }

    /// Whether this marks an event.
    public var isEmpty: Bool { bytes.isEmpty }
}

extension CorrelationID: CustomStringConvertible {
    public var description: String { Base64URL.encode(bytes) }
}
