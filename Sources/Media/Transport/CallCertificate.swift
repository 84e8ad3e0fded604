import COpenSSL
import Cryptography
import MediaRules

/// A certificate made for one call: the process-wide one of GStreamer would let two calls be linked.
///
/// ECDSA on P-256, as browsers make it: a millisecond's work.
struct CallCertificate: Sendable {
    /// Certificate and private key, for `dtlssrtpdec`, which takes them as text only: the key lies in memory as long as the call.
    let pem: String
    /// What our description announces.
    let fingerprint: Fingerprint

    /// Makes one; nil when OpenSSL refuses.
    init?() {
        guard let key = Self.makeKey() else { return nil }
        defer { EVP_PKEY_free(key) }
        guard let certificate = Self.makeCertificate(key)?.der, var key = Self.encode(key) else { return nil }
        defer { wipe(&key) }
        pem = PEM.encode(certificate, as: .certificate) + PEM.encode(key, as: .privateKey)
        fingerprint = Fingerprint(certificate: certificate)
    }

    private static func makeKey() -> OpaquePointer? {
        guard let context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil) else { return nil }
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1,
            EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) == 1,
            EVP_PKEY_keygen(context, &key) == 1
        else { return nil }
        return key
    }

    /// Self-signed, named as browsers name theirs, valid from a day ago to 30 days ahead.
    private static func makeCertificate(_ key: OpaquePointer) -> X509Handle? {
        guard let certificate = X509_new() else { return nil }
        let handle = X509Handle(adopting: certificate)
        let day = 24 * 60 * 60
        let isDone =
            X509_set_version(certificate, 2) == 1
            && ASN1_INTEGER_set_int64(X509_get_serialNumber(certificate), .random(in: 1...Int64.max)) == 1
            && X509_gmtime_adj(X509_getm_notBefore(certificate), -day) != nil
            && X509_gmtime_adj(X509_getm_notAfter(certificate), 30 * day) != nil
            && X509_NAME_add_entry_by_txt(
                X509_get_subject_name(certificate), "CN", MBSTRING_ASC, "WebRTC", -1, -1, 0) == 1
            && X509_set_issuer_name(certificate, X509_get_subject_name(certificate)) == 1
            && X509_set_pubkey(certificate, key) == 1 && X509_sign(certificate, key, EVP_sha256()) > 0
        return isDone ? handle : nil
    }

    /// PKCS #8.
    private static func encode(_ key: OpaquePointer) -> [UInt8]? {
        guard let info = EVP_PKEY2PKCS8(key) else { return nil }
        defer { PKCS8_PRIV_KEY_INFO_free(info) }
        var output: UnsafeMutablePointer<UInt8>?
        let count = i2d_PKCS8_PRIV_KEY_INFO(info, &output)
        guard count > 0, let output else { return nil }
        defer { CRYPTO_clear_free(output, Int(count), "", 0) }
        return Array(UnsafeBufferPointer(start: output, count: Int(count)))
    }
}
