import Cryptography
import Signaling

/// How a sender's secret is hashed on, so that who is given the next one can't open what came before.
enum GroupKeyStep {
    /// The most steps of one epoch: receivers follow sixteen that they have not seen.
    static let most: UInt8 = 12

    private static let label = Array("parley group step 1".utf8)

    /// The secret of the next step: HKDF with SHA-256 of the former one (docs/groups.md).
    static func next(_ secret: SecretBytes, call: CallID) -> SecretBytes {
        HKDF.sha256(salt: call.bytes, inputKey: secret, info: label, count: GroupKey.count)
    }
}
