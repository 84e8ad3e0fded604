import Cryptography

/// One side's key pair for one call (Calls fact sheet §3.1).
public struct CallKeys: Sendable {
    private let privateKey: X25519.PrivateKey

    /// A fresh random pair.
    public init() { privateKey = X25519.PrivateKey() }

    /// A given pair.
    public init(privateKey: X25519.PrivateKey) { self.privateKey = privateKey }

    /// The half which the peer gets.
    public var publicKey: X25519.PublicKey { privateKey.publicKey }

    /// The key for frames: the raw shared secret of 32 bytes, without any derivation, as the protocol has it.
    /// - Throws: ``CallEndReason/keyAgreementFailed`` when the peer's key cannot be used.
    public func frameKey(with peer: X25519.PublicKey) throws(CallEndReason) -> SecretBytes {
        do {
            return try privateKey.sharedSecret(with: peer)
        } catch {
            throw .keyAgreementFailed
        }
    }
}
