import CSodium

/// The box of SMP (fact sheet §1): XSalsa20-Poly1305 under HSalsa20(secret, zeros), tag first.
///
/// With an X25519 shared secret this is NaCl's `crypto_box`; with a symmetric key it is *not* NaCl's `secretbox`
/// under that key.
public enum CryptoBox {
    /// Bytes a box adds in front of the message.
    public static let tagCount = 16
    /// Length of the secret.
    public static let secretCount = 32
    /// Length of the nonce; shorter ones are filled with zeros at the end, longer ones are cut.
    public static let nonceCount = 24

    /// Seals a message: tag followed by ciphertext.
    ///
    /// - Parameter secret: 32 bytes, an X25519 shared secret or a symmetric key (another length is a programming error).
    public static func seal(_ message: [UInt8], secret: SecretBytes, nonce: [UInt8]) -> [UInt8] {
        guard let key = boxKey(secret) else { preconditionFailure("a box takes a secret of \(secretCount) bytes") }
        let nonce = fitted(nonce)
        return key.withPointer { key in
            [UInt8](unsafeUninitializedCapacity: message.count + tagCount) { output, written in
                guard let address = output.baseAddress else { return }
                // Answers -1 only for messages of more than 2^64 bytes.
                _ = crypto_secretbox_easy(address, message, UInt64(message.count), nonce, key)
                written = message.count + tagCount
            }
        }
    }

    /// Opens a box.
    ///
    /// - Throws: `CryptographyError.invalidLength` when there is no room for a tag or the secret is not 32 bytes,
    ///   `.authenticationFailed` when the box was not made with this secret and nonce.
    public static func open(_ sealed: [UInt8], secret: SecretBytes, nonce: [UInt8]) throws -> [UInt8] {
        guard let key = boxKey(secret), sealed.count >= tagCount else { throw CryptographyError.invalidLength }
        let nonce = fitted(nonce)
        let count = sealed.count - tagCount
        return try key.withPointer { key in
            try [UInt8](unsafeUninitializedCapacity: count) { output, written in
                let result = crypto_secretbox_open_easy(output.baseAddress, sealed, UInt64(sealed.count), nonce, key)
                guard result == 0 else { throw CryptographyError.authenticationFailed }
                written = count
            }
        }
    }

    private static func boxKey(_ secret: SecretBytes) -> SecretBytes? {
        guard secret.count == secretCount else { return nil }
        Sodium.start()
        let zeros = [UInt8](repeating: 0, count: 16)
        var key = [UInt8](repeating: 0, count: secretCount)
        defer { wipe(&key) }
        _ = secret.withPointer { crypto_core_hsalsa20(&key, zeros, $0, nil) }
        return SecretBytes(key)
    }

    private static func fitted(_ nonce: [UInt8]) -> [UInt8] {
        nonce.count >= nonceCount
            ? Array(nonce.prefix(nonceCount)) : nonce + [UInt8](repeating: 0, count: nonceCount - nonce.count)
    }
}
