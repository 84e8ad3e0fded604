import Portal

/// A picture beside the text of a notification, such as the caller's.
package struct NotificationPicture: Sendable, Equatable {
    /// Its size in pixels.
    package let (width, height): (Int, Int)
    /// Row after row from the top, four bytes a pixel: red, green, blue and, not premultiplied, how opaque.
    package let pixels: [UInt8]

    /// Pixels a side that a server is sent at most. What is larger it would only make smaller.
    private static let longestSide = 1_024

    /// A picture; nil when there are more or fewer bytes than it has pixels, or too many pixels.
    package init?(width: Int, height: Int, pixels: [UInt8]) {
        let sides = 1...Self.longestSide
        guard sides.contains(width), sides.contains(height), pixels.count == width * height * 4 else { return nil }
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }

    /// The hint `image-data` (Desktop Notifications Specification 1.3, "Icons and Images"): width, height, bytes a row, whether there is an alpha channel, bits a
    /// sample, samples a pixel, and the pixels.
    var hint: BusValue {
        .tuple([
            .int32(Int32(width)), .int32(Int32(height)), .int32(Int32(width * 4)), .bool(true), .int32(8), .int32(4),
            .bytes(pixels),
        ])
    }
}
