/// Bounds what a peer's pictures may cost to decode: their size, and their pixels a second.
///
/// A key frame of a few bytes can announce a picture of 16,383 by 16,383 (RFC 6386 §9.1), for which a decoder takes
/// gigabytes.
struct PictureBudget: Sendable, Equatable {
    /// Longest side in pixels, and most pixels: a screen of 4,096 by 2,304.
    static let longestSide = 4_096, pixels = 4_096 * 2_304
    /// Pixels a second: such a screen 30 times; and what may come at once after a pause.
    static let rate = pixels * 30, burst = pixels * 15

    /// Pixels of the picture that delta frames change; nil before the first key frame.
    private var area: Int?
    private var bucket = TokenBucket(rate: Self.rate, burst: Self.burst)

    /// Whether a frame may go to the decoder. `header` is the frame's beginning, ten bytes if it has as many.
    mutating func admits(header: [UInt8], now: Int64) -> Bool {
        guard let first = header.first else { return false }
        if VP8Frame.isKeyFrame(firstByte: first) {
            guard let size = VP8Frame.pictureSize(header: header), size.width > 0, size.height > 0,
                max(size.width, size.height) <= Self.longestSide, size.width * size.height <= Self.pixels
            else { return false }
            area = size.width * size.height
        }
        // Delta frames before a key frame never reach the decoder.
        guard let area else { return true }
        // No picture is free: tiny ones are bounded by their number, 1,080 a second.
        return bucket.take(max(area, Self.pixels / 36), now: now)
    }
}

extension VP8Frame {
    /// Width and height in a key frame's header; nil when it is none (RFC 6386 §9.1: three bytes of tag, the start code 9D 01
    /// 2A, two of width and two of height, 14 bits each).
    static func pictureSize(header: [UInt8]) -> (width: Int, height: Int)? {
        guard header.count >= 10, isKeyFrame(firstByte: header[0]), header[3...5] == [0x9D, 0x01, 0x2A] else {
            return nil
        }
        return (
            Int(header[6]) | Int(header[7] & 0x3F) << 8,
            Int(header[8]) | Int(header[9] & 0x3F) << 8
        )
    }
}
