import Cryptography
import RelayFixtures
import SMP
import SMPSession
import Testing

@testable import RelayRules

/// Commands that come through a proxy (SMP fact sheet §10).
@Suite(.timeLimit(.minutes(5))) struct ForwardingTests {
    private let fixture = CoreFixture()

    /// The proxy's session, whose id and key the hidden client knows from PKEY.
    private let proxy: CoreSession

    init() { proxy = fixture.session(7) }

    /// What a hidden client's command is like for the relay.
    private func transmission(
        _ command: Command, _ entity: EntityID, _ key: AuthenticationPrivateKey?
    ) throws -> Transmission {
        let inside = try proxy.transmission(command, entity, key)
        let ephemeral = X25519.PrivateKey()
        let clientID = CorrelationID.random()
        let sealed = try ProxyLayers.sealInner(
            Batch.encode([inside.encoded(14)]), secret: ephemeral.sharedSecret(with: proxy.context.key.publicKey),
            correlationID: clientID, .request)
        let forwarded = ForwardedCommand(
            correlationID: clientID, command: ProxiedCommand(version: 14, key: ephemeral.publicKey, sealed: sealed))
        let proxyID = CorrelationID.random()
        let outer = ProxyLayers.sealOuter(
            try forwarded.encoded(), secret: try #require(proxy.context.secret), correlationID: proxyID, .request)
        return try proxy.transmission(.forwardToRelay(outer), correlationID: proxyID)
    }

    /// Sends a command the way of a hidden client.
    private func forward(
        _ command: Command, _ entity: EntityID, _ key: AuthenticationPrivateKey?, version: SMPVersion = 14
    ) throws -> (answer: BrokerMessage, pushes: [Push]) {
        let transmission = try Transmission(
            command, entityID: entity, version: version, sessionID: proxy.context.sessionID, key: key,
            serverKey: proxy.context.key.publicKey)
        let ephemeral = X25519.PrivateKey()
        let secret = try ephemeral.sharedSecret(with: proxy.context.key.publicKey)
        let clientID = CorrelationID.random()
        let inner = try ProxyLayers.sealInner(
            Batch.encode([transmission.encoded(version)]), secret: secret, correlationID: clientID, .request)
        let forwarded = ForwardedCommand(
            correlationID: clientID,
            command: ProxiedCommand(version: version, key: ephemeral.publicKey, sealed: inner))
        let proxyID = CorrelationID.random()
        let outerSecret = try #require(proxy.context.secret)
        let outer = ProxyLayers.sealOuter(
            try forwarded.encoded(), secret: outerSecret, correlationID: proxyID, .request)
        let result = try proxy.send([try proxy.transmission(.forwardToRelay(outer), correlationID: proxyID)])
        let answer = try #require(result.answers.first)
        #expect(answer.correlationID == proxyID)
        #expect(answer.entity == EntityID.none)
        guard case .relayResponse(let sealed) = answer.message else { return (answer.message, result.pushes) }
        let response = try ForwardedResponse(
            decoding: ProxyLayers.openOuter(sealed, secret: outerSecret, correlationID: proxyID, .response))
        #expect(response.correlationID == clientID)
        let batch = try ProxyLayers.openInner(
            response.sealed, secret: secret, correlationID: clientID, .response)
        let first = try Batch.transmissions(batch, version: version).first
        let read = try #require(first).get()
        #expect(read.correlationID == transmission.correlationID)
        #expect(read.entityID == entity)
        return (try BrokerMessage(decoding: read.command, version: version), result.pushes)
    }

    @Test func `a forwarded message is delivered`() throws {
        let queue = try fixture.session(1).makeQueue()
        #expect(try forward(.secure(queue.senderKey.publicKey), queue.senderID, queue.senderKey).answer == .ok)
        let sent = try forward(.send(notify: true, body: [5]), queue.senderID, queue.senderKey)
        #expect(sent.answer == .ok)
        #expect(sent.pushes.map(\.session) == [1])
    }

    @Test func `the answer waits for what the forwarded command changed`() throws {
        fixture.core.withStore { $0.journal.isKept = true }
        let queue = try fixture.session(1).makeQueue()
        let before = fixture.core.withStore { $0.journal.position }
        let output = try proxy.output(of: [
            transmission(.send(notify: false, body: [5]), queue.senderID, nil)
        ])
        #expect(output.mustBeWritten)
        #expect(output.position == before + 1)
        #expect(fixture.core.withStore { $0.journal.position } == before + 1)
    }

    @Test func `X25519 authenticators are made for the relay's key`() throws {
        let queue = try fixture.session(1).makeQueue()
        let key = AuthenticationPrivateKey.x25519(.init())
        #expect(try forward(.secure(key.publicKey), queue.senderID, key).answer == .ok)
    }

    @Test func `recipient commands are prohibited inside`() throws {
        let queue = try fixture.session(1).makeQueue()
        for command in [Command.subscribe, .delete, .queueInfo] {
            #expect(
                try forward(command, queue.recipientID, queue.recipientKey).answer == .error(.command(.prohibited)))
        }
    }

    @Test func `the forwarded version decides the limit`() throws {
        let queue = try fixture.session(1).makeQueue()
        let body = [UInt8](repeating: 1, count: 16_064)
        #expect(
            try forward(.send(notify: false, body: body), queue.senderID, nil, version: 9).answer == .ok)
        #expect(
            try forward(.send(notify: false, body: body), queue.senderID, nil, version: 11).answer
                == .error(.largeMessage))
    }

    @Test func `what does not open gets crypto`() throws {
        #expect(try proxy.ask(.forwardToRelay(Array(repeating: 1, count: 100))) == .error(.crypto))
        #expect(try proxy.ask(.forwardToRelay([])) == .error(.crypto))
    }

    @Test func `what opens but does not parse gets syntax`() throws {
        let id = CorrelationID.random()
        let secret = try #require(proxy.context.secret)
        let sealed = ProxyLayers.sealOuter([1, 2, 3], secret: secret, correlationID: id, .request)
        let result = try proxy.send([try proxy.transmission(.forwardToRelay(sealed), correlationID: id)])
        #expect(result.answers.map(\.message) == [.error(.command(.syntax))])
    }
}
