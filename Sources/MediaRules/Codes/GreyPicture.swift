/// A picture without colours, in which codes are looked for.
public struct GreyPicture: Hashable, Sendable {
    /// The most pixels a side.
    public static let longestSide = 4_096

    /// Its size in pixels.
    public let (width, height): (Int, Int)
    /// Row after row from the top, a byte each, from black to white.
    public let pixels: [UInt8]

    /// Nil for what is empty, too large, or of another size than it says.
    public init?(width: Int, height: Int, pixels: [UInt8]) {
        let sides = 1...Self.longestSide
        guard sides.contains(width), sides.contains(height), pixels.count == width * height else { return nil }
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }
}
