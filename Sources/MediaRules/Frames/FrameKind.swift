/// What an encoded frame holds, as far as frame encryption asks.
package enum FrameKind: Sendable, Hashable {
    /// One Opus packet.
    case audio
    /// One VP8 frame.
    case video

    /// How many bytes at the front of `frame` stay in clear (Calls fact sheet §7): 10 of a VP8 key frame, 3 of a
    /// VP8 delta frame, 1 of an Opus packet.
    func clearPrefix(firstByte: UInt8) -> Int {
        switch self {
        case .audio: 1
        case .video: VP8Frame.isKeyFrame(firstByte: firstByte) ? 10 : 3
        }
    }
}
