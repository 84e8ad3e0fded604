import COpenSSL

/// AES-256-GCM by libcrypto's own calls and nothing else: what frame encryption is compared with.
///
/// As programs in C have it: key and length of the vector are set once, results are looked at once a frame.
final class BareCipher {
    private let context: OpaquePointer

    /// `key` has 32 bytes. Throws ``BenchError/call(_:)``.
    init(key: [UInt8]) throws {
        guard let context = EVP_CIPHER_CTX_new() else { throw BenchError.call("libcrypto gives no context") }
        self.context = context
        EVP_CipherInit_ex(context, EVP_aes_256_gcm(), nil, nil, nil, 1)
        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, 12, nil)
        EVP_CipherInit_ex(context, nil, nil, key, nil, 1)
    }

    deinit { EVP_CIPHER_CTX_free(context) }

    /// Ciphertext, tag and, already there, vector in `output`. Gives whether it worked.
    func seal(_ plain: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Bool {
        guard let from = plain.baseAddress, let into = output.baseAddress else { return false }
        var written: Int32 = 0
        var none: UInt8 = 0
        let vector = UnsafeRawPointer(into + plain.count + 16).assumingMemoryBound(to: UInt8.self)
        return EVP_CipherInit_ex(context, nil, nil, nil, vector, 1) == 1
            && EVP_CipherUpdate(
                context, into.assumingMemoryBound(to: UInt8.self), &written, from.assumingMemoryBound(to: UInt8.self),
                Int32(plain.count)) == 1
            && EVP_CipherFinal_ex(context, &none, &written) == 1
            && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, into + plain.count) == 1
    }

    /// What ``seal(_:into:)`` wrote, opened. Gives whether it is authentic.
    func open(_ sealed: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Bool {
        guard let from = sealed.baseAddress, let into = output.baseAddress, sealed.count == output.count + 28 else {
            return false
        }
        var written: Int32 = 0
        var none: UInt8 = 0
        let vector = (from + output.count + 16).assumingMemoryBound(to: UInt8.self)
        let tag = UnsafeMutableRawPointer(mutating: from + output.count)
        return EVP_CipherInit_ex(context, nil, nil, nil, vector, 0) == 1
            && EVP_CipherUpdate(
                context, into.assumingMemoryBound(to: UInt8.self), &written, from.assumingMemoryBound(to: UInt8.self),
                Int32(output.count)) == 1
            && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, tag) == 1
            && EVP_CipherFinal_ex(context, &none, &written) == 1
    }
}
