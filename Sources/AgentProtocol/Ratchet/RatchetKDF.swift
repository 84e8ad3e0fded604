import Cryptography

/// The two key derivations of the ratchet (Agent fact sheet §6).
enum RatchetKDF {
    /// What a step of the root chain gives.
    struct RootStep: Sendable {
        let rootKey: SecretBytes
        let chainKey: SecretBytes
        let nextHeaderKey: SecretBytes
    }

    /// What a step of a message chain gives.
    struct ChainStep: Sendable {
        let chainKey: SecretBytes
        let message: MessageKey
        let headerIV: [UInt8]
    }

    /// Length of every key.
    static let keyCount = 32
    /// Length of both initialisation vectors.
    static let ivCount = 16

    /// HKDF-SHA512(salt = root key, input = shared secret, "SimpleXRootRatchet", 96).
    static func root(_ rootKey: SecretBytes, sharedSecret: SecretBytes) throws -> RootStep {
        let output = rootKey.withBytes { salt in
            HKDF.sha512(salt: salt, inputKey: sharedSecret, info: Array("SimpleXRootRatchet".utf8), count: 96)
        }
        return try RootStep(
            rootKey: output.part(0..<32), chainKey: output.part(32..<64), nextHeaderKey: output.part(64..<96))
    }

    /// HKDF-SHA512(salt empty, input = chain key, "SimpleXChainRatchet", 96).
    static func chain(_ chainKey: SecretBytes) throws -> ChainStep {
        let output = HKDF.sha512(salt: [], inputKey: chainKey, info: Array("SimpleXChainRatchet".utf8), count: 96)
        return try ChainStep(
            chainKey: output.part(0..<32),
            message: MessageKey(key: output.part(32..<64), iv: output.part(64..<80).bytes),
            headerIV: output.part(80..<96).bytes)
    }
}
