import CSodium

/// The key derivation of RFC 5869.
public enum HKDF {
    /// The longest output with SHA-512: 255 blocks (RFC 5869 §2.3). With SHA-256 it is half of that.
    public static let maximumCount = 255 * SHA512Code.count

    /// HKDF with SHA-512, both extract and expand.
    ///
    /// - Parameters:
    ///   - salt: may be empty, which RFC 5869 §2.2 defines as 64 zero bytes.
    ///   - inputKey: the input keying material.
    ///   - info: the context string.
    ///   - count: output bytes, at most `maximumCount` (a larger count is a programming error).
    public static func sha512(salt: [UInt8], inputKey: SecretBytes, info: [UInt8], count: Int) -> SecretBytes {
        derive(SHA512Code.self, salt: salt, inputKey: inputKey, info: info, count: count)
    }

    /// HKDF with SHA-256, both extract and expand.
    ///
    /// - Parameters:
    ///   - salt: may be empty, which RFC 5869 §2.2 defines as 32 zero bytes.
    ///   - inputKey: the input keying material.
    ///   - info: the context string.
    ///   - count: output bytes, at most half of `maximumCount` (a larger count is a programming error).
    public static func sha256(salt: [UInt8], inputKey: SecretBytes, info: [UInt8], count: Int) -> SecretBytes {
        derive(SHA256Code.self, salt: salt, inputKey: inputKey, info: info, count: count)
    }

    private static func derive<Code: AuthenticationCode>(
        _ code: Code.Type, salt: [UInt8], inputKey: SecretBytes, info: [UInt8], count: Int
    ) -> SecretBytes {
        precondition((0...255 * Code.count).contains(count), "HKDF gives at most \(255 * Code.count) bytes")
        return withUnsafeTemporaryAllocation(byteCount: Code.count, alignment: 1) { pseudorandomKey in
            defer { if let address = pseudorandomKey.baseAddress { sodium_memzero(address, Code.count) } }
            inputKey.withUnsafeBytes { inputKey in
                var code = salt.isEmpty ? Code.withoutSalt : salt.withUnsafeBytes { Code(key: $0) }
                code.add(inputKey)
                code.finish(into: pseudorandomKey)
            }
            return SecretBytes(count: count) { output in
                expand(code, UnsafeRawBufferPointer(pseudorandomKey), info: info, into: output)
            }
        }
    }

    /// T(n) = HMAC(PRK, T(n-1) ‖ info ‖ n), RFC 5869 §2.3.
    private static func expand<Code: AuthenticationCode>(
        _: Code.Type, _ key: UnsafeRawBufferPointer, info: [UInt8], into output: UnsafeMutableRawBufferPointer
    ) {
        withUnsafeTemporaryAllocation(byteCount: Code.count, alignment: 1) { block in
            // The key is taken in once for all blocks.
            var begun = Code(key: key)
            defer {
                begun.wipe()
                if let address = block.baseAddress { sodium_memzero(address, Code.count) }
            }
            var offset = 0
            var counter: UInt8 = 1
            while offset < output.count {
                var code = begun
                if offset > 0 { code.add(UnsafeRawBufferPointer(block)) }
                info.withUnsafeBytes { code.add($0) }
                withUnsafeBytes(of: counter) { code.add($0) }
                code.finish(into: block)
                let part = min(Code.count, output.count - offset)
                UnsafeMutableRawBufferPointer(rebasing: output[offset..<offset + part])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: block[..<part]))
                offset += part
                counter &+= 1
            }
        }
    }
}

/// The authentication code of RFC 2104.
public enum HMAC {
    /// With SHA-256: 32 bytes.
    public static func sha256(_ message: [UInt8], key: SecretBytes) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: SHA256Code.count) { output, written in
            key.withUnsafeBytes { key in
                var code = SHA256Code(key: key)
                message.withUnsafeBytes { code.add($0) }
                code.finish(
                    into: UnsafeMutableRawBufferPointer(
                        rebasing: UnsafeMutableRawBufferPointer(output)[..<SHA256Code.count]))
            }
            written = SHA256Code.count
        }
    }
}

/// HMAC (RFC 2104), in parts.
private protocol AuthenticationCode: Sendable {
    /// Bytes of a code.
    static var count: Int { get }
    /// The beginning of each extraction without salt, which is the same.
    static var withoutSalt: Self { get }
    init(key: UnsafeRawBufferPointer)
    mutating func add(_ bytes: UnsafeRawBufferPointer)
    /// `output` has `count` bytes.
    mutating func finish(into output: UnsafeMutableRawBufferPointer)
    /// Forgets the key of a code that is not finished.
    mutating func wipe()
}

/// HMAC with SHA-512.
private struct SHA512Code: AuthenticationCode {
    static let count = 64
    static let withoutSalt = SHA512Code(key: UnsafeRawBufferPointer(start: nil, count: 0))

    // Wiped by libsodium when the code is finished.
    private var state = crypto_auth_hmacsha512_state()

    init(key: UnsafeRawBufferPointer) {
        key.withAddress { _ = crypto_auth_hmacsha512_init(&state, $0, key.count) }
    }

    mutating func wipe() { withUnsafeMutableBytes(of: &state) { sodium_memzero($0.baseAddress, $0.count) } }

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        guard let address = bytes.assumingMemoryBound(to: UInt8.self).baseAddress else { return }
        _ = crypto_auth_hmacsha512_update(&state, address, UInt64(bytes.count))
    }

    mutating func finish(into output: UnsafeMutableRawBufferPointer) {
        _ = crypto_auth_hmacsha512_final(&state, output.address(of: Self.count))
    }
}

/// HMAC with SHA-256.
private struct SHA256Code: AuthenticationCode {
    static let count = 32
    static let withoutSalt = SHA256Code(key: UnsafeRawBufferPointer(start: nil, count: 0))

    // Wiped by libsodium when the code is finished.
    private var state = crypto_auth_hmacsha256_state()

    init(key: UnsafeRawBufferPointer) {
        key.withAddress { _ = crypto_auth_hmacsha256_init(&state, $0, key.count) }
    }

    mutating func wipe() { withUnsafeMutableBytes(of: &state) { sodium_memzero($0.baseAddress, $0.count) } }

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        guard let address = bytes.assumingMemoryBound(to: UInt8.self).baseAddress else { return }
        _ = crypto_auth_hmacsha256_update(&state, address, UInt64(bytes.count))
    }

    mutating func finish(into output: UnsafeMutableRawBufferPointer) {
        _ = crypto_auth_hmacsha256_final(&state, output.address(of: Self.count))
    }
}

extension UnsafeRawBufferPointer {
    /// Calls `body` with the first byte's address, and with that of another byte where there is none: libsodium doesn't look at
    /// the address of an empty key.
    fileprivate func withAddress(_ body: (UnsafePointer<UInt8>) -> Void) {
        withMemoryRebound(to: UInt8.self) { bytes in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1) { none in
                if let address = bytes.baseAddress ?? UnsafePointer(none.baseAddress) { body(address) }
            }
        }
    }
}

extension UnsafeMutableRawBufferPointer {
    /// The first byte's address of a place for a code.
    fileprivate func address(of count: Int) -> UnsafeMutablePointer<UInt8> {
        guard self.count == count, let address = assumingMemoryBound(to: UInt8.self).baseAddress else {
            // Our own code decides how much room there is, nothing that comes in, and always gives as much.
            preconditionFailure("a code has \(count) bytes")
        }
        return address
    }
}
