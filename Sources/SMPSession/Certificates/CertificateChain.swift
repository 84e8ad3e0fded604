import COpenSSL
import Cryptography

/// The certificates a relay shows: leaf, identity and up to two above (SMP fact sheet §2).
public struct CertificateChain: Sendable, Equatable {
    /// DER, leaf first.
    public let certificates: [[UInt8]]

    public init(certificates: [[UInt8]]) { self.certificates = certificates }

    /// SHA-256 of the identity certificate, which is the second; nil for a shorter chain.
    public var keyHash: [UInt8]? { certificates.count > 1 ? Digest.sha256(certificates[1]) : nil }

    /// Checks the chain as an SMP client must (SMP fact sheet §2): two to four certificates, the second one with the given
    /// fingerprint, each issued by the next, the last one being the anchor, all valid now. There is no host-name check.
    ///
    /// - Parameters:
    ///   - keyHash: SHA-256 of the identity certificate, 32 bytes.
    ///   - time: seconds since 1970 to check dates against; nil for now.
    /// - Throws: `TransportError.badCertificate` or `.wrongFingerprint`.
    public func verify(keyHash: [UInt8], time: Int64? = nil) throws(TransportError) {
        guard (2...4).contains(certificates.count) else {
            throw .badCertificate(.chainLength(certificates.count))
        }
        guard let actual = self.keyHash, constantTimeEqual(actual, keyHash) else { throw .wrongFingerprint }
        let handles = certificates.compactMap { X509Handle(der: $0) }
        guard handles.count == certificates.count, let leaf = handles.first, let anchor = handles.last else {
            throw .badCertificate(.malformed)
        }
        // Version 3 is encoded as 2 (RFC 5280 §4.1.2.1).
        guard X509_get_version(leaf.pointer) == 2 else { throw .badCertificate(.leafVersion) }
        try validatePath(handles, leaf: leaf, anchor: anchor, time: time)
    }

    private func validatePath(
        _ handles: [X509Handle], leaf: X509Handle, anchor: X509Handle, time: Int64?
    ) throws(TransportError) {
        guard let store = X509_STORE_new(), let context = X509_STORE_CTX_new(), let others = OPENSSL_sk_new_null()
        else {
            throw TransportError(.other(OpenSSLFailure.takeReason()))
        }
        defer {
            X509_STORE_CTX_free(context)
            X509_STORE_free(store)
            OPENSSL_sk_free(others)
            ERR_clear_error()
        }
        X509_STORE_add_cert(store, anchor.pointer)
        for handle in handles.dropFirst() { OPENSSL_sk_push(others, UnsafeRawPointer(handle.pointer)) }
        guard X509_STORE_CTX_init(context, store, leaf.pointer, others) == 1 else {
            throw TransportError(.other(OpenSSLFailure.takeReason()))
        }
        // The last certificate is the anchor even where it is not self-signed.
        X509_STORE_CTX_set_flags(context, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        if let time { X509_STORE_CTX_set_time(context, 0, time_t(time)) }
        guard X509_verify_cert(context) == 1 else {
            throw .badCertificate(Self.fault(X509_STORE_CTX_get_error(context)))
        }
        // A path that leaves out the identity certificate would let any anchor vouch for any relay.
        guard X509Handle.certificates(of: X509_STORE_CTX_get0_chain(context)) == certificates else {
            throw .badCertificate(.path("a certificate is not issued by the next one of the chain"))
        }
    }

    private static func fault(_ code: Int32) -> CertificateFault {
        switch code {
        case X509_V_ERR_CERT_HAS_EXPIRED, X509_V_ERR_CERT_NOT_YET_VALID: .validityDates
        default: .path(String(cString: X509_verify_cert_error_string(Int(code))))
        }
    }
}
