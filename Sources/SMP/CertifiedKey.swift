import Cryptography

/// A certificate chain with a session key signed by its leaf, as the hellos and PKEY carry it.
public struct CertifiedKey: Hashable, Sendable {
    /// DER certificates in the order of TLS: leaf, identity, then at most two more.
    public var chain: [[UInt8]]
    /// The session key.
    public var signedKey: SignedKey

    public init(chain: [[UInt8]], signedKey: SignedKey) {
        self.chain = chain
        self.signedKey = signedKey
    }

    /// SHA-256 of the second certificate, which is the relay's identity; nil for a chain that is too short.
    public var keyHash: [UInt8]? {
        chain.dropFirst().first.map(Certificates.fingerprint(ofCertificate:))
    }

    /// The session key for key agreement, once the leaf's signature and the identity are checked.
    ///
    /// The path from leaf to anchor is not validated here: TLS does that (a client of a proxy must do it itself).
    ///
    /// - Throws: `SMPDecodingError.invalid` naming what does not fit.
    public func agreementKey(keyHash expected: [UInt8]) throws -> X25519.PublicKey {
        guard (2...4).contains(chain.count), let leaf = chain.first else {
            throw SMPDecodingError.invalid("certificate chain")
        }
        guard let keyHash, constantTimeEqual(keyHash, expected) else {
            throw SMPDecodingError.invalid("relay identity")
        }
        guard let certificate = try? Certificates.publicKey(ofCertificate: leaf) else {
            throw SMPDecodingError.invalid("certificate")
        }
        guard signedKey.isSigned(by: certificate), let key = signedKey.agreementKey else {
            throw SMPDecodingError.invalid("session key signature")
        }
        return key
    }
}

extension ByteReader {
    /// Chain and signed key.
    mutating func certifiedKey() throws -> CertifiedKey {
        CertifiedKey(chain: try nonempty { try $0.large() }, signedKey: try SignedKey(decoding: large()))
    }
}

extension ByteWriter {
    /// Chain and signed key.
    mutating func certifiedKey(_ key: CertifiedKey) throws {
        guard !key.chain.isEmpty else { throw SMPEncodingError.invalid("certificate chain") }
        try list(key.chain) { try $0.large($1) }
        try large(key.signedKey.encoded)
    }
}
