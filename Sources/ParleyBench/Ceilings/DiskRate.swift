import BaseKit
import Glibc

/// How often the disk takes an append for good.
enum DiskRate {
    /// About what one message of half a block costs a write-ahead log.
    static let appendSize = 8_192

    /// Appends with fsync, one after the other, for some seconds.
    ///
    /// - Returns: appends a second.
    static func measure(folder: String, seconds: Double) throws(BenchError) -> Double {
        let path = folder + "/appends"
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .disk("\(path) can't be opened") }
        defer {
            close(file)
            unlink(path)
        }
        let bytes = (0..<appendSize).map { UInt8(truncatingIfNeeded: $0) }
        let start = Instant.now
        var count = 0
        repeat {
            guard write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0 else {
                throw .disk("an append to \(path) failed")
            }
            count += 1
        } while Instant.now - start < .seconds(seconds) && count < 1_000_000
        return Double(count) / (Instant.now - start).inSeconds
    }
}
