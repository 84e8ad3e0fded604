import CSodium

/// The one place that starts libsodium.
enum Sodium {
    // sodium_init answers 0 or 1 (already done); its only failure is a system without a random generator.
    private static let started: Bool = sodium_init() >= 0

    static func start() {
        precondition(started, "libsodium has no source of randomness")
    }

    static func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        start()
        guard let address = buffer.baseAddress else { return }
        randombytes_buf(address, buffer.count)
    }

    /// Fills a buffer from a seed of the system's generator, which is wiped.
    static func expand(into buffer: UnsafeMutableRawBufferPointer) {
        start()
        guard let address = buffer.baseAddress else { return }
        withUnsafeTemporaryAllocation(byteCount: Int(randombytes_SEEDBYTES), alignment: 1) { seed in
            guard let start = seed.baseAddress else { return }
            randombytes_buf(start, seed.count)
            randombytes_buf_deterministic(address, buffer.count, start.assumingMemoryBound(to: UInt8.self))
            sodium_memzero(start, seed.count)
        }
    }
}

/// Fresh bytes of the system's generator.
public func randomBytes(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    bytes.withUnsafeMutableBytes { Sodium.fill($0) }
    return bytes
}

/// Compares without telling by its time where the first difference is; the lengths are public.
public func constantTimeEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    guard !left.isEmpty else { return true }
    return sodium_memcmp(left, right, left.count) == 0
}

/// Overwrites bytes that were a copy of a secret.
public func wipe(_ bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBytes { buffer in
        guard let address = buffer.baseAddress else { return }
        sodium_memzero(address, buffer.count)
    }
}
