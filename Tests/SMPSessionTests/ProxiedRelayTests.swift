import Cryptography
import SMP
import TestSupport
import Testing

@testable import SMPSession

/// What a client does with a relay behind a proxy, without a network.
@Suite(.timeLimit(.minutes(5))) struct ProxiedRelayTests {
    private let certificates: RelayCertificates
    private let relayKey = X25519.PrivateKey()
    private let sessionID = [UInt8](repeating: 7, count: 32)

    init() throws { certificates = try RelayCertificates.make(host: "relay") }

    private func address(_ certificates: RelayCertificates? = nil) throws -> RelayAddress {
        try RelayAddress(
            hosts: ["relay.example"], port: nil, keyHash: (certificates ?? self.certificates).fingerprint)
    }

    /// What a proxy says, with something changed.
    private func session(
        key: X25519.PublicKey? = nil, chain: [[UInt8]]? = nil, signer: AuthenticationPrivateKey? = nil,
        versions: ClosedRange<UInt16> = 8...17, sessionID: [UInt8]? = nil
    ) throws -> ProxySession {
        let signed = try SignedKey(
            .x25519(key ?? relayKey.publicKey), signedBy: signer ?? certificates.serverKey)
        return ProxySession(
            sessionID: sessionID ?? self.sessionID, versions: SMPVersionRange(versions),
            key: CertifiedKey(chain: chain ?? certificates.chain.certificates, signedKey: signed))
    }

    private func relay(_ session: ProxySession, _ versions: ClosedRange<UInt16> = 9...17) throws -> ProxiedRelay {
        try ProxiedRelay(session, address: address(), versions: SMPVersionRange(versions))
    }

    private func fault(_ session: ProxySession) throws -> ProxiedRequestError? {
        let address = try address()
        do throws(ProxiedRequestError) {
            _ = try ProxiedRelay(session, address: address, versions: SMPVersionRange(9...17))
            return nil
        } catch { return error }
    }

    /// The relay's answer to a sealed command.
    private func answer(
        _ message: BrokerMessage, to exchange: ProxiedExchange, id: CorrelationID? = nil, entity: EntityID,
        version: SMPVersion = 17
    ) throws -> [UInt8] {
        guard case .forwardToProxy(let command) = exchange.request.command else { throw TransportError.block }
        let clientID = exchange.request.correlationID
        let transmission = try Transmission(
            message, correlationID: id ?? clientID, entityID: entity, version: version)
        return try ProxyLayers.sealInner(
            Batch.encode([transmission.encoded(version)]), secret: relayKey.sharedSecret(with: command.key),
            correlationID: clientID, .response)
    }

    @Test func `commands and answers are those of the vectors`() throws {
        for vector in try Vectors.group("proxy").items {
            let key = { (name: String) throws -> X25519.PrivateKey in
                let bytes = try #require(vector[name]["private"].bytes)
                return try X25519.PrivateKey(rawRepresentation: SecretBytes(bytes))
            }
            let number = UInt16(try #require(vector["destination_version"].integer))
            let relayKey = try key("relay_session_key")
            let sessionID = try #require(vector["relay_session_id"].bytes)
            let session = try session(key: relayKey.publicKey, versions: 8...number, sessionID: sessionID)
            let relay = try relay(session, 8...17)
            #expect(relay.version == SMPVersion(rawValue: number))
            let entity = EntityID(try #require(vector["entity_id"].bytes))
            let batch = try #require(vector["batch"].bytes)
            let first = try Batch.transmissions(batch, version: relay.version).first
            let inner = try #require(first).get()
            let clientID = CorrelationID(try #require(vector["corr_id_and_nonce"].bytes))
            let request = RelayRequest(
                try Command(decoding: inner.command, version: relay.version), entity: entity,
                key: .x25519(try key("sender_auth_key")), correlationID: clientID)
            let exchange = try relay.seal(request, key: key("command_key"))
            guard case .forwardToProxy(let command) = exchange.request.command else { throw TransportError.block }
            #expect(Digest.sha256(command.sealed) == vector["enc_transmission_sha256"].bytes)
            #expect(exchange.request.entity.bytes == relay.sessionID)
            #expect(exchange.request.correlationID == request.correlationID)
            if let pfwd = vector["pfwd_command"].bytes { #expect(try exchange.request.command.encoded(17) == pfwd) }

            let answered = try #require(vector["response_batch"].bytes)
            let response = try ProxyLayers.sealInner(
                answered, secret: relayKey.sharedSecret(with: command.key), correlationID: clientID, .response)
            #expect(Digest.sha256(response) == vector["response_encrypted_sha256"].bytes)
            #expect(try exchange.open(response) == .ok)
        }
    }

    @Test func `a proxy cannot show a key of its own`() throws {
        let other = try RelayCertificates.make(host: "proxy")
        #expect(try fault(session()) == nil)
        #expect(
            try fault(session(chain: other.chain.certificates, signer: other.serverKey))
                == .identity(.wrongFingerprint))
        #expect(try fault(session(signer: other.serverKey)) == .identity(.hello(.signature)))
        let mixed = [other.chain.certificates[0], certificates.chain.certificates[1]]
        guard case .identity(.badCertificate) = try fault(session(chain: mixed, signer: other.serverKey)) else {
            Issue.record("a leaf of another authority was taken")
            return
        }
        #expect(try fault(session(chain: [])) == .identity(.badCertificate(.chainLength(0))))
    }

    @Test func `without common version there is no session`() throws {
        #expect(try fault(session(versions: 8...8)) == .version)
        #expect(try fault(session(versions: 18...19)) == .version)
        #expect(try relay(session(versions: 8...14)).version == 14)
        #expect(try relay(session(versions: 8...19)).version == 17)
    }

    @Test func `answers of the relay are taken`() throws {
        let relay = try relay(session())
        let entity = EntityID.random()
        let exchange = try relay.seal(RelayRequest(.send(notify: false, body: [1]), entity: entity))
        #expect(try exchange.open(answer(.ok, to: exchange, entity: entity)) == .ok)
        #expect(throws: ProxiedRequestError.refused(.quota)) {
            try exchange.open(answer(.error(.quota), to: exchange, entity: entity))
        }
    }

    @Test func `answers the relay did not make for this command are refused`() throws {
        let relay = try relay(session())
        let entity = EntityID.random()
        let first = try relay.seal(RelayRequest(.send(notify: false, body: [1]), entity: entity))
        let second = try relay.seal(RelayRequest(.send(notify: false, body: [2]), entity: entity))
        let answer = try answer(.ok, to: first, entity: entity)
        #expect(throws: ProxiedRequestError.forged) { try second.open(answer) }
        for index in [0, 20, answer.count - 1] {
            var changed = answer
            changed[index] ^= 1
            #expect(throws: ProxiedRequestError.forged) { try first.open(changed) }
        }
        #expect(throws: ProxiedRequestError.forged) { try first.open(Array(answer.dropLast())) }
        #expect(throws: ProxiedRequestError.forged) { try first.open([]) }
        // The command itself is no answer to it.
        guard case .forwardToProxy(let command) = first.request.command else { throw TransportError.block }
        #expect(throws: ProxiedRequestError.forged) { try first.open(command.sealed) }
    }

    @Test func `answers about something else make no sense`() throws {
        let relay = try relay(session())
        let entity = EntityID.random()
        let exchange = try relay.seal(RelayRequest(.send(notify: false, body: [1]), entity: entity))
        #expect(throws: ProxiedRequestError.unexpectedResponse) {
            try exchange.open(answer(.ok, to: exchange, entity: .random()))
        }
        #expect(throws: ProxiedRequestError.unexpectedResponse) {
            try exchange.open(answer(.ok, to: exchange, id: .random(), entity: entity))
        }
        let secret = try exchangeSecret(exchange)
        let rubbish = try ProxyLayers.sealInner(
            [1, 2, 3], secret: secret, correlationID: exchange.request.correlationID, .response)
        #expect(throws: ProxiedRequestError.unexpectedResponse) { try exchange.open(rubbish) }
    }

    private func exchangeSecret(_ exchange: ProxiedExchange) throws -> SecretBytes {
        guard case .forwardToProxy(let command) = exchange.request.command else { throw TransportError.block }
        return try relayKey.sharedSecret(with: command.key)
    }

    @Test func `each command has a key of its own`() throws {
        let relay = try relay(session())
        let request = RelayRequest(.send(notify: false, body: [1]), entity: .random())
        let keys = try (0..<5).map { _ in
            guard case .forwardToProxy(let command) = try relay.seal(request).request.command else {
                throw TransportError.block
            }
            return command.key
        }
        #expect(Set(keys).count == keys.count)
    }

    @Test func `what is too long is not sent`() throws {
        let relay = try relay(session())
        let fits = RelayRequest(
            .send(notify: true, body: Array(repeating: 1, count: SMPLimits.sentBody(17))), entity: .random(),
            key: .ed448(.init()))
        let exchange = try relay.seal(fits)
        let encoded = try exchange.request.command.encoded(17)
        #expect(encoded.count < SMPLimits.batch)
        let long = RelayRequest(.send(notify: true, body: Array(repeating: 1, count: 17_000)), entity: .random())
        #expect(throws: ProxiedRequestError.notEncodable) { try relay.seal(long) }
    }

    @Test func `refusals of the proxy are told apart`() {
        let cases: [(RelayRequestError, ProxiedRequestError)] = [
            (.refused(.proxy(.basicAuthentication)), .notForwarding), (.refused(.command(.unknown)), .notForwarding),
            (.refused(.proxy(.noSession)), .sessionLost), (.refused(.proxy(.broker(.host))), .broker(.host)),
            (.refused(.proxy(.relay(.crypto))), .notTaken(.crypto)), (.refused(.crypto), .notTaken(.crypto)),
            (.refused(.internalError), .proxy(.refused(.internalError))), (.timeout, .proxy(.timeout)),
            (.interrupted(.closedByPeer), .proxy(.interrupted(.closedByPeer))), (.notEncodable, .notEncodable),
        ]
        for (error, expected) in cases { #expect(ProxiedRequestError(error) == expected) }
    }
}
