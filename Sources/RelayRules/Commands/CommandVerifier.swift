import Cryptography
import SMP
import SMPSession

/// Checks authenticators of one session. The time it takes depends on the kind of authenticator only, not on whether the
/// queue exists or has a key of that kind (SMP fact sheet §8.1).
struct CommandVerifier: Sendable {
    let sessionID: [UInt8]
    let sessionKey: SessionKey

    /// Whether a transmission may do what it asks for.
    func accepts(_ transmission: Transmission, _ lookup: KeyLookup) -> Bool {
        if transmission.authenticator.isEmpty { return lookup == .open }
        let candidates: [AuthenticationPublicKey] = if case .keys(let keys) = lookup { keys } else { [] }
        let kind = Kind(authenticator: transmission.authenticator)
        let fitting = candidates.filter { Kind(key: $0) == kind }
        guard let message = try? transmission.signedBytes(sessionID: sessionID) else { return false }
        if fitting.isEmpty {
            _ = verify(transmission, message, key: kind.standIn)
            return false
        }
        // All are tried, so that the time does not tell which one fits.
        return fitting.reduce(false) { verify(transmission, message, key: $1) || $0 }
    }

    private func verify(_ transmission: Transmission, _ message: [UInt8], key: AuthenticationPublicKey) -> Bool {
        guard case .x25519(let publicKey) = key else {
            return Authenticator.verify(
                transmission.authenticator, for: message, correlationID: transmission.correlationID, key: key,
                sessionKey: nil)
        }
        guard let secret = try? sessionKey.sharedSecret(with: publicKey) else { return false }
        let expected = CryptoBox.seal(
            Digest.sha512(message), secret: secret, nonce: transmission.correlationID.bytes)
        return constantTimeEqual(expected, transmission.authenticator)
    }

    /// About how long ``accepts(_:_:)`` takes, in microseconds.
    static func cost(_ transmission: Transmission, _ lookup: KeyLookup) -> Int {
        if transmission.authenticator.isEmpty { return 0 }
        let kind = Kind(authenticator: transmission.authenticator)
        let candidates: [AuthenticationPublicKey] = if case .keys(let keys) = lookup { keys } else { [] }
        return kind.cost * max(1, candidates.count { Kind(key: $0) == kind })
    }

    private enum Kind {
        case ed25519, ed448, x25519

        init(authenticator: [UInt8]) {
            switch authenticator.count {
            case Ed448.signatureCount: self = .ed448
            case Authenticator.agreementCount: self = .x25519
            default: self = .ed25519
            }
        }

        init(key: AuthenticationPublicKey) {
            switch key {
            case .ed25519: self = .ed25519
            case .ed448: self = .ed448
            case .x25519: self = .x25519
            }
        }

        /// One verification, in microseconds of an ordinary processor.
        var cost: Int {
            switch self {
            case .ed25519: 100
            case .ed448: 200
            case .x25519: 60
            }
        }

        /// A key to work with where the queue has none.
        var standIn: AuthenticationPublicKey {
            switch self {
            case .ed25519: .ed25519(StandIns.ed25519)
            case .ed448: .ed448(StandIns.ed448)
            case .x25519: .x25519(StandIns.x25519)
            }
        }
    }

    /// Keys whose private halves were never kept.
    private enum StandIns {
        static let ed25519 = Ed25519.PrivateKey().publicKey
        static let ed448 = Ed448.PrivateKey().publicKey
        static let x25519 = X25519.PrivateKey().publicKey
    }
}
