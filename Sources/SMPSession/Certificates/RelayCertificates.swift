import COpenSSL
import Cryptography
import TLS

/// A relay's identity and what it needs to prove it.
///
/// The identity is a long-lived certificate authority whose fingerprint stands in the relay's address; TLS uses a leaf
/// certificate under it, and the leaf's key also signs each session's hello.
public struct RelayCertificates: Sendable {
    /// The chain shown to clients: leaf, then identity, then what stands above it.
    public let chain: CertificateChain
    /// The leaf's key: Ed25519, or Ed448 in old relays.
    public let serverKey: AuthenticationPrivateKey
    /// The identity's key. Needed only to issue another leaf, so it may be kept elsewhere.
    public let authorityKey: AuthenticationPrivateKey?

    /// - Throws: `TransportError.credentials` when the chain is too short or its leaf has another key.
    public init(
        chain: CertificateChain, serverKey: AuthenticationPrivateKey, authorityKey: AuthenticationPrivateKey? = nil
    ) throws(TransportError) {
        guard let leaf = chain.certificates.first, chain.certificates.count > 1 else {
            throw .credentials(.noIdentity)
        }
        guard (try? Certificates.publicKey(ofCertificate: leaf)) == serverKey.publicKey else {
            throw .credentials(.otherKey)
        }
        self.chain = chain
        self.serverKey = serverKey
        self.authorityKey = authorityKey
    }

    /// SHA-256 of the identity certificate: the fingerprint in the relay's address, 32 bytes.
    public var fingerprint: [UInt8] { chain.keyHash ?? [] }

    /// Makes a new identity with an Ed25519 leaf, as `smp-server init` does (SMP fact sheet §2).
    ///
    /// - Parameter host: the name in the leaf; clients don't check it.
    /// - Throws: `TransportError.credentials` when OpenSSL can't make them.
    public static func make(host: String) throws(TransportError) -> RelayCertificates {
        let authorityKey = AuthenticationPrivateKey.ed25519(.init())
        let serverKey = AuthenticationPrivateKey.ed25519(.init())
        let authority = try CertificateMaker.authority(key: authorityKey)
        let leaf = try CertificateMaker.leaf(key: serverKey, host: host, issuer: authority, issuerKey: authorityKey)
        return try RelayCertificates(
            chain: CertificateChain(certificates: [leaf.der, authority.der]), serverKey: serverKey,
            authorityKey: authorityKey)
    }

    /// Gives chain and key to a TLS context.
    func install(in openSSL: OpenSSLContext) throws(TransportError) {
        let context = openSSL.pointer
        let handles = chain.certificates.compactMap { X509Handle(der: $0) }
        guard let leaf = handles.first, handles.count == chain.certificates.count else {
            throw .credentials(.malformedCertificate)
        }
        guard SSL_CTX_use_certificate(context, leaf.pointer) == 1 else {
            throw .credentials(.openSSL(OpenSSLFailure.words))
        }
        for handle in handles.dropFirst() {
            // SSL_CTX_add1_chain_cert, a macro.
            guard SSL_CTX_ctrl(context, SSL_CTRL_CHAIN_CERT, 1, UnsafeMutableRawPointer(handle.pointer)) == 1 else {
                throw .credentials(.openSSL(OpenSSLFailure.words))
            }
        }
        let key = try EVPKey(serverKey)
        guard SSL_CTX_use_PrivateKey(context, key.pointer) == 1 else {
            throw .credentials(.openSSL(OpenSSLFailure.words))
        }
    }
}
