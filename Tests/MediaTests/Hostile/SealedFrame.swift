import TestSupport

@testable import Media
@testable import MediaRules

extension HostilePackets {
    /// The frame under the call's own key, as only the peer can make it.
    static func sealed(_ frame: [UInt8], _ kind: FrameKind, by cipher: FrameCipher, at number: UInt64) -> [UInt8] {
        let iv = bytes(UInt32(truncatingIfNeeded: number >> 32), 4) + bytes(UInt32(truncatingIfNeeded: number), 4)
        return (try? cipher.encrypt(frame, kind: kind, iv: iv + [1, 2, 3, 4])) ?? frame
    }
}
