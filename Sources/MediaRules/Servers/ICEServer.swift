/// A server that tells our public address (STUN) or relays for us (TURN), as a person sets it.
///
/// Its texts may hold secrets: neither `description` nor an error shows them.
public struct ICEServer: Sendable, Hashable, Codable {
    /// `stun:HOST[:PORT]`, `turn:HOST[:PORT][?transport=udp|tcp]` or `turns:HOST[:PORT]`.
    public var url: String
    /// The user name at a TURN server. With a ``secret``: what the made user name ends with; it may be nil then.
    public var username: String?
    /// The password at a TURN server.
    public var credential: String?
    /// What the TURN server and its users share instead of passwords: user name and password are made of it anew for each
    /// call.
    public var secret: String?
    /// The path of a file with the certificate authorities (PEM) that may vouch for a `turns:` server; nil: the system's.
    public var authorities: String?

    /// A server with fixed credentials, or without.
    public init(url: String, username: String? = nil, credential: String? = nil, authorities: String? = nil) {
        self.url = url
        self.username = username
        self.credential = credential
        self.authorities = authorities
    }

    /// A TURN server that shares a secret with its users.
    public init(url: String, secret: String, username: String? = nil, authorities: String? = nil) {
        self.init(url: url, username: username, authorities: authorities)
        self.secret = secret
    }

    /// Checks that the server can be used.
    /// - Throws: ``ICEServerError``.
    public func check() throws(ICEServerError) { _ = try ICEServerURL(self) }

    /// Whether it relays.
    public var isRelay: Bool { (try? ICEServerURL(self))?.scheme.isRelay ?? false }
}

extension ICEServer: CustomStringConvertible, CustomDebugStringConvertible {
    /// The URL alone.
    public var description: String { url }
    /// The URL alone.
    public var debugDescription: String { url }
}

extension ICEServer: CustomReflectable {
    /// The URL alone, so that no dump of a configuration shows a password.
    public var customMirror: Mirror { Mirror(self, children: ["url": url]) }
}

/// Why a STUN or TURN server can't be used as it is written.
public enum ICEServerError: Error, Equatable, Sendable {
    /// It begins with none of `stun:`, `stuns:`, `turn:`, `turns:`.
    case scheme
    /// It has `//` or a user name in it, as other kinds of URLs have.
    case notThatForm
    /// The host is none: neither a name nor an address.
    case host
    /// The port is none of 1 to 65535.
    case port
    /// What follows the `?` is not `transport=udp` or `transport=tcp`.
    case transport
    /// `turns:` over UDP, which is DTLS.
    case datagramTLS
    /// A TURN server without user name and password, and without a shared secret.
    case credentials
    /// The secret can't be used, being empty or overlong.
    case secret
}
