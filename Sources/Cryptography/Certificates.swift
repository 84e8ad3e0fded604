import COpenSSL

/// What the protocol takes out of an X.509 certificate without looking at its validity: TLS checks the chain.
public enum Certificates {
    /// The public key of a certificate.
    ///
    /// - Throws: `CryptographyError.invalidCertificate` for bytes that are no certificate, `.invalidKey` for a key that is
    ///   neither Ed25519, Ed448 nor X25519.
    public static func publicKey(ofCertificate der: [UInt8]) throws -> AuthenticationPublicKey {
        try AuthenticationPublicKey(der: publicKeyInfo(ofCertificate: der))
    }

    /// SHA-256 of the certificate's DER: the key hash of relay addresses when taken of the identity certificate.
    public static func fingerprint(ofCertificate der: [UInt8]) -> [UInt8] { Digest.sha256(der) }

    private static func publicKeyInfo(ofCertificate der: [UInt8]) throws -> [UInt8] {
        try der.withUnsafeBytes { buffer in
            var cursor = buffer.assumingMemoryBound(to: UInt8.self).baseAddress
            guard let length = Int(exactly: buffer.count), let certificate = d2i_X509(nil, &cursor, length) else {
                ERR_clear_error()
                throw CryptographyError.invalidCertificate
            }
            defer { X509_free(certificate) }
            var output: UnsafeMutablePointer<UInt8>?
            let count = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &output)
            guard count > 0, let output else { throw CryptographyError.invalidCertificate }
            defer { CRYPTO_free(output, "", 0) }
            return Array(UnsafeBufferPointer(start: output, count: Int(count)))
        }
    }
}
