import CSodium

/// Ed25519 by libsodium, which takes half of OpenSSL's time and needs no context.
enum SodiumSignature {
    private static let seedCount = 32
    private static let publicKeyCount = 32
    private static let signatureCount = 64

    /// - Parameter signature: 64 bytes.
    static func isValid(_ signature: [UInt8], for message: [UInt8], publicKey: [UInt8]) -> Bool {
        guard signature.count == signatureCount, publicKey.count == publicKeyCount else { return false }
        return crypto_sign_verify_detached(signature, message, UInt64(message.count), publicKey) == 0
    }

    static func sign(_ message: [UInt8], seed: SecretBytes, publicKey: [UInt8]) -> [UInt8] {
        precondition(
            seed.count == seedCount && publicKey.count == publicKeyCount, "Ed25519 keys have \(seedCount) bytes")
        // libsodium's private key is seed and public key side by side.
        return withUnsafeTemporaryAllocation(byteCount: seedCount + publicKeyCount, alignment: 1) { key in
            seed.withUnsafeBytes { key.copyMemory(from: $0) }
            UnsafeMutableRawBufferPointer(rebasing: key[seedCount...]).copyBytes(from: publicKey)
            return [UInt8](unsafeUninitializedCapacity: signatureCount) { output, written in
                guard let key = key.baseAddress, let signature = output.baseAddress else { return }
                defer { sodium_memzero(key, seedCount) }
                // Cannot fail: the lengths are right.
                _ = crypto_sign_detached(
                    signature, nil, message, UInt64(message.count), key.assumingMemoryBound(to: UInt8.self))
                written = signatureCount
            }
        }
    }
}
