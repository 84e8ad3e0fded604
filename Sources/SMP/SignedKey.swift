import Cryptography

/// A session key signed by the key of a certificate (SMP fact sheet §4).
///
/// DER `SEQUENCE { object, AlgorithmIdentifier, BIT STRING }`, where `object` is a SEQUENCE around the key's
/// SubjectPublicKeyInfo and the signature is over `object`.
public struct SignedKey: Hashable, Sendable {
    /// The key that was signed: X25519 for a relay's session, Ed25519 for a service's.
    public let key: AuthenticationPublicKey
    /// 64 bytes of Ed25519 or 114 of Ed448.
    public let signature: [UInt8]

    /// Signs `key`.
    ///
    /// - Throws: `SMPEncodingError.invalid` for a signer that cannot sign, or an error of Cryptography.
    public init(_ key: AuthenticationPublicKey, signedBy signer: AuthenticationPrivateKey) throws {
        self.key = key
        let object = Self.object(of: key)
        switch signer {
        case .ed25519(let signer): signature = try signer.signature(for: object)
        case .ed448(let signer): signature = try signer.signature(for: object)
        case .x25519: throw SMPEncodingError.invalid("signing key")
        }
    }

    /// Reads the DER; whether the signature is valid is another question.
    ///
    /// - Throws: `SMPDecodingError` when it is not exactly of this form.
    public init(decoding der: [UInt8]) throws {
        let parts = try ByteReader.all(of: der) { try $0.element(DER.sequence) }
        (key, signature) = try ByteReader.all(of: parts) { reader in
            let object = try reader.element(DER.sequence)
            let algorithm = try reader.element(DER.sequence)
            var bits = ByteReader(try reader.element(DER.bitString))
            guard let key = try? AuthenticationPublicKey(der: object), try bits.byte() == 0 else {
                throw SMPDecodingError.invalid("signed key")
            }
            let signature = bits.tail()
            guard algorithm == Self.algorithm(ofSignature: signature) else {
                throw SMPDecodingError.invalid("signature algorithm")
            }
            return (key, signature)
        }
    }

    /// The DER: 122 bytes with Ed25519, 173 with Ed448 (for an X25519 key).
    public var encoded: [UInt8] {
        let algorithm = DER.element(DER.sequence, Self.algorithm(ofSignature: signature) ?? [])
        return DER.element(
            DER.sequence, Self.object(of: key) + algorithm + DER.element(DER.bitString, [0] + signature))
    }

    /// Whether the key of `certificate` made the signature.
    public func isSigned(by certificate: AuthenticationPublicKey) -> Bool {
        let object = Self.object(of: key)
        return switch certificate {
        case .ed25519(let signer): signer.isValidSignature(signature, for: object)
        case .ed448(let signer): signer.isValidSignature(signature, for: object)
        case .x25519: false
        }
    }

    /// The key, when it is one for key agreement.
    public var agreementKey: X25519.PublicKey? {
        if case .x25519(let key) = key { key } else { nil }
    }

    private static func object(of key: AuthenticationPublicKey) -> [UInt8] {
        DER.element(DER.sequence, key.derRepresentation)
    }

    /// Object identifiers 1.3.101.112 and 1.3.101.113 (RFC 8410 §3).
    private static func algorithm(ofSignature signature: [UInt8]) -> [UInt8]? {
        switch signature.count {
        case Ed25519.signatureCount: [0x06, 0x03, 0x2B, 0x65, 0x70]
        case Ed448.signatureCount: [0x06, 0x03, 0x2B, 0x65, 0x71]
        default: nil
        }
    }
}

/// As much of DER (X.690 §8, §10) as a signed key needs: definite lengths below 65,536.
enum DER {
    static let sequence: UInt8 = 0x30
    static let bitString: UInt8 = 0x03

    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        let length: [UInt8] =
            switch count {
            case ..<0x80: [UInt8(truncatingIfNeeded: count)]
            case ..<0x100: [0x81, UInt8(truncatingIfNeeded: count)]
            default: [0x82, UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
            }
        return [tag] + length + content
    }
}

extension ByteReader {
    /// The content of the next DER element, which must have this tag and the shortest form of its length.
    mutating func element(_ tag: UInt8) throws -> [UInt8] {
        guard try byte() == tag else { throw SMPDecodingError.invalid("DER tag") }
        let first = try byte()
        let count: Int
        let least: Int
        switch first {
        case ..<0x80: (count, least) = (Int(first), 0)
        case 0x81: (count, least) = (Int(try byte()), 0x80)
        case 0x82: (count, least) = (Int(try word16()), 0x100)
        default: throw SMPDecodingError.invalid("DER length")
        }
        guard count >= least else { throw SMPDecodingError.invalid("DER length") }
        return try raw(count)
    }
}
