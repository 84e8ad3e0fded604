import Cryptography
import RelayFixtures
import SMP
import SMPSession
import Synchronization
import TestSupport
import Testing

@testable import RelayRules

/// The recorded layers of a forwarded SEND, made by the proxy and answered by the relay.
@Suite(.timeLimit(.minutes(5))) struct ProxyVectorTests {
    private struct Case {
        let vector: VectorValue

        func data(_ name: String) throws -> [UInt8] { try #require(vector[name].bytes) }

        func key(_ name: String) throws -> X25519.PrivateKey {
            let bytes = try #require(vector[name]["private"].bytes)
            return try X25519.PrivateKey(rawRepresentation: SecretBytes(bytes))
        }

        var version: SMPVersion {
            get throws { SMPVersion(rawValue: UInt16(try #require(vector["destination_version"].integer))) }
        }

        var clientID: CorrelationID { get throws { CorrelationID(try data("corr_id_and_nonce")) } }

        /// Of the hellos of proxy and relay.
        var secret: SecretBytes {
            get throws {
                try key("proxy_relay_session_key_of_proxy").sharedSecret(with: key("relay_session_key").publicKey)
            }
        }

        /// What the client handed to the proxy.
        var command: ProxiedCommand {
            get throws {
                let sealed = try ProxyLayers.sealInner(
                    data("batch"), secret: SecretBytes(data("command_secret")), correlationID: clientID, .request)
                return ProxiedCommand(version: try version, key: try key("command_key").publicKey, sealed: sealed)
            }
        }

        var exchange: ForwardedExchange {
            get throws {
                try ForwardedExchange(
                    command, clientID: clientID, secret: secret,
                    correlationID: CorrelationID(data("forward_nonce_is_rfwd_corr_id")))
            }
        }
    }

    private static var cases: [Case] { get throws { try Vectors.group("proxy").items.map { Case(vector: $0) } } }

    @Test func `the proxys layer is that of the vectors`() throws {
        for vector in try Self.cases {
            let exchange = try vector.exchange
            guard case .forwardToRelay(let sealed) = exchange.request.command else { throw TransportError.block }
            #expect(sealed.count == vector.vector["forward_encrypted_length"].integer)
            #expect(Digest.sha256(sealed) == (try vector.data("forward_encrypted_sha256")))
        }
    }

    @Test func `a relay with that queue answers as in the vectors`() throws {
        for vector in try Self.cases {
            let sender = try vector.key("sender_auth_key")
            let ids = Mutex([EntityID.random(), EntityID(try vector.data("entity_id"))])
            let entropy = RelayEntropy(
                entityID: { ids.withLock { $0.isEmpty ? .random() : $0.removeFirst() } }, messageID: { .random() },
                agreement: RelayEntropy.system.agreement)
            let core = RelayCore(entropy: entropy) { 1_700_000_000 }
            let recipient = CoreSession(core: core, number: 1, version: 14)
            let queue = try recipient.makeQueue()
            #expect(queue.senderID.bytes == (try vector.data("entity_id")))
            #expect(
                try recipient.ask(
                    .setSenderKey(.x25519(sender.publicKey)), queue.recipientID, queue.recipientKey) == .ok)

            let exchange = try vector.exchange
            let context = SessionContext(
                number: 2, version: 14, sessionID: try vector.data("relay_session_id"),
                key: SessionKey(try vector.key("relay_session_key")), secret: try vector.secret)
            let request = try Transmission(
                exchange.request.command, correlationID: exchange.request.correlationID, entityID: .none, version: 14,
                sessionID: context.sessionID, key: nil, serverKey: nil)
            let output = core.process(try Batch.encode([request.encoded(14)]), session: context)
            #expect(output.pushes.map(\.session) == [1])
            let payload = try #require(output.payloads.first)
            let first = try Batch.transmissions(payload, version: 14).first
            let answer = try #require(first).get()
            guard case .relayResponse(let sealed) = try BrokerMessage(decoding: answer.command, version: 14) else {
                throw TransportError.block
            }
            #expect(Digest.sha256(sealed) == (try vector.data("response_forward_encrypted_sha256")))
            // And the proxy hands the client its part of it.
            #expect(Digest.sha256(try exchange.open(sealed)) == (try vector.data("response_encrypted_sha256")))
        }
    }

    @Test func `an answer to another command is not passed on`() throws {
        let vector = try #require(try Self.cases.first)
        let secret = try vector.secret
        let exchange = try vector.exchange
        let other = try ForwardedResponse(correlationID: .random(), sealed: [1]).encoded()
        let sealed = ProxyLayers.sealOuter(
            other, secret: secret, correlationID: exchange.request.correlationID, .response)
        #expect(throws: SMPDecodingError.self) { try exchange.open(sealed) }
        let replayed = ProxyLayers.sealOuter(other, secret: secret, correlationID: .random(), .response)
        #expect(throws: SMPDecodingError.decryptionFailed) { try exchange.open(replayed) }
    }
}
