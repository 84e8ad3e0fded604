import COpenSSL
import MediaRules

/// A certificate made for one call: the process-wide one of GStreamer would let two calls be linked.
///
/// ECDSA on P-256, as browsers make it: a millisecond's work.
struct CallCertificate: Sendable {
    /// Certificate and private key, for `dtlssrtpdec`.
    let pem: String
    /// What our description announces.
    let fingerprint: Fingerprint

    /// Makes one; nil when OpenSSL refuses.
    init?() {
        guard let key = Self.makeKey() else { return nil }
        defer { EVP_PKEY_free(key) }
        guard let certificate = Self.makeCertificate(key) else { return nil }
        defer { X509_free(certificate) }
        guard let certificateText = Self.text({ PEM_write_bio_X509($0, certificate) }),
            let keyText = Self.text({ PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil) }),
            let fingerprint = Fingerprint(certificatePEM: certificateText)
        else { return nil }
        pem = certificateText + keyText
        self.fingerprint = fingerprint
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
    private static func makeCertificate(_ key: OpaquePointer) -> OpaquePointer? {
        guard let certificate = X509_new() else { return nil }
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
        guard isDone else {
            X509_free(certificate)
            return nil
        }
        return certificate
    }

    private static func text(_ write: (OpaquePointer) -> Int32) -> String? {
        guard let memory = BIO_new(BIO_s_mem()) else { return nil }
        defer { BIO_free(memory) }
        guard write(memory) == 1 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 8_192)
        let count = BIO_read(memory, &bytes, Int32(bytes.count))
        return count > 0 ? String(decoding: bytes.prefix(Int(count)), as: UTF8.self) : nil
    }
}
