/// How large and how often pictures are sent at a rate: fewer pixels before fewer pictures.
package struct VideoStep: Sendable, Equatable {
    /// Most pixels of a picture.
    package let pixels: Int
    /// Most pictures a second.
    package let frameRate: Int
    /// Bits a second needed.
    package let bitrate: Int
    /// Bits a second above which such pictures do not become better.
    let most: Int

    /// From best to worst, named by the size that has so many pixels in a common shape.
    ///
    /// Measured with films of much movement: at what a step needs it keeps at least four pictures of five, and the next smaller one all of
    /// them.
    static let all = [
        VideoStep(pixels: 1_920 * 1_080, frameRate: 30, bitrate: 3_600_000, most: 5_932_000),
        VideoStep(pixels: 1_600 * 900, frameRate: 30, bitrate: 2_600_000, most: 4_700_000),
        VideoStep(pixels: 1_280 * 720, frameRate: 30, bitrate: 1_700_000, most: 3_600_000),
        VideoStep(pixels: 960 * 540, frameRate: 30, bitrate: 1_000_000, most: 2_500_000),
        VideoStep(pixels: 640 * 480, frameRate: 30, bitrate: 650_000, most: 1_932_000),
        VideoStep(pixels: 480 * 360, frameRate: 30, bitrate: 300_000, most: 1_100_000),
        VideoStep(pixels: 320 * 240, frameRate: 30, bitrate: 140_000, most: 500_000),
        VideoStep(pixels: 320 * 240, frameRate: 24, bitrate: 80_000, most: 500_000),
        VideoStep(pixels: 320 * 180, frameRate: 20, bitrate: 60_000, most: 300_000),
        VideoStep(pixels: 160 * 120, frameRate: 20, bitrate: 45_000, most: 150_000),
        VideoStep(pixels: 160 * 120, frameRate: 10, bitrate: 0, most: 150_000),
    ]

    /// The size from which on smaller pictures would also come less often, which small ones need not.
    private static let leastPixels = 320 * 240

    /// The best step for pictures of so many pixels: the one above it would send the same.
    static func index(forPixels pixels: Int) -> Int {
        let least = all.last { $0.pixels >= max(pixels, leastPixels) }?.pixels ?? all[0].pixels
        return all.firstIndex { $0.pixels == least } ?? 0
    }

    /// The best step for a rate in bits a second, where each step's need is multiplied by `need`.
    static func index(forBitrate bitrate: Int, need: Double = 1) -> Int {
        all.firstIndex { Double(bitrate) >= need * Double($0.bitrate) } ?? all.count - 1
    }

    /// Pixels a second.
    var work: Int { pixels * frameRate }
}
