import Cryptography

/// The key agreement that starts a ratchet (Agent fact sheet §5), without post-quantum keys.
package enum X3DH {
    /// Length of the associated data: two raw X448 keys.
    static let associatedDataCount = 112

    /// What both sides compute.
    package struct Secrets: Sendable, Equatable {
        /// Raw first key of the joiner and raw first key of the initiator, 112 bytes.
        package let associatedData: [UInt8]
        /// "hk": opens the headers of the joiner's first chain.
        let headerKey: SecretBytes
        /// "nhk": opens the headers of the initiator's first chain.
        let nextHeaderKey: SecretBytes
        /// "sk": the first root key.
        package let rootKey: SecretBytes
    }

    /// The joiner's side (it answers a link and sends first).
    ///
    /// - Throws: `RatchetError.invalidKey` when a key of the link is unusable.
    package static func joiner(keys: RatchetKeyPairs, initiator: RatchetParameters) throws(RatchetError) -> Secrets {
        try secrets(joiner: keys.first.publicKey, initiator: initiator.firstKey) {
            [
                try keys.second.sharedSecret(with: initiator.firstKey),
                try keys.first.sharedSecret(with: initiator.secondKey),
                try keys.second.sharedSecret(with: initiator.secondKey),
            ]
        }
    }

    /// The initiator's side (it made the link and receives first).
    ///
    /// - Throws: `RatchetError.invalidKey` when a key of the confirmation is unusable, `.postQuantumRequired` when the
    ///   joiner says it has used a post-quantum key, which no link of ours offers.
    package static func initiator(keys: RatchetKeyPairs, joiner: RatchetParameters) throws(RatchetError) -> Secrets {
        if case .accepted = joiner.kem { throw .postQuantumRequired }
        return try secrets(joiner: joiner.firstKey, initiator: keys.first.publicKey) {
            [
                try keys.first.sharedSecret(with: joiner.secondKey),
                try keys.second.sharedSecret(with: joiner.firstKey),
                try keys.second.sharedSecret(with: joiner.secondKey),
            ]
        }
    }

    private static func secrets(
        joiner: X448.PublicKey, initiator: X448.PublicKey, sharedSecrets: () throws -> [SecretBytes]
    ) throws(RatchetError) -> Secrets {
        do {
            let output = HKDF.sha512(
                salt: [UInt8](repeating: 0, count: 64), inputKey: SecretBytes(joining: try sharedSecrets()),
                info: Array("SimpleXX3DH".utf8), count: 96)
            return try Secrets(
                associatedData: joiner.rawRepresentation + initiator.rawRepresentation,
                headerKey: output.part(0..<32), nextHeaderKey: output.part(32..<64), rootKey: output.part(64..<96))
        } catch {
            throw .invalidKey
        }
    }
}
