import COpenSSL
import Cryptography

/// Makes the two certificates of a relay in the form `smp-server init` gives them (SMP fact sheet §2).
package enum CertificateMaker {
    /// 999,999 days: the certificates end after the year 4759.
    static let validDays: Int32 = 999_999

    package struct Dates {
        /// Days from now.
        let notBefore: Int32
        let notAfter: Int32

        package init(notBefore: Int32 = 0, notAfter: Int32 = CertificateMaker.validDays) {
            self.notBefore = notBefore
            self.notAfter = notAfter
        }
    }

    /// The identity: a self-signed certificate authority.
    package static func authority(key: AuthenticationPrivateKey, dates: Dates = Dates()) throws(TransportError)
        -> X509Handle
    {
        let certificate = try blank(publicKey: key, dates: dates)
        try name(certificate, [("CN", "SMP server CA"), ("O", "SimpleX")])
        X509_set_issuer_name(certificate.pointer, X509_get_subject_name(certificate.pointer))
        try extend(
            certificate, issuer: certificate,
            [
                (NID_subject_key_identifier, "hash"), (NID_authority_key_identifier, "keyid:always"),
                (NID_basic_constraints, "critical,CA:TRUE"),
            ])
        try sign(certificate, with: key)
        return certificate
    }

    /// A certificate of its own authority that is itself allowed to issue; for chains longer than two.
    package static func intermediate(
        key: AuthenticationPrivateKey, name commonName: String, issuer: X509Handle, issuerKey: AuthenticationPrivateKey
    ) throws(TransportError) -> X509Handle {
        try issued(
            key: key, name: commonName, issuer: issuer, issuerKey: issuerKey, dates: Dates(),
            [(NID_basic_constraints, "critical,CA:TRUE")])
    }

    /// The certificate that TLS uses.
    package static func leaf(
        key: AuthenticationPrivateKey, host: String, issuer: X509Handle, issuerKey: AuthenticationPrivateKey,
        dates: Dates = Dates()
    ) throws(TransportError) -> X509Handle {
        try issued(
            key: key, name: host, issuer: issuer, issuerKey: issuerKey, dates: dates,
            [
                (NID_basic_constraints, "CA:FALSE"),
                (NID_key_usage, "digitalSignature,nonRepudiation,keyAgreement"),
                (NID_ext_key_usage, "serverAuth"),
            ])
    }

    private static func issued(
        key: AuthenticationPrivateKey, name commonName: String, issuer: X509Handle, issuerKey: AuthenticationPrivateKey,
        dates: Dates, _ extensions: [(Int32, String)]
    ) throws(TransportError) -> X509Handle {
        let certificate = try blank(publicKey: key, dates: dates)
        try name(certificate, [("CN", commonName)])
        X509_set_issuer_name(certificate.pointer, X509_get_subject_name(issuer.pointer))
        let identifiers = [(NID_subject_key_identifier, "hash"), (NID_authority_key_identifier, "keyid:always")]
        try extend(certificate, issuer: issuer, extensions + identifiers)
        try sign(certificate, with: issuerKey)
        return certificate
    }

    private static func blank(publicKey: AuthenticationPrivateKey, dates: Dates) throws(TransportError) -> X509Handle {
        guard let pointer = X509_new() else { throw .credentials(.openSSL(OpenSSLFailure.words)) }
        let certificate = X509Handle(adopting: pointer)
        try check(X509_set_version(pointer, 2))
        // RFC 5280 §4.1.2.2: a positive number of at most 20 bytes.
        var serial = randomBytes(20)
        serial[0] = serial[0] & 0x7F | 0x40
        let number = BN_bin2bn(serial, Int32(serial.count), nil)
        defer { BN_free(number) }
        guard BN_to_ASN1_INTEGER(number, X509_get_serialNumber(pointer)) != nil else {
            throw .credentials(.openSSL(OpenSSLFailure.words))
        }
        // Dates after 2049 become GeneralizedTime by themselves.
        guard X509_time_adj_ex(X509_getm_notBefore(pointer), dates.notBefore, 0, nil) != nil,
            X509_time_adj_ex(X509_getm_notAfter(pointer), dates.notAfter, 0, nil) != nil
        else { throw .credentials(.openSSL(OpenSSLFailure.words)) }
        let key = try EVPKey(publicKey)
        try check(X509_set_pubkey(pointer, key.pointer))
        return certificate
    }

    private static func name(_ certificate: X509Handle, _ parts: [(String, String)]) throws(TransportError) {
        let name = X509_get_subject_name(certificate.pointer)
        for (field, value) in parts {
            let bytes = Array(value.utf8)
            try check(X509_NAME_add_entry_by_txt(name, field, MBSTRING_UTF8, bytes, Int32(bytes.count), -1, 0))
        }
    }

    private static func extend(
        _ certificate: X509Handle, issuer: X509Handle, _ extensions: [(Int32, String)]
    ) throws(TransportError) {
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, issuer.pointer, certificate.pointer, nil, nil, 0)
        for (identifier, value) in extensions {
            guard let made = X509V3_EXT_conf_nid(nil, &context, identifier, value) else {
                throw .credentials(.openSSL(OpenSSLFailure.words))
            }
            defer { X509_EXTENSION_free(made) }
            try check(X509_add_ext(certificate.pointer, made, -1))
        }
    }

    private static func sign(_ certificate: X509Handle, with key: AuthenticationPrivateKey) throws(TransportError) {
        let signer = try EVPKey(key)
        guard X509_sign(certificate.pointer, signer.pointer, nil) > 0 else {
            throw .credentials(.openSSL(OpenSSLFailure.words))
        }
    }

    private static func check(_ result: Int32) throws(TransportError) {
        guard result == 1 else { throw .credentials(.openSSL(OpenSSLFailure.words)) }
    }
}

/// A signature key in OpenSSL's form.
struct EVPKey: ~Copyable {
    let pointer: OpaquePointer

    init(_ key: AuthenticationPrivateKey) throws(TransportError) {
        let pointer: OpaquePointer?
        switch key {
        case .ed25519(let key): pointer = Self.make(EVP_PKEY_ED25519, key.rawRepresentation)
        case .ed448(let key): pointer = Self.make(EVP_PKEY_ED448, key.rawRepresentation)
        case .x25519: throw .credentials(.notSigning)
        }
        guard let pointer else { throw .credentials(.openSSL(OpenSSLFailure.words)) }
        self.pointer = pointer
    }

    deinit { EVP_PKEY_free(pointer) }

    private static func make(_ type: Int32, _ seed: SecretBytes) -> OpaquePointer? {
        seed.withUnsafeBytes {
            EVP_PKEY_new_raw_private_key(type, nil, $0.bindMemory(to: UInt8.self).baseAddress, $0.count)
        }
    }
}

extension OpenSSLFailure {
    /// The newest error for a person.
    static var words: String { takeReason() ?? "unknown error of OpenSSL" }
}
