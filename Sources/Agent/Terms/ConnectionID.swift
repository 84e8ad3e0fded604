import Cryptography

/// The name of one connection within one agent's store; never sent to anybody.
public struct ConnectionID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// 22 letters of unpadded base64url, or whatever the store was given.
    public let rawValue: String

    /// Names a connection by its stored text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A fresh name.
    public static func random() -> ConnectionID {
        ConnectionID(rawValue: Base64URL.encode(randomBytes(16), padded: false))
    }

    /// The stored text.
    public var description: String { rawValue }
}
