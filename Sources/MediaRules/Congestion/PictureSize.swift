/// Width and height in pixels.
public struct PictureSize: Sendable, Hashable {
    /// Pixels in a row.
    public var width: Int
    /// Rows.
    public var height: Int

    /// A size.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// What every camera has.
    package static let vga = PictureSize(width: 640, height: 480)

    /// How many pixels it has.
    package var pixels: Int { width * height }

    /// The size of the same shape that has about so many pixels, unless it has fewer: even, as the encoder's colours need, and not
    /// too small for it.
    package func reduced(to pixels: Int) -> PictureSize {
        guard self.pixels > pixels else { return self }
        return scaled(by: (Double(pixels) / Double(self.pixels)).squareRoot())
    }

    /// The largest size of the same shape that fits into a box, not larger than it is.
    package func fitted(into box: PictureSize) -> PictureSize {
        guard width > 0, height > 0 else { return self }
        let factor = min(Double(box.width) / Double(width), Double(box.height) / Double(height))
        return factor < 1 ? scaled(by: factor) : self
    }

    private func scaled(by factor: Double) -> PictureSize {
        func even(_ length: Int) -> Int { max(Int((Double(length) * factor / 2).rounded()) * 2, 16) }
        return PictureSize(width: even(width), height: even(height))
    }
}
