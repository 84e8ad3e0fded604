import COpenSSL

/// A curve for Diffie-Hellman: `X25519` or `X448`.
public protocol AgreementCurve: Sendable {
    /// How OpenSSL and DER name the curve.
    static var parameters: KeyParameters { get }
}

/// X25519 of RFC 7748: keys and secrets of 32 bytes.
public enum X25519: AgreementCurve {
    public typealias PrivateKey = AgreementPrivateKey<X25519>
    public typealias PublicKey = AgreementPublicKey<X25519>
    public static let parameters = KeyParameters(identifier: EVP_PKEY_X25519, rawCount: 32, objectIdentifier: 0x6E)
}

/// X448 of RFC 7748: keys and secrets of 56 bytes.
public enum X448: AgreementCurve {
    public typealias PrivateKey = AgreementPrivateKey<X448>
    public typealias PublicKey = AgreementPublicKey<X448>
    public static let parameters = KeyParameters(identifier: EVP_PKEY_X448, rawCount: 56, objectIdentifier: 0x6F)
}

/// The public half of an agreement key.
public struct AgreementPublicKey<Curve: AgreementCurve>: Sendable, Hashable {
    /// The bytes of RFC 7748.
    public let rawRepresentation: [UInt8]

    /// - Throws: `CryptographyError.invalidKey` for a wrong length.
    public init(rawRepresentation: [UInt8]) throws {
        guard rawRepresentation.count == Curve.parameters.rawCount else { throw CryptographyError.invalidKey }
        self.rawRepresentation = rawRepresentation
    }

    /// Reads a SubjectPublicKeyInfo (RFC 8410 §4).
    ///
    /// - Throws: `CryptographyError.invalidKey` when it is not exactly one of this curve.
    public init(der: [UInt8]) throws {
        rawRepresentation = try Curve.parameters.rawKey(in: der, after: Curve.parameters.publicPrefix)
    }

    /// The SubjectPublicKeyInfo.
    public var derRepresentation: [UInt8] { Curve.parameters.publicPrefix + rawRepresentation }
}

/// The private half of an agreement key.
public struct AgreementPrivateKey<Curve: AgreementCurve>: Sendable, Equatable {
    /// The bytes of RFC 7748.
    public let rawRepresentation: SecretBytes
    /// The public half.
    public let publicKey: AgreementPublicKey<Curve>
    private let handle: KeyHandle

    /// A fresh random key.
    public init() {
        do {
            try self.init(rawRepresentation: .random(Curve.parameters.rawCount))
        } catch {
            // Every string of the right length is a key, so only a library without memory gets here.
            preconditionFailure("OpenSSL cannot make a key: \(error)")
        }
    }

    /// - Throws: `CryptographyError.invalidKey` for a wrong length.
    public init(rawRepresentation: SecretBytes) throws {
        handle = try KeyHandle(Curve.parameters, privateKey: rawRepresentation)
        publicKey = try AgreementPublicKey(rawRepresentation: handle.publicKey(Curve.parameters))
        self.rawRepresentation = rawRepresentation
    }

    /// Reads PKCS #8 (RFC 8410 §7).
    ///
    /// - Throws: `CryptographyError.invalidKey` when it is not exactly a key of this curve without attributes.
    public init(der: [UInt8]) throws {
        try self.init(
            rawRepresentation: SecretBytes(Curve.parameters.rawKey(in: der, after: Curve.parameters.privatePrefix)))
    }

    /// PKCS #8 of the key.
    public var derRepresentation: SecretBytes { SecretBytes(Curve.parameters.privatePrefix + rawRepresentation.bytes) }

    /// The Diffie-Hellman secret, raw as RFC 7748 gives it.
    ///
    /// - Throws: `CryptographyError.invalidKey` when the other key is a point of small order (the secret would be zero).
    public func sharedSecret(with publicKey: AgreementPublicKey<Curve>) throws -> SecretBytes {
        if Curve.parameters.identifier == EVP_PKEY_X25519 {
            return try SodiumAgreement.secret(
                privateKey: rawRepresentation, publicKey: publicKey.rawRepresentation)
        }
        let peer = try KeyHandle(Curve.parameters, publicKey: publicKey.rawRepresentation)
        guard let context = EVP_PKEY_CTX_new(handle.pointer, nil) else {
            throw CryptographyError.unavailable("EVP_PKEY_CTX_new")
        }
        defer { EVP_PKEY_CTX_free(context) }
        return try SecretBytes(count: Curve.parameters.rawCount) { output in
            var count = output.count
            let address = output.assumingMemoryBound(to: UInt8.self).baseAddress
            guard EVP_PKEY_derive_init(context) == 1,
                EVP_PKEY_derive_set_peer(context, peer.pointer) == 1,
                EVP_PKEY_derive(context, address, &count) == 1, count == output.count
            else {
                ERR_clear_error()
                throw CryptographyError.invalidKey
            }
        }
    }

    public static func == (left: Self, right: Self) -> Bool { left.rawRepresentation == right.rawRepresentation }
}
