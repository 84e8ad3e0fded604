import CSodium

/// X25519 by libsodium, which needs no object for the other key.
enum SodiumAgreement {
    private static let count = 32

    /// - Throws: `CryptographyError.invalidKey` for keys of a wrong length and for a point of small order.
    static func secret(privateKey: SecretBytes, publicKey: [UInt8]) throws -> SecretBytes {
        guard privateKey.count == count, publicKey.count == count else { throw CryptographyError.invalidKey }
        return try SecretBytes(count: count) { output in
            guard let address = output.assumingMemoryBound(to: UInt8.self).baseAddress,
                privateKey.withPointer({ crypto_scalarmult(address, $0, publicKey) }) == 0
            else { throw CryptographyError.invalidKey }
        }
    }
}
