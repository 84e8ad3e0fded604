import Cryptography
import TestSupport
import Testing

@testable import AgentProtocol

/// The per-queue box.
@Suite(.timeLimit(.minutes(5))) struct QueueEnvelopeTests {
    @Test func `recorded envelopes open and are made again`() throws {
        let vectors = try Vectors.group("sender_envelope").items
        #expect(vectors.count == 4)
        for vector in vectors {
            let bytes = try #require(vector["envelope"].bytes)
            let envelope = try QueueEnvelope(decoding: bytes)
            #expect(bytes.count == vector["envelope_length"].integer)
            #expect(Int(envelope.version) == vector["client_version"].integer)
            #expect(envelope.nonce == vector["nonce"].bytes)

            let recipient = try X25519.PrivateKey(
                rawRepresentation: SecretBytes(try #require(vector["recipient_queue_key"]["private"].bytes)))
            let sender = try X25519.PublicKey(
                rawRepresentation: try #require(vector["sender_queue_key"]["public"].bytes))
            let secret = try recipient.sharedSecret(with: sender)
            #expect(secret.bytes == vector["dh_secret"].bytes)
            if let key = envelope.senderKey { #expect(key == sender) }

            let message = try envelope.open(secret: secret)
            #expect(try message.encoded() == vector["client_message"].bytes)
            #expect(message.body == Array("agent message bytes".utf8))
            let again = try QueueEnvelope(
                sealing: message, version: envelope.version, senderKey: envelope.senderKey, secret: secret,
                nonce: envelope.nonce)
            #expect(try again.encoded() == bytes)
        }
    }

    @Test func `sizes do not depend on the message`() throws {
        let secret = SecretBytes.random(32)
        let key = X25519.PrivateKey().publicKey
        for count in [0, 100, 15_000] {
            let message = ClientMessage(body: [UInt8](repeating: 1, count: count))
            let first = try QueueEnvelope(sealing: message, version: 4, senderKey: key, secret: secret)
            let later = try QueueEnvelope(sealing: message, version: 4, senderKey: nil, secret: secret)
            #expect(try first.encoded().count == 15_992)
            #expect(try later.encoded().count == 16_043)
            #expect(try later.open(secret: secret) == message)
        }
    }

    @Test func `largest application message fits`() throws {
        let initiator = RatchetKeyPairs()
        var ratchet = try Ratchet(joiner: RatchetKeyPairs(), peer: initiator.parameters(version: 2))
        var chain = IntegrityChain(lastID: 1, lastHash: [UInt8](repeating: 1, count: 32))
        let body = [UInt8](repeating: 2, count: PaddedCounts.maximumBody)
        let plaintext = try chain.send(.message(body)).plaintext
        let encrypted = try ratchet.encrypt(plaintext, paddedTo: PaddedCounts.agentMessage)
        let envelope = AgentEnvelope(agentVersion: 7, content: .message(encrypted: encrypted))
        let sealed = try QueueEnvelope(
            sealing: ClientMessage(body: envelope.encoded()), version: 4, senderKey: nil, secret: .random(32))
        #expect(try sealed.encoded().count == 16_043)
        let larger = try chain.send(.message(body + [0])).plaintext
        #expect(throws: RatchetError.messageTooLarge) {
            try ratchet.encrypt(larger, paddedTo: PaddedCounts.agentMessage)
        }
    }

    @Test func `too large wrong secret and garbage are refused`() throws {
        let secret = SecretBytes.random(32)
        let large = ClientMessage(body: [UInt8](repeating: 0, count: 15_998))
        #expect(throws: QueueEnvelopeError.messageTooLarge) {
            try QueueEnvelope(sealing: large, version: 4, senderKey: nil, secret: secret)
        }
        let envelope = try QueueEnvelope(
            sealing: ClientMessage(body: [1]), version: 4, senderKey: nil, secret: secret)
        #expect(throws: QueueEnvelopeError.notDecrypted) { try envelope.open(secret: .random(32)) }
        #expect(throws: AgentDecodingError.unsupportedVersion(9)) {
            try QueueEnvelope(decoding: [0, 9] + Array(envelope.encoded().dropFirst(2)))
        }
        let bytes = try envelope.encoded()
        for count in 0..<60 {
            #expect(throws: (any Error).self) {
                try QueueEnvelope(decoding: Array(bytes[..<count])).open(secret: secret)
            }
        }
        var random = SeededGenerator(seed: 3)
        for _ in 0..<500 {
            let garbage = random.bytes(Int.random(in: 0...120, using: &random))
            #expect(throws: (any Error).self) { try QueueEnvelope(decoding: garbage).open(secret: secret) }
            _ = try? ClientMessage(decoding: garbage)
        }
    }
}
