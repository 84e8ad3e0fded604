import Cryptography
import SMP

/// What both hellos agreed on, from the client's side.
struct ClientSession: Sendable {
    let version: SMPVersion
    let sessionID: [UInt8]
    /// The relay's signed session key.
    let serverKey: X25519.PublicKey
    var cipher: BlockCipher
    /// What a proxy passes on; nil for an ordinary client.
    let forwarding: ForwardingDetails?

    /// Checks the relay's hello (SMP fact sheet §4) and answers it.
    ///
    /// - Returns: the session and the block with the client's hello.
    static func greet(
        _ block: [UInt8], details: TLSDetails, versions: SMPVersionRange, keyHash: [UInt8],
        sessionKey: X25519.PrivateKey, isProxy: Bool = false
    ) throws(TransportError) -> (ClientSession, [UInt8]) {
        guard let payload = try? Padding.unpad(block), let hello = try? ServerHello(decoding: payload) else {
            throw .hello(.malformed)
        }
        guard hello.sessionID == details.sessionID else { throw .hello(.sessionIdentifier) }
        guard let common = agreed(hello.versions, versions, isProxy: isProxy) else { throw .version }
        let (key, serverKey) = try check(hello.key, details: details, keyHash: keyHash)
        let answer = ClientHello(
            version: common, keyHash: keyHash, sessionKey: sessionKey.publicKey, isProxy: isProxy)
        do {
            var plain = BlockCipher()
            let greeting = try plain.seal(try answer.encoded())
            let secret = try sessionKey.sharedSecret(with: serverKey)
            let cipher =
                answer.encryptsBlocks
                ? try BlockCipher(sessionID: hello.sessionID, secret: secret, side: .client) : plain
            let session = ClientSession(
                version: common, sessionID: hello.sessionID, serverKey: serverKey, cipher: cipher,
                forwarding: isProxy ? ForwardingDetails(versions: hello.versions, key: key, secret: secret) : nil)
            return (session, greeting)
        } catch {
            // A session key of small order is all that can be wrong here.
            throw .hello(.signature)
        }
    }

    /// The highest common version. A proxy can say what it is from version 14 on; below, it keeps to versions without
    /// block encryption (SMP fact sheet §10).
    private static func agreed(
        _ relay: SMPVersionRange, _ own: SMPVersionRange, isProxy: Bool
    ) -> SMPVersion? {
        guard let common = relay.intersection(own) else { return nil }
        guard isProxy, common.max < .proxyFlag else { return common.max }
        return common.intersection(SMPVersionRange(0...10))?.max
    }

    private static func check(
        _ key: CertifiedKey?, details: TLSDetails, keyHash: [UInt8]
    ) throws(TransportError) -> (CertifiedKey, X25519.PublicKey) {
        guard let key else { throw .hello(.missingKey) }
        guard key.chain.first == details.serverChain.first, (2...4).contains(key.chain.count) else {
            throw .hello(.certificateChain)
        }
        guard key.keyHash == keyHash else { throw .hello(.keyHash) }
        guard let serverKey = try? key.agreementKey(keyHash: keyHash) else { throw .hello(.signature) }
        return (key, serverKey)
    }

    /// The request as a transmission of this session.
    func encode(_ request: RelayRequest) throws -> [UInt8] {
        try Transmission(
            request.command, correlationID: request.correlationID, entityID: request.entity, version: version,
            sessionID: sessionID, key: request.key, serverKey: serverKey
        ).encoded(version)
    }
}
