import Cryptography
import SMP

/// A relay's key for one session: signed in its hello, then used for block keys and X25519 authenticators.
public struct SessionKey: Sendable {
    public let publicKey: X25519.PublicKey
    private let agree: @Sendable (X25519.PublicKey) throws -> SecretBytes

    public init(_ privateKey: X25519.PrivateKey = .init()) {
        self.init(publicKey: privateKey.publicKey) { try privateKey.sharedSecret(with: $0) }
    }

    /// A key whose private half is elsewhere, such as in the answers of a recorded session.
    public init(
        publicKey: X25519.PublicKey, agree: @escaping @Sendable (X25519.PublicKey) throws -> SecretBytes
    ) {
        self.publicKey = publicKey
        self.agree = agree
    }

    /// The secret shared with the holder of another key.
    ///
    /// - Throws: `CryptographyError.invalidKey` for a point of small order.
    public func sharedSecret(with key: X25519.PublicKey) throws -> SecretBytes { try agree(key) }
}
