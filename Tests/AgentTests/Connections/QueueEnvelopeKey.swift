import Cryptography

@testable import Agent
@testable import AgentProtocol

/// Seals anything at all for a queue, as its first message.
struct QueueEnvelopeKey {
    let key: X25519.PrivateKey
    let secret: SecretBytes

    init(_ queue: SendQueueRecord) throws {
        key = try X25519.PrivateKey(rawRepresentation: queue.queueKey)
        secret = queue.queueSecret
    }

    func seal(_ content: AgentEnvelope.Content, version: UInt16) throws -> [UInt8] {
        let envelope = try AgentEnvelope(agentVersion: version, content: content).encoded()
        return try QueueEnvelope(
            sealing: ClientMessage(body: envelope), version: 4, senderKey: key.publicKey, secret: secret
        ).encoded()
    }
}
