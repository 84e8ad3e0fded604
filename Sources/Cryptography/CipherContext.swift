import COpenSSL

/// An OpenSSL cipher context that runs AES-256-GCM; the only caller of `EVP_CIPHER_CTX` functions.
final class CipherContext {
    static let tagCount = 16
    static let keyCount = 32

    private let context: OpaquePointer

    init() throws {
        guard let context = EVP_CIPHER_CTX_new() else { throw CryptographyError.unavailable("EVP_CIPHER_CTX_new") }
        self.context = context
    }

    deinit { EVP_CIPHER_CTX_free(context) }

    /// Sets key and length of the initialisation vector; direction and vector follow with `run`.
    func setKey(_ key: SecretBytes, ivCount: Int) throws {
        guard key.count == Self.keyCount, ivCount > 0, let ivCount = Int32(exactly: ivCount) else {
            throw CryptographyError.invalidLength
        }
        try check(EVP_CipherInit_ex(context, EVP_aes_256_gcm(), nil, nil, nil, 1), "EVP_CipherInit_ex")
        try check(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, ivCount, nil), "EVP_CTRL_AEAD_SET_IVLEN")
        try key.withUnsafeBytes {
            let key = $0.assumingMemoryBound(to: UInt8.self).baseAddress
            try check(EVP_CipherInit_ex(context, nil, nil, key, nil, 1), "EVP_CipherInit_ex")
        }
    }

    /// Encrypts `input` into `output` (as long, may be the same memory) and writes the tag.
    func seal(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, iv: UnsafeRawBufferPointer,
        authenticatedData: UnsafeRawBufferPointer, tag: UnsafeMutableRawBufferPointer
    ) throws {
        try run(input, into: output, iv: iv, authenticatedData: authenticatedData, encrypt: 1)
        var end = 0 as Int32
        var none = 0 as UInt8
        try check(EVP_CipherFinal_ex(context, &none, &end), "EVP_CipherFinal_ex")
        let result = EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tag.count), tag.baseAddress)
        try check(result, "EVP_CTRL_AEAD_GET_TAG")
    }

    /// Decrypts `input` into `output`; on failure the output holds garbage the caller must drop.
    func open(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, iv: UnsafeRawBufferPointer,
        authenticatedData: UnsafeRawBufferPointer, tag: UnsafeRawBufferPointer
    ) throws {
        try run(input, into: output, iv: iv, authenticatedData: authenticatedData, encrypt: 0)
        let expected = UnsafeMutableRawPointer(mutating: tag.baseAddress)
        let result = EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), expected)
        try check(result, "EVP_CTRL_AEAD_SET_TAG")
        var end = 0 as Int32
        var none = 0 as UInt8
        guard EVP_CipherFinal_ex(context, &none, &end) == 1 else { throw CryptographyError.authenticationFailed }
    }

    private func run(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, iv: UnsafeRawBufferPointer,
        authenticatedData: UnsafeRawBufferPointer, encrypt: Int32
    ) throws {
        guard let count = Int32(exactly: input.count), let dataCount = Int32(exactly: authenticatedData.count),
            output.count == input.count
        else { throw CryptographyError.invalidLength }
        let vector = iv.assumingMemoryBound(to: UInt8.self).baseAddress
        try check(EVP_CipherInit_ex(context, nil, nil, nil, vector, encrypt), "EVP_CipherInit_ex")
        var written = 0 as Int32
        if dataCount > 0 {
            let data = authenticatedData.assumingMemoryBound(to: UInt8.self).baseAddress
            try check(EVP_CipherUpdate(context, nil, &written, data, dataCount), "EVP_CipherUpdate")
        }
        if count > 0 {
            let from = input.assumingMemoryBound(to: UInt8.self).baseAddress
            let into = output.assumingMemoryBound(to: UInt8.self).baseAddress
            try check(EVP_CipherUpdate(context, into, &written, from, count), "EVP_CipherUpdate")
        }
    }

    private func check(_ result: Int32, _ function: String) throws {
        guard result == 1 else {
            ERR_clear_error()
            throw CryptographyError.unavailable(function)
        }
    }
}
