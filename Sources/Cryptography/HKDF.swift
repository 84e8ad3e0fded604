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
        return withUnsafeTemporaryAllocation(byteCount: blockCount, alignment: 1) { pseudorandomKey in
            defer { if let address = pseudorandomKey.baseAddress { sodium_memzero(address, blockCount) } }
            inputKey.withUnsafeBytes { inputKey in
                var code = salt.isEmpty ? withoutSalt : salt.withUnsafeBytes { MessageAuthenticationCode(key: $0) }
                code.add(inputKey)
                code.finish(into: pseudorandomKey)
            }
            return SecretBytes(count: count) { output in
                expand(UnsafeRawBufferPointer(pseudorandomKey), info: info, into: output)
            }
        }
    }

    /// The beginning of each extraction without salt, which is the same.
    private static let withoutSalt = MessageAuthenticationCode(key: UnsafeRawBufferPointer(start: nil, count: 0))

    /// T(n) = HMAC(PRK, T(n-1) ‖ info ‖ n), RFC 5869 §2.3.
    private static func expand(_ key: UnsafeRawBufferPointer, info: [UInt8], into output: UnsafeMutableRawBufferPointer)
    {
        withUnsafeTemporaryAllocation(byteCount: blockCount, alignment: 1) { block in
            // The key is taken in once for all blocks.
            var begun = MessageAuthenticationCode(key: key)
            defer {
                begun.wipe()
                if let address = block.baseAddress { sodium_memzero(address, blockCount) }
            }
            var offset = 0
            var counter: UInt8 = 1
            while offset < output.count {
                var code = begun
                if offset > 0 { code.add(UnsafeRawBufferPointer(block)) }
                info.withUnsafeBytes { code.add($0) }
                withUnsafeBytes(of: counter) { code.add($0) }
                code.finish(into: block)
                let part = min(blockCount, output.count - offset)
                UnsafeMutableRawBufferPointer(rebasing: output[offset..<offset + part])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: block[..<part]))
                offset += part
                counter &+= 1
            }
        }
    }
}

/// HMAC with SHA-512 (RFC 2104), in parts.
private struct MessageAuthenticationCode: Sendable {
    // Wiped by libsodium when the code is finished.
    private var state = crypto_auth_hmacsha512_state()

    init(key: UnsafeRawBufferPointer) {
        // libsodium doesn't look at the address of an empty key.
        key.withMemoryRebound(to: UInt8.self) { key in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1) { none in
                guard let address = key.baseAddress ?? UnsafePointer(none.baseAddress) else { return }
                _ = crypto_auth_hmacsha512_init(&state, address, key.count)
            }
        }
    }

    /// Forgets the key of a code that is not finished.
    mutating func wipe() { withUnsafeMutableBytes(of: &state) { sodium_memzero($0.baseAddress, $0.count) } }

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        guard let address = bytes.assumingMemoryBound(to: UInt8.self).baseAddress else { return }
        _ = crypto_auth_hmacsha512_update(&state, address, UInt64(bytes.count))
    }

    /// - Parameter output: 64 bytes.
    mutating func finish(into output: UnsafeMutableRawBufferPointer) {
        guard output.count == 64, let address = output.assumingMemoryBound(to: UInt8.self).baseAddress else {
            // Our own code decides how much room there is, nothing that comes in, and always gives 64 bytes.
            preconditionFailure("HMAC with SHA-512 gives 64 bytes")
        }
        _ = crypto_auth_hmacsha512_final(&state, address)
    }
}
