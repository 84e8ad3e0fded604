import Cryptography
import SMP

/// The relay's key for one queue, and the secret it shares with the recipient's.
struct QueueAgreement: Sendable {
    let publicKey: X25519.PublicKey
    let secret: SecretBytes
}

/// Where a relay's random values come from.
package struct RelayEntropy: Sendable {
    var entityID: @Sendable () -> EntityID
    var messageID: @Sendable () -> MessageID
    /// Fresh keys against a recipient's key; throws for a point of small order.
    var agreement: @Sendable (X25519.PublicKey) throws -> QueueAgreement

    static let system = RelayEntropy(
        entityID: { .random() }, messageID: { .random() },
        agreement: { key in
            let own = X25519.PrivateKey()
            return QueueAgreement(publicKey: own.publicKey, secret: try own.sharedSecret(with: key))
        })
}
