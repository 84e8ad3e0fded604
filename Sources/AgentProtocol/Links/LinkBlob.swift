import Cryptography
import SMP

/// The sealed form of short-link data on a relay: nonce · box(key, nonce, pad(signature · data)) (Agent fact sheet §2.3).
enum LinkBlob {
    /// Padded length of the fixed data.
    static let fixedCount = 2008
    /// Padded length of the user data.
    static let userCount = 13784
    /// Length of an Ed25519 signature.
    static let signatureCount = 64

    /// Data with its signature.
    struct Signed: Sendable, Equatable {
        let signature: [UInt8]
        let data: [UInt8]

        func isSigned(by key: Ed25519.PublicKey) -> Bool { key.isValidSignature(signature, for: data) }
    }

    /// Signs and seals.
    ///
    /// - Throws: `AgentDecodingError.malformed` when the data does not fit.
    static func seal(
        _ data: [UInt8], rootKey: Ed25519.PrivateKey, dataKey: SecretBytes, paddedTo count: Int,
        nonce: [UInt8] = randomBytes(CryptoBox.nonceCount)
    ) throws -> [UInt8] {
        var writer = ByteWriter()
        try writer.bytes(try rootKey.signature(for: data))
        writer.raw(data)
        return nonce + CryptoBox.seal(try Padding.pad(writer.written, to: count), secret: dataKey, nonce: nonce)
    }

    /// - Throws: `ShortLinkError.notDecrypted`, `.malformed`.
    static func open(_ blob: [UInt8], dataKey: SecretBytes) throws(ShortLinkError) -> Signed {
        guard blob.count > CryptoBox.nonceCount,
            let padded = try? CryptoBox.open(
                Array(blob[CryptoBox.nonceCount...]), secret: dataKey, nonce: Array(blob[..<CryptoBox.nonceCount]))
        else { throw .notDecrypted }
        do {
            var reader = ByteReader(try Padding.unpad(padded))
            let signature = try reader.bytes()
            guard signature.count == signatureCount else { throw ShortLinkError.malformed }
            return Signed(signature: signature, data: reader.tail())
        } catch {
            throw .malformed
        }
    }
}
