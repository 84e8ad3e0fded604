import COpenSSL
import CSodium

/// The key derivation of RFC 5869.
public enum HKDF {
    /// The longest output: 255 blocks of SHA-512 (RFC 5869 §2.3).
    public static let maximumCount = 255 * blockCount

    private static let blockCount = 64

    /// HKDF with SHA-512, both extract and expand.
    ///
    /// - Parameters:
    ///   - salt: may be empty, which RFC 5869 §2.2 defines as 64 zero bytes.
    ///   - inputKey: the input keying material.
    ///   - info: the context string.
    ///   - count: output bytes, at most `maximumCount` (a larger count is a programming error).
    public static func sha512(salt: [UInt8], inputKey: SecretBytes, info: [UInt8], count: Int) -> SecretBytes {
        precondition((0...maximumCount).contains(count), "HKDF gives at most \(maximumCount) bytes")
        let pseudorandomKey = SecretBytes(count: blockCount) { output in
            salt.withUnsafeBytes { salt in
                inputKey.withUnsafeBytes { authenticate($0, key: salt, into: output) }
            }
        }
        return SecretBytes(count: count) { output in
            pseudorandomKey.withUnsafeBytes { expand($0, info: info, into: output) }
        }
    }

    /// T(n) = HMAC(PRK, T(n-1) ‖ info ‖ n), RFC 5869 §2.3.
    private static func expand(_ key: UnsafeRawBufferPointer, info: [UInt8], into output: UnsafeMutableRawBufferPointer)
    {
        var block = [UInt8](repeating: 0, count: blockCount)
        var message: [UInt8] = []
        defer {
            wipe(&block)
            wipe(&message)
        }
        var offset = 0
        var counter: UInt8 = 1
        while offset < output.count {
            wipe(&message)
            message = (offset == 0 ? [] : block) + info + [counter]
            block.withUnsafeMutableBytes { block in
                message.withUnsafeBytes { authenticate($0, key: key, into: block) }
            }
            let part = min(blockCount, output.count - offset)
            UnsafeMutableRawBufferPointer(rebasing: output[offset..<offset + part]).copyBytes(from: block[..<part])
            offset += part
            counter &+= 1
        }
    }

    private static func authenticate(
        _ message: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) {
        let result = HMAC(
            EVP_sha512(), key.baseAddress, Int32(key.count), message.baseAddress, message.count,
            output.baseAddress, nil)
        // Fails only without memory, never because of the input.
        precondition(result != nil, "OpenSSL cannot compute HMAC")
    }
}
