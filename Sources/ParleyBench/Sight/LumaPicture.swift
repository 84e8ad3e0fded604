import Foundation

/// The brightness of a picture: rows top down, a byte a pixel, no gaps.
struct LumaPicture: Codable, Sendable, Equatable {
    let width: Int
    let height: Int
    private(set) var bytes: Data

    /// Nil when the bytes are not as many as that takes, or there are none.
    init?(width: Int, height: Int, bytes: Data) {
        guard width > 0, height > 0, bytes.count == width * height else { return nil }
        (self.width, self.height, self.bytes) = (width, height, Data(bytes))
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let made = Self(
            width: try fields.decode(Int.self, forKey: .width), height: try fields.decode(Int.self, forKey: .height),
            bytes: try fields.decode(Data.self, forKey: .bytes))
        guard let made else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a picture has as many bytes as pixels"))
        }
        self = made
    }

    /// The brightness at a pixel; outside of the picture that of the nearest.
    subscript(x: Int, y: Int) -> Int {
        Int(bytes[bytes.startIndex + min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)])
    }

    /// The same picture with as many pixels, each taken from its four neighbours by their distance.
    func scaled(width newWidth: Int, height newHeight: Int) -> LumaPicture {
        guard newWidth > 0, newHeight > 0, (newWidth, newHeight) != (width, height) else { return self }
        var scaled = Data(count: newWidth * newHeight)
        let (xs, ys) = (Double(width) / Double(newWidth), Double(height) / Double(newHeight))
        for row in 0..<newHeight {
            let y = (Double(row) + 0.5) * ys - 0.5
            let (top, down) = (Int(y.rounded(.down)), y - y.rounded(.down))
            for column in 0..<newWidth {
                let x = (Double(column) + 0.5) * xs - 0.5
                let (left, right) = (Int(x.rounded(.down)), x - x.rounded(.down))
                let above = Double(self[left, top]) * (1 - right) + Double(self[left + 1, top]) * right
                let below = Double(self[left, top + 1]) * (1 - right) + Double(self[left + 1, top + 1]) * right
                scaled[row * newWidth + column] = UInt8(min(max(above * (1 - down) + below * down + 0.5, 0), 255))
            }
        }
        return LumaPicture(width: newWidth, height: newHeight, bytes: scaled) ?? self
    }

    /// The mean brightness of a rectangle.
    func mean(x: Range<Int>, y: Range<Int>) -> Double {
        var sum = 0
        for row in y { for column in x { sum += self[column, row] } }
        return Double(sum) / Double(max(x.count * y.count, 1))
    }

    /// Fills a rectangle.
    mutating func fill(x: Range<Int>, y: Range<Int>, with value: UInt8) {
        for row in y.clamped(to: 0..<height) {
            for column in x.clamped(to: 0..<width) { bytes[bytes.startIndex + row * width + column] = value }
        }
    }
}
