import Cryptography
import SMP

/// The relay's side of the hellos (SMP fact sheet §4). It does no I/O.
public struct ServerGreeting: Sendable {
    /// What the hellos agreed on.
    public struct Agreement: Sendable {
        public let version: SMPVersion
        /// Makes and reads the session's blocks.
        public var cipher: BlockCipher
        /// Of the client's hello key and the session key; nil when the client sent no key.
        public let secret: SecretBytes?
    }

    public let versions: SMPVersionRange
    public let sessionID: [UInt8]
    public let sessionKey: SessionKey
    private let certifiedKey: CertifiedKey

    public init(versions: SMPVersionRange, sessionID: [UInt8], certifiedKey: CertifiedKey, sessionKey: SessionKey) {
        self.versions = versions
        self.sessionID = sessionID
        self.certifiedKey = certifiedKey
        self.sessionKey = sessionKey
    }

    /// A greeting with a fresh key, signed by the relay's leaf certificate.
    ///
    /// - Throws: an error of Cryptography.
    public init(versions: SMPVersionRange, sessionID: [UInt8], certificates: RelayCertificates) throws {
        let sessionKey = SessionKey()
        let signed = try SignedKey(.x25519(sessionKey.publicKey), signedBy: certificates.serverKey)
        let certified = CertifiedKey(chain: certificates.chain.certificates, signedKey: signed)
        self.init(versions: versions, sessionID: sessionID, certifiedKey: certified, sessionKey: sessionKey)
    }

    /// The block that the relay sends first.
    ///
    /// - Throws: `SMPEncodingError` for certificates that don't fit.
    public func block() throws -> [UInt8] {
        let hello = ServerHello(versions: versions, sessionID: sessionID, key: certifiedKey)
        return try Padding.pad(hello.encoded(), to: SMPLimits.block)
    }

    /// What a client is told that announced a service: this relay has none (SMP fact sheet §4).
    ///
    /// - Throws: `SMPEncodingError`.
    public func serviceRefusal() throws -> [UInt8] {
        try Padding.pad(ServiceReply.refused(.handshakeService).encoded(), to: SMPLimits.block)
    }

    /// Reads the client's hello.
    ///
    /// - Throws: `TransportError.hello` or `.version`; the relay then closes without a word.
    public func agree(on block: [UInt8]) throws(TransportError) -> Agreement {
        guard let payload = try? Padding.unpad(block), let hello = try? ClientHello(decoding: payload) else {
            throw .hello(.malformed)
        }
        guard versions.contains(hello.version) else { throw .version }
        guard hello.keyHash == certifiedKey.keyHash else { throw .hello(.keyHash) }
        guard hello.service == nil else { throw .hello(.unsupportedService) }
        do {
            let secret = try hello.sessionKey.map { try sessionKey.sharedSecret(with: $0) }
            guard let secret, hello.encryptsBlocks else {
                return Agreement(version: hello.version, cipher: BlockCipher(), secret: secret)
            }
            let cipher = try BlockCipher(sessionID: sessionID, secret: secret, side: .server)
            return Agreement(version: hello.version, cipher: cipher, secret: secret)
        } catch {
            throw .hello(.signature)
        }
    }
}
