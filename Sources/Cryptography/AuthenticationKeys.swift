/// A public key that authenticates commands on a queue: a signature key, or an X25519 key for authenticators
/// (SMP fact sheet §6).
public enum AuthenticationPublicKey: Sendable, Hashable {
    case ed25519(Ed25519.PublicKey)
    case ed448(Ed448.PublicKey)
    case x25519(X25519.PublicKey)

    /// Reads a SubjectPublicKeyInfo of any of the three.
    ///
    /// - Throws: `CryptographyError.invalidKey` for anything else.
    public init(der: [UInt8]) throws {
        if let key = try? Ed25519.PublicKey(der: der) {
            self = .ed25519(key)
        } else if let key = try? X25519.PublicKey(der: der) {
            self = .x25519(key)
        } else {
            self = .ed448(try Ed448.PublicKey(der: der))
        }
    }

    /// The SubjectPublicKeyInfo.
    public var derRepresentation: [UInt8] {
        switch self {
        case .ed25519(let key): key.derRepresentation
        case .ed448(let key): key.derRepresentation
        case .x25519(let key): key.derRepresentation
        }
    }
}

/// The private half of an `AuthenticationPublicKey`.
public enum AuthenticationPrivateKey: Sendable, Equatable {
    case ed25519(Ed25519.PrivateKey)
    case ed448(Ed448.PrivateKey)
    case x25519(X25519.PrivateKey)

    /// Reads PKCS #8 of any of the three.
    ///
    /// - Throws: `CryptographyError.invalidKey` for anything else.
    public init(der: [UInt8]) throws {
        if let key = try? Ed25519.PrivateKey(der: der) {
            self = .ed25519(key)
        } else if let key = try? X25519.PrivateKey(der: der) {
            self = .x25519(key)
        } else {
            self = .ed448(try Ed448.PrivateKey(der: der))
        }
    }

    /// PKCS #8 of the key.
    public var derRepresentation: SecretBytes {
        switch self {
        case .ed25519(let key): key.derRepresentation
        case .ed448(let key): key.derRepresentation
        case .x25519(let key): key.derRepresentation
        }
    }

    /// The public half.
    public var publicKey: AuthenticationPublicKey {
        switch self {
        case .ed25519(let key): .ed25519(key.publicKey)
        case .ed448(let key): .ed448(key.publicKey)
        case .x25519(let key): .x25519(key.publicKey)
        }
    }
}
