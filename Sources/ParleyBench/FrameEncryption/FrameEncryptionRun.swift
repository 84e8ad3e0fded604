import BaseKit
import Cryptography
import MediaRules

/// Measures the frame cipher as the elements of a call use it, in turns with libcrypto alone.
struct FrameEncryptionRun {
    /// What a call sends: the kind of frame and how many bytes it has.
    struct Load: Sendable {
        var name: String
        var kind: FrameKind
        var bytes: Int
        /// How many of them stay in clear: both seal the others.
        var clear: Int { name == "key frame" ? 10 : kind == .video ? 3 : 1 }

        /// Sound at 32 kbit/s, and with redundancy; pictures at 250 kbit/s, 1.5 and 4 Mbit/s; a key frame.
        static let usual = [
            Load(name: "sound", kind: .audio, bytes: 80), Load(name: "sound", kind: .audio, bytes: 160),
            Load(name: "picture", kind: .video, bytes: 1_000), Load(name: "picture", kind: .video, bytes: 6_000),
            Load(name: "picture", kind: .video, bytes: 17_000), Load(name: "key frame", kind: .video, bytes: 60_000),
        ]
    }

    /// How many times the two take turns, and about how many bytes a turn.
    var turns = 60
    var turnBytes = 1_000_000

    /// The two lines of a load: sealing and opening. Throws when a frame is not what it was.
    func measure(_ load: Load) throws -> [FrameEncryptionReport.Line] {
        let key = [UInt8](repeating: 7, count: 32)
        let (cipher, bare) = (try FrameCipher(key: SecretBytes(key)), try BareCipher(key: key))
        // Bit 0 of a picture's first byte is clear in key frames alone.
        var frame = [UInt8](repeating: load.name == "key frame" ? 0x10 : 0x11, count: load.bytes)
        var sealed = [UInt8](repeating: 0, count: load.bytes + FrameCipher.overhead)
        var opened = [UInt8](repeating: 0, count: load.bytes)
        var bareSealed = [UInt8](repeating: 0, count: load.bytes - load.clear + FrameCipher.overhead)
        let count = min(max(turnBytes / (load.bytes + 200), 10), 4_000)
        return try frame.withUnsafeMutableBytes { frame in
            try sealed.withUnsafeMutableBytes { sealed in
                try opened.withUnsafeMutableBytes { opened in
                    try bareSealed.withUnsafeMutableBytes { bareSealed in
                        let plain = UnsafeRawBufferPointer(frame)
                        let part = UnsafeRawBufferPointer(rebasing: plain[load.clear...])
                        let place = UnsafeMutableRawBufferPointer(rebasing: opened[load.clear...])
                        let seal = try line(load, "seal", count) {
                            try cipher.encrypt(plain, kind: load.kind, into: sealed)
                        } bare: {
                            bare.seal(part, into: bareSealed)
                        }
                        let open = try line(load, "open", count) {
                            try cipher.decrypt(UnsafeRawBufferPointer(sealed), kind: load.kind, into: opened)
                        } bare: {
                            bare.open(UnsafeRawBufferPointer(bareSealed), into: place)
                        }
                        return [seal, open]
                    }
                }
            }
        }
    }

    private func line(
        _ load: Load, _ operation: String, _ count: Int, ours: () throws -> Void, bare: () -> Bool
    ) throws -> FrameEncryptionReport.Line {
        func alone() throws { if !bare() { throw BenchError.call("libcrypto could not \(operation) a frame") } }
        for _ in 0..<count {
            try ours()
            try alone()
        }
        let allocations = try AllocationCount.during { for _ in 0..<1_000 { try ours() } }
        var times: [(ours: Double, bare: Double)] = []
        for turn in 0..<turns {
            // Who begins changes, so that neither always finds the cache warm.
            if turn.isMultiple(of: 2) {
                let first = try time(count, ours)
                times.append((first, try time(count, alone)))
            } else {
                let first = try time(count, alone)
                times.append((try time(count, ours), first))
            }
        }
        return FrameEncryptionReport.Line(
            frame: load.name, bytes: load.bytes, operation: operation, times: times,
            allocations: Double(allocations) / 1_000)
    }

    /// Nanoseconds each.
    private func time(_ count: Int, _ body: () throws -> Void) rethrows -> Double {
        let start = Instant.now
        for _ in 0..<count { try body() }
        return (Instant.now - start) / .nanoseconds(1) / Double(count)
    }
}
