import CSodium

/// The box of SMP (SMP fact sheet §1): XSalsa20-Poly1305 under HSalsa20(secret, zeros), tag first.
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
        seal(count: message.count, secret: secret, nonce: nonce) { $0.copyBytes(from: message) }
    }

    /// Seals a message that is made where its box will be, so that a long one is not copied.
    ///
    /// - Parameters:
    ///   - count: length of the message.
    ///   - secret: as above.
    ///   - write: writes all `count` bytes of the message; the buffer holds anything before.
    public static func seal(
        count: Int, secret: SecretBytes, nonce: [UInt8], write: (UnsafeMutableRawBufferPointer) -> Void
    ) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count + tagCount) { output, written in
            let box = UnsafeMutableRawBufferPointer(output)[..<(count + tagCount)]
            seal(into: UnsafeMutableRawBufferPointer(rebasing: box), secret: secret, nonce: nonce, write: write)
            written = count + tagCount
        }
    }

    /// Makes a box where it will be sent from.
    ///
    /// - Parameters:
    ///   - box: as long as the message and a tag, which is at least a tag (anything shorter is a programming error).
    ///   - write: writes the message; the buffer holds anything before.
    public static func seal(
        into box: UnsafeMutableRawBufferPointer, secret: SecretBytes, nonce: [UInt8],
        write: (UnsafeMutableRawBufferPointer) -> Void
    ) {
        precondition(secret.count == secretCount, "a box takes a secret of \(secretCount) bytes")
        precondition(box.count >= tagCount, "a box has a tag of \(tagCount) bytes")
        write(UnsafeMutableRawBufferPointer(rebasing: box[tagCount...]))
        box.withMemoryRebound(to: UInt8.self) { bytes in
            guard let box = bytes.baseAddress else { return }
            withKey(of: secret, nonce) { key, nonce in
                // Answers -1 only for messages of more than 2^64 bytes.
                _ = crypto_secretbox_detached(
                    box + tagCount, box, box + tagCount, UInt64(bytes.count - tagCount), nonce, key)
            }
        }
    }

    /// Opens a box.
    ///
    /// - Throws: `CryptographyError.invalidLength` when there is no room for a tag or the secret is not 32 bytes,
    ///   `.authenticationFailed` when the box was not made with this secret and nonce.
    public static func open(_ sealed: [UInt8], secret: SecretBytes, nonce: [UInt8]) throws -> [UInt8] {
        try sealed.withUnsafeBytes { try open($0, secret: secret, nonce: nonce) }
    }

    /// Opens a box where it was received.
    ///
    /// - Throws: as above.
    public static func open(
        _ sealed: UnsafeRawBufferPointer, secret: SecretBytes, nonce: [UInt8]
    ) throws -> [UInt8] {
        guard secret.count == secretCount, sealed.count >= tagCount else { throw CryptographyError.invalidLength }
        let count = sealed.count - tagCount
        return try [UInt8](unsafeUninitializedCapacity: count) { output, written in
            let result = sealed.withMemoryRebound(to: UInt8.self) { sealed in
                withKey(of: secret, nonce) { key, nonce in
                    // Not nil: there is room for a tag at least.
                    sealed.baseAddress.map {
                        crypto_secretbox_open_easy(output.baseAddress, $0, UInt64(sealed.count), nonce, key)
                    } ?? -1
                }
            }
            guard result == 0 else { throw CryptographyError.authenticationFailed }
            written = count
        }
    }

    /// Calls `body` with the box's key and the nonce of 24 bytes, and wipes the key.
    private static func withKey<Result>(
        of secret: SecretBytes, _ nonce: [UInt8],
        _ body: (_ key: UnsafePointer<UInt8>, _ nonce: UnsafePointer<UInt8>) -> Result
    ) -> Result {
        Sodium.start()
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: secretCount + nonceCount) { buffer in
            buffer.initialize(repeating: 0)
            // There is room for both, so the address exists.
            guard let key = buffer.baseAddress else { preconditionFailure("no memory on the stack") }
            // HSalsa20's input are zeros, which still stand where the nonce goes.
            _ = secret.withPointer { crypto_core_hsalsa20(key, key + secretCount, $0, nil) }
            for (index, byte) in nonce.prefix(nonceCount).enumerated() { buffer[secretCount + index] = byte }
            defer { sodium_memzero(key, secretCount) }
            return body(key, key + secretCount)
        }
    }
}
