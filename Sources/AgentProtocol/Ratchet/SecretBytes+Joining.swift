import Cryptography

extension SecretBytes {
    /// The secrets one after the other, without a copy that stays in memory.
    init(joining parts: [SecretBytes]) {
        self.init(count: parts.reduce(0) { $0 + $1.count }) { target in
            var offset = 0
            for part in parts {
                part.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: target[offset...]).copyBytes(from: $0) }
                offset += part.count
            }
        }
    }

    /// Calls `body` with a copy of the bytes that is wiped afterwards.
    func withBytes<R>(_ body: ([UInt8]) throws -> R) rethrows -> R {
        var copy = bytes
        defer { wipe(&copy) }
        return try body(copy)
    }
}
