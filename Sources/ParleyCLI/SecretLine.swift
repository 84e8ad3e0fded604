import Cryptography
import Foundation
import Parley

/// Reads a secret without leaving copies of it.
enum SecretLine {
    /// The bytes up to the end of the line or of the file; nil when there are none, or more than `limit`.
    static func read(from descriptor: Int32, limit: Int) -> Passphrase? {
        var count = 0
        let buffer = SecretBytes(count: limit + 1) { bytes in
            while count < bytes.count {
                let room = UnsafeMutableRawBufferPointer(rebasing: bytes[count...])
                let got = Foundation.read(descriptor, room.baseAddress, room.count)
                if got < 0, errno == EINTR { continue }
                guard got > 0 else { return }
                if let end = room[..<got].firstIndex(of: UInt8(ascii: "\n")) {
                    count += end
                    return
                }
                count += got
            }
        }
        guard (1...limit).contains(count), let line = try? buffer.part(0..<count) else { return nil }
        return Passphrase(bytes: line)
    }
}
