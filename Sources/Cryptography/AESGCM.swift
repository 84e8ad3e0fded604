/// AES-256-GCM (NIST SP 800-38D) with an initialisation vector of any length; the ratchet takes 16 bytes.
public enum AESGCM {
    /// Length of the tag.
    public static let tagCount = CipherContext.tagCount

    /// Encrypts, and authenticates the ciphertext together with `authenticatedData`.
    ///
    /// - Throws: `CryptographyError.invalidLength` for a key that is not 32 bytes or an empty vector.
    public static func seal(
        _ plaintext: [UInt8], key: SecretBytes, iv: [UInt8], authenticatedData: [UInt8]
    ) throws -> (ciphertext: [UInt8], tag: [UInt8]) {
        let context = try CipherContext()
        try context.setKey(key, ivCount: iv.count)
        var ciphertext = plaintext
        var tag = [UInt8](repeating: 0, count: tagCount)
        try ciphertext.withUnsafeMutableBytes { text in
            try tag.withUnsafeMutableBytes { tag in
                try iv.withUnsafeBytes { iv in
                    try authenticatedData.withUnsafeBytes { data in
                        try context.seal(
                            UnsafeRawBufferPointer(text), into: text, iv: iv, authenticatedData: data, tag: tag)
                    }
                }
            }
        }
        return (ciphertext, tag)
    }

    /// Decrypts and verifies.
    ///
    /// - Throws: `CryptographyError.invalidLength` for a wrong key, vector or tag length, `.authenticationFailed` when
    ///   anything was changed.
    public static func open(
        _ ciphertext: [UInt8], key: SecretBytes, iv: [UInt8], authenticatedData: [UInt8], tag: [UInt8]
    ) throws -> [UInt8] {
        guard tag.count == tagCount else { throw CryptographyError.invalidLength }
        let context = try CipherContext()
        try context.setKey(key, ivCount: iv.count)
        var plaintext = ciphertext
        try plaintext.withUnsafeMutableBytes { text in
            try tag.withUnsafeBytes { tag in
                try iv.withUnsafeBytes { iv in
                    try authenticatedData.withUnsafeBytes { data in
                        try context.open(
                            UnsafeRawBufferPointer(text), into: text, iv: iv, authenticatedData: data, tag: tag)
                    }
                }
            }
        }
        return plaintext
    }
}
