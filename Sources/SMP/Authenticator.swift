import Cryptography

/// Proof that a command comes from the holder of a queue's key (SMP fact sheet §6).
public enum Authenticator {
    /// Length of an X25519 authenticator: the box of a SHA-512.
    public static let agreementCount = 80
    /// The lengths an authenticator may have on the wire.
    static let lengths: Set<Int> = [0, Ed25519.signatureCount, Ed448.signatureCount, agreementCount]

    /// Makes the authenticator of `message` (a transmission's signed bytes).
    ///
    /// - Parameters:
    ///   - correlationID: the nonce of an X25519 authenticator.
    ///   - serverKey: the relay's session key, for X25519 only.
    /// - Throws: `SMPEncodingError.invalid` when X25519 lacks the relay's key, or an error of Cryptography.
    public static func sign(
        _ message: [UInt8], correlationID: CorrelationID, key: AuthenticationPrivateKey,
        serverKey: X25519.PublicKey?
    ) throws -> [UInt8] {
        switch key {
        case .ed25519(let key): return try key.signature(for: message)
        case .ed448(let key): return try key.signature(for: message)
        case .x25519(let key):
            guard let serverKey else { throw SMPEncodingError.invalid("relay session key") }
            return seal(message, secret: try key.sharedSecret(with: serverKey), correlationID: correlationID)
        }
    }

    /// Whether the holder of `key` made `authenticator` over `message`; an authenticator of another kind than the key's is
    /// not.
    ///
    /// - Parameter sessionKey: the private half of the relay's session key, for X25519.
    public static func verify(
        _ authenticator: [UInt8], for message: [UInt8], correlationID: CorrelationID, key: AuthenticationPublicKey,
        sessionKey: X25519.PrivateKey?
    ) -> Bool {
        switch key {
        case .ed25519(let key): return key.isValidSignature(authenticator, for: message)
        case .ed448(let key): return key.isValidSignature(authenticator, for: message)
        case .x25519(let key):
            guard authenticator.count == agreementCount, let secret = try? sessionKey?.sharedSecret(with: key) else {
                return false
            }
            return constantTimeEqual(
                authenticator, seal(message, secret: secret, correlationID: correlationID))
        }
    }

    /// Does the work of `verify` for a queue that does not exist, so that the time depends on the authenticator's kind
    /// only; always false.
    static func verifyWithoutKey(
        _ authenticator: [UInt8], for message: [UInt8], correlationID: CorrelationID, sessionKey: X25519.PrivateKey?
    ) -> Bool {
        let key: AuthenticationPublicKey =
            switch authenticator.count {
            case Ed448.signatureCount: .ed448(DummyKeys.ed448)
            case agreementCount: .x25519(DummyKeys.x25519)
            default: .ed25519(DummyKeys.ed25519)
            }
        _ = verify(authenticator, for: message, correlationID: correlationID, key: key, sessionKey: sessionKey)
        return false
    }

    private static func seal(_ message: [UInt8], secret: SecretBytes, correlationID: CorrelationID) -> [UInt8] {
        CryptoBox.seal(Digest.sha512(message), secret: secret, nonce: correlationID.bytes)
    }

    /// Keys nobody has the private half of any more.
    private enum DummyKeys {
        static let ed25519 = Ed25519.PrivateKey().publicKey
        static let ed448 = Ed448.PrivateKey().publicKey
        static let x25519 = X25519.PrivateKey().publicKey
    }
}
