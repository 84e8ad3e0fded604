import Cryptography

/// What follows from the key in a short link (Agent fact sheet §2.3).
package enum ShortLinkKeys {
    /// Id and data key of a contact link: HKDF-SHA512(salt empty, link key, "SimpleXContactLink", 56).
    package static func contact(linkKey: [UInt8]) -> (linkID: [UInt8], dataKey: SecretBytes) {
        let output = derive(linkKey, info: "SimpleXContactLink", count: 56).bytes
        return (Array(output[..<24]), SecretBytes(Array(output[24...])))
    }

    /// Data key of an invitation link: HKDF-SHA512(salt empty, link key, "SimpleXInvLink", 32).
    package static func invitation(linkKey: [UInt8]) -> SecretBytes {
        derive(linkKey, info: "SimpleXInvLink", count: 32)
    }

    private static func derive(_ linkKey: [UInt8], info: String, count: Int) -> SecretBytes {
        HKDF.sha512(salt: [], inputKey: SecretBytes(linkKey), info: Array(info.utf8), count: count)
    }
}
