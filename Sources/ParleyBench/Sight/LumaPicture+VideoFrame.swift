import Foundation
import Media

extension LumaPicture {
    /// The brightness of the upper part of a frame, by BT.601 in television's range.
    init?(_ frame: VideoFrame, width: Int, height: Int) {
        var bytes = [UInt8](repeating: 0, count: width * height)
        frame.withPixels { pixels in
            for row in 0..<height {
                for column in 0..<width {
                    let pixel = row * frame.stride + column * 4
                    let (blue, green, red) = (Int(pixels[pixel]), Int(pixels[pixel + 1]), Int(pixels[pixel + 2]))
                    // Coefficients times 65,536.
                    bytes[row * width + column] = UInt8(
                        16 + (16_829 * red + 33_039 * green + 6_416 * blue + 32_768) >> 16)
                }
            }
        }
        self.init(width: width, height: height, bytes: Data(bytes))
    }
}
