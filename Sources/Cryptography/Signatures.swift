import COpenSSL

/// A curve for signatures: `Ed25519` or `Ed448`.
public protocol SignatureCurve: Sendable {
    /// How OpenSSL and DER name the curve.
    static var parameters: KeyParameters { get }
    /// Length of a signature.
    static var signatureCount: Int { get }
}

/// Ed25519 of RFC 8032: seeds and public keys of 32 bytes, signatures of 64.
public enum Ed25519: SignatureCurve {
    public typealias PrivateKey = SignaturePrivateKey<Ed25519>
    public typealias PublicKey = SignaturePublicKey<Ed25519>
    public static let parameters = KeyParameters(identifier: EVP_PKEY_ED25519, rawCount: 32, objectIdentifier: 0x70)
    public static let signatureCount = 64
}

/// Ed448 of RFC 8032: seeds and public keys of 57 bytes, signatures of 114.
public enum Ed448: SignatureCurve {
    public typealias PrivateKey = SignaturePrivateKey<Ed448>
    public typealias PublicKey = SignaturePublicKey<Ed448>
    public static let parameters = KeyParameters(identifier: EVP_PKEY_ED448, rawCount: 57, objectIdentifier: 0x71)
    public static let signatureCount = 114
}

/// The public half of a signature key.
public struct SignaturePublicKey<Curve: SignatureCurve>: Sendable, Hashable {
    /// The bytes of RFC 8032.
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

    /// Whether `signature` was made over `message` by the private half; false for a signature of any wrong form.
    ///
    /// Keys and nonce points of small order, and keys not encoded in the shortest way, verify nothing.
    public func isValidSignature(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        guard signature.count == Curve.signatureCount else { return false }
        if Curve.parameters.identifier == EVP_PKEY_ED25519 {
            return SodiumSignature.isValid(signature, for: message, publicKey: rawRepresentation)
        }
        guard
            let handle = try? KeyHandle(Curve.parameters, publicKey: rawRepresentation),
            let context = EVP_MD_CTX_new()
        else { return false }
        defer { EVP_MD_CTX_free(context) }
        let valid =
            EVP_DigestVerifyInit(context, nil, nil, nil, handle.pointer) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        if !valid { ERR_clear_error() }
        return valid
    }
}

/// The private half of a signature key.
public struct SignaturePrivateKey<Curve: SignatureCurve>: Sendable, Equatable {
    /// The seed of RFC 8032.
    public let rawRepresentation: SecretBytes
    /// The public half.
    public let publicKey: SignaturePublicKey<Curve>
    private let handle: KeyHandle

    /// A fresh random key.
    public init() {
        do {
            try self.init(rawRepresentation: .random(Curve.parameters.rawCount))
        } catch {
            // Every string of the right length is a seed, so only a library without memory gets here.
            preconditionFailure("OpenSSL cannot make a key: \(error)")
        }
    }

    /// - Throws: `CryptographyError.invalidKey` for a wrong length.
    public init(rawRepresentation: SecretBytes) throws {
        handle = try KeyHandle(Curve.parameters, privateKey: rawRepresentation)
        publicKey = try SignaturePublicKey(rawRepresentation: handle.publicKey(Curve.parameters))
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

    /// Signs; the same key and message always give the same signature.
    ///
    /// - Throws: `CryptographyError.unavailable` when the library has no memory.
    public func signature(for message: [UInt8]) throws -> [UInt8] {
        if Curve.parameters.identifier == EVP_PKEY_ED25519 {
            return SodiumSignature.sign(message, seed: rawRepresentation, publicKey: publicKey.rawRepresentation)
        }
        guard let context = EVP_MD_CTX_new() else { throw CryptographyError.unavailable("EVP_MD_CTX_new") }
        defer { EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: Curve.signatureCount)
        var count = signature.count
        guard EVP_DigestSignInit(context, nil, nil, nil, handle.pointer) == 1,
            EVP_DigestSign(context, &signature, &count, message, message.count) == 1, count == signature.count
        else {
            ERR_clear_error()
            throw CryptographyError.unavailable("EVP_DigestSign")
        }
        return signature
    }

    public static func == (left: Self, right: Self) -> Bool { left.rawRepresentation == right.rawRepresentation }
}
