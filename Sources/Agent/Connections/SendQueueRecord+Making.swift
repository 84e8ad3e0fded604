import AgentProtocol
import Cryptography
import SMP

extension SendQueueRecord {
    /// A new send queue to where the peer wants to be reached, with fresh keys.
    ///
    /// - Throws: `AgentError.invalidLink` when the peer's key is unusable.
    init(connection: ConnectionID, to queue: QueueInfo) throws {
        let key = X25519.PrivateKey()
        guard let secret = try? key.sharedSecret(with: queue.key) else { throw AgentError.invalidLink }
        self.init(
            connection: connection, isFast: queue.mode == .messaging, clientVersion: queue.version,
            relay: queue.address.relay.text, senderID: queue.address.senderID.bytes,
            authenticationKey: Ed25519.PrivateKey().rawRepresentation, queueKey: key.rawRepresentation,
            queueSecret: secret)
    }
}
