import Cryptography
import SMP
import TestSupport
import Testing

@Suite("Layers through a proxy", .timeLimit(.minutes(5)))
struct ProxyLayersTests {
    @Test func `a SEND and its response pass all layers as in the vectors`() throws {
        for vector in try Vectors.group("proxy").items {
            let command = try proxied(vector)
            let forwarded = try forwarded(vector, command)
            try response(vector, forwarded)
        }
    }

    /// Client to proxy: the inner layer.
    private func proxied(_ vector: VectorValue) throws -> ProxiedCommand {
        let version = try vector.version("destination_version")
        let relay = try vector["relay_session_key"].agreementPair
        let commandKey = try vector["command_key"].agreementPair
        let secret = try commandKey.sharedSecret(with: relay.publicKey)
        #expect(secret == (try vector.secret("command_secret")))
        let id = CorrelationID(try vector.data("corr_id_and_nonce"))
        let batch = try vector.data("batch")
        try checkInner(vector, batch: batch, version: version, relay: relay, id: id)

        let sealed = try ProxyLayers.sealInner(batch, secret: secret, correlationID: id, .request)
        #expect(sealed.count == (try vector.number("enc_transmission_length")))
        #expect(Digest.sha256(sealed) == (try vector.data("enc_transmission_sha256")))
        #expect(
            try ProxyLayers.openInner(
                sealed, secret: relay.sharedSecret(with: commandKey.publicKey), correlationID: id, .request) == batch)
        let command = ProxiedCommand(version: version, key: commandKey.publicKey, sealed: sealed)
        if let pfwd = vector["pfwd_command"].bytes {
            #expect(try Command.forwardToProxy(command).encoded(17) == pfwd)
            #expect(try Command(decoding: pfwd, version: 17) == .forwardToProxy(command))
        }
        return command
    }

    /// The transmission inside is an ordinary one for the relay's session.
    private func checkInner(
        _ vector: VectorValue, batch: [UInt8], version: SMPVersion, relay: X25519.PrivateKey, id: CorrelationID
    ) throws {
        let session = try vector.data("relay_session_id")
        let inner = try #require(try Batch.transmissions(batch, version: version, sessionID: session).first).get()
        let signed = try inner.signedBytes(sessionID: session)
        #expect(signed == (try vector.data("authorized_bytes")))
        let key = try vector["sender_auth_key"].agreementPair
        #expect(
            Authenticator.verify(
                inner.authenticator, for: signed, correlationID: inner.correlationID, key: .x25519(key.publicKey),
                sessionKey: relay))
        let made = try Transmission(
            Command(decoding: inner.command, version: version), correlationID: id,
            entityID: vector.entity("entity_id"), version: version, sessionID: session, key: .x25519(key),
            serverKey: relay.publicKey)
        #expect(try Batch.encode([made.encoded(version)]) == batch)
    }

    /// Proxy to relay: the outer layer.
    private func forwarded(_ vector: VectorValue, _ command: ProxiedCommand) throws -> ForwardedCommand {
        let relay = try vector["relay_session_key"].agreementPair
        let proxy = try vector["proxy_relay_session_key_of_proxy"].agreementPair
        let forwarded = ForwardedCommand(
            correlationID: CorrelationID(try vector.data("corr_id_and_nonce")), command: command)
        let plain = try forwarded.encoded()
        #expect(Digest.sha256(plain) == (try vector.data("forward_plain_sha256")))
        let id = CorrelationID(try vector.data("forward_nonce_is_rfwd_corr_id"))
        let sealed = ProxyLayers.sealOuter(
            plain, secret: try proxy.sharedSecret(with: relay.publicKey), correlationID: id, .request)
        #expect(sealed.count == (try vector.number("forward_encrypted_length")))
        #expect(Digest.sha256(sealed) == (try vector.data("forward_encrypted_sha256")))
        let opened = try ProxyLayers.openOuter(
            sealed, secret: relay.sharedSecret(with: proxy.publicKey), correlationID: id, .request)
        #expect(try ForwardedCommand(decoding: opened) == forwarded)
        return forwarded
    }

    /// Relay to proxy to client.
    private func response(_ vector: VectorValue, _ forwarded: ForwardedCommand) throws {
        let relay = try vector["relay_session_key"].agreementPair
        let proxy = try vector["proxy_relay_session_key_of_proxy"].agreementPair
        let batch = try vector.data("response_batch")
        let secret = try relay.sharedSecret(with: forwarded.command.key)
        let inner = try ProxyLayers.sealInner(
            batch, secret: secret, correlationID: forwarded.correlationID, .response)
        #expect(Digest.sha256(inner) == (try vector.data("response_encrypted_sha256")))
        let answer = ForwardedResponse(correlationID: forwarded.correlationID, sealed: inner)
        let id = CorrelationID(try vector.data("forward_nonce_is_rfwd_corr_id"))
        let session = try relay.sharedSecret(with: proxy.publicKey)
        let outer = ProxyLayers.sealOuter(try answer.encoded(), secret: session, correlationID: id, .response)
        #expect(Digest.sha256(outer) == (try vector.data("response_forward_encrypted_sha256")))
        let opened = try ProxyLayers.openOuter(outer, secret: session, correlationID: id, .response)
        #expect(try ForwardedResponse(decoding: opened) == answer)
        #expect(
            try ProxyLayers.openInner(inner, secret: secret, correlationID: forwarded.correlationID, .response) == batch
        )
    }

    @Test func `a layer does not open in the other direction or under another id`() throws {
        let secret = SecretBytes(counting(32))
        let id = CorrelationID(counting(24))
        let inner = try ProxyLayers.sealInner([1], secret: secret, correlationID: id, .request)
        #expect(throws: SMPDecodingError.decryptionFailed) {
            try ProxyLayers.openInner(inner, secret: secret, correlationID: id, .response)
        }
        let outer = ProxyLayers.sealOuter([1], secret: secret, correlationID: id, .response)
        #expect(throws: SMPDecodingError.decryptionFailed) {
            try ProxyLayers.openOuter(outer, secret: secret, correlationID: .random(), .response)
        }
        #expect(throws: SMPEncodingError.tooLong) {
            try ProxyLayers.sealInner(counting(16_225), secret: secret, correlationID: id, .request)
        }
    }
}
