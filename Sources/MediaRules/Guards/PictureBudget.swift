import BaseKit

/// Bounds what a peer's pictures may cost to decode: their size, and their pixels a second.
///
/// A key frame of a few bytes can announce a picture of 16,383 by 16,383 (RFC 6386 §9.1), for which a decoder takes
/// gigabytes.
package struct PictureBudget: Sendable, Equatable {
    /// Longest side in pixels, and most pixels: a screen of 4,096 by 2,304.
    static let longestSide = 4_096, pixels = 4_096 * 2_304
    /// Pixels a second: such a screen 30 times; and what may come at once after a pause.
    static let rate = pixels * 30, burst = pixels * 15

    /// Pixels of the picture that delta frames change; nil before the first key frame.
    private var area: Int?
    private var bucket = TokenBucket(rate: Self.rate, burst: Self.burst)

    package init() {}

    /// Whether a frame may go to the decoder. `header` is the frame's beginning, ten bytes if it has as many.
    package mutating func admits(header: [UInt8], now: Instant) -> Bool {
        guard let first = header.first else { return false }
        if VP8Frame.isKeyFrame(firstByte: first) {
            guard let size = VP8Frame.pictureSize(header: header), size.width > 0, size.height > 0,
                max(size.width, size.height) <= Self.longestSide, size.width * size.height <= Self.pixels
            else { return false }
            area = size.width * size.height
        }
        return admitsSame(now: now)
    }

    /// Whether a frame that changes nothing of the size may go to the decoder: one that is no key frame.
    package mutating func admitsSame(now: Instant) -> Bool {
        // Delta frames before a key frame never reach the decoder.
        guard let area else { return true }
        // No picture is free: tiny ones are bounded by their number, 1,080 a second.
        return bucket.admits(max(area, Self.pixels / 36), now: now)
    }
}
