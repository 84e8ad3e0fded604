import Cryptography

/// The two X448 key pairs one side makes for the key agreement.
package struct RatchetKeyPairs: Sendable, Equatable {
    package let first: X448.PrivateKey
    package let second: X448.PrivateKey

    /// Fresh keys.
    package init() {
        self.init(first: X448.PrivateKey(), second: X448.PrivateKey())
    }

    package init(first: X448.PrivateKey, second: X448.PrivateKey) {
        self.first = first
        self.second = second
    }

    /// Reads what `encoded` wrote.
    ///
    /// - Throws: `RatchetError.invalidState`.
    package init(decoding bytes: [UInt8]) throws(RatchetError) {
        guard bytes.count == 112 else { throw .invalidState }
        do {
            first = try X448.PrivateKey(rawRepresentation: SecretBytes(Array(bytes[..<56])))
            second = try X448.PrivateKey(rawRepresentation: SecretBytes(Array(bytes[56...])))
        } catch {
            throw .invalidState
        }
    }

    /// Both raw private keys, for the store.
    package var encoded: [UInt8] { first.rawRepresentation.bytes + second.rawRepresentation.bytes }

    /// The public halves for a confirmation of `version`.
    package func parameters(version: UInt16) -> RatchetParameters {
        RatchetParameters(version: version, firstKey: first.publicKey, secondKey: second.publicKey)
    }

    /// The public halves for a link.
    package func offer(versions: VersionRange = RatchetVersions.advertised) -> RatchetOffer {
        RatchetOffer(versions: versions, firstKey: first.publicKey, secondKey: second.publicKey)
    }
}
