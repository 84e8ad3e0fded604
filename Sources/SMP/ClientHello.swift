import Cryptography

/// What a client answers to the relay's hello (SMP fact sheet §4). Trailing bytes are ignored.
public struct ClientHello: Hashable, Sendable {
    /// The chosen version.
    public var version: SMPVersion
    /// The relay the client means to talk to.
    public var keyHash: [UInt8]
    /// The client's session key, from version 7.
    public var sessionKey: X25519.PublicKey?
    /// Whether the client is a proxy, which turns block encryption off; from version 14.
    public var isProxy: Bool
    /// What a service shows of itself; from version 16.
    public var service: Service?

    /// A service: its role, its certificate chain and its signed Ed25519 session key.
    public struct Service: Hashable, Sendable {
        public var role: Role
        public var key: CertifiedKey

        public init(role: Role, key: CertifiedKey) {
            self.role = role
            self.key = key
        }
    }

    /// What a service does.
    public enum Role: UInt8, Hashable, Sendable {
        case messaging = 0x4D
        case notifier = 0x4E
        case proxy = 0x50
    }

    public init(
        version: SMPVersion, keyHash: [UInt8], sessionKey: X25519.PublicKey?, isProxy: Bool = false,
        service: Service? = nil
    ) {
        self.version = version
        self.keyHash = keyHash
        self.sessionKey = sessionKey
        self.isProxy = isProxy
        self.service = service
    }

    /// Reads the unpadded hello.
    ///
    /// - Throws: `SMPDecodingError`.
    public init(decoding bytes: [UInt8]) throws {
        var reader = ByteReader(bytes)
        version = try reader.version()
        keyHash = try reader.keyHash()
        sessionKey = nil
        if version >= .authenticatedCommands {
            // The key may be left out; what follows then is no length of a key.
            var attempt = reader
            if let key = try? attempt.agreementKey() {
                sessionKey = key
                reader = attempt
            }
        }
        isProxy = version >= .proxyFlag ? try reader.bool() : false
        service = version >= .services ? try reader.maybe { try $0.service() } : nil
    }

    /// The hello before padding.
    ///
    /// - Throws: `SMPEncodingError`.
    public func encoded() throws -> [UInt8] {
        try ByteWriter.build { writer in
            writer.version(version)
            try writer.bytes(keyHash)
            if version >= .authenticatedCommands, let sessionKey { try writer.key(sessionKey) }
            if version >= .proxyFlag { writer.bool(isProxy) }
            guard version >= .services else { return }
            try writer.maybe(service) { writer, service in
                writer.byte(service.role.rawValue)
                try writer.certifiedKey(service.key)
            }
        }
    }

    /// Whether blocks after the hellos are encrypted once more (SMP fact sheet §5).
    public var encryptsBlocks: Bool { version >= .blockEncryption && sessionKey != nil && !isProxy }
}

extension ByteReader {
    fileprivate mutating func service() throws -> ClientHello.Service {
        guard let role = ClientHello.Role(rawValue: try byte()) else { throw SMPDecodingError.invalid("service role") }
        return ClientHello.Service(role: role, key: try certifiedKey())
    }
}

/// The relay's answer to a client hello that announced a service.
public enum ServiceReply: Hashable, Sendable {
    case accepted(EntityID)
    case refused(RelayTransportError)

    /// Reads the unpadded reply.
    ///
    /// - Throws: `SMPDecodingError`.
    public init(decoding bytes: [UInt8]) throws {
        var reader = ByteReader(bytes)
        switch try reader.byte() {
        case UInt8(ascii: "R"): self = .accepted(try reader.entityID())
        case UInt8(ascii: "E"): self = .refused(try reader.transportError())
        default: throw SMPDecodingError.invalid("service reply")
        }
    }

    /// The reply before padding.
    ///
    /// - Throws: `SMPEncodingError`.
    public func encoded() throws -> [UInt8] {
        try ByteWriter.build { writer in
            switch self {
            case .accepted(let id):
                writer.raw("R")
                try writer.entityID(id)
            case .refused(let error):
                writer.raw("E")
                writer.transportError(error)
            }
        }
    }
}
