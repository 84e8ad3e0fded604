/// Width and height in pixels.
package struct PictureSize: Sendable, Equatable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The size for pictures of a part of width and height: even, as the encoder's colours need, and not too small for it.
    package func divided(by divisor: Int) -> PictureSize {
        PictureSize(width: max(width / divisor / 2 * 2, 16), height: max(height / divisor / 2 * 2, 16))
    }
}
