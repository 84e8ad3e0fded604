/// What a source says of the numbers in its pictures, and what has to be done so that they mean what those of VP8 do: YUV by BT.601, black 16
/// and white 235, however many rows a picture has (RFC 6386 §9.2).
package struct SourceColours: Sendable, Equatable {
    /// How brightness and colours are made of red, green and blue.
    package enum Matrix: Sendable { case bt601, other }

    /// What is black and white: 0 and 255, or 16 and 235.
    package enum Range: Sendable { case full, television }

    /// Nil: the source does not say.
    package var matrix: Matrix?
    /// Nil: the source does not say.
    package var range: Range?

    package init(matrix: Matrix?, range: Range?) { (self.matrix, self.range) = (matrix, range) }

    /// Whether they are VP8's, but for the range. Those that say nothing are, too, as cameras are at any size; GStreamer takes them for BT.709
    /// above 576 rows.
    package var areVP8s: Bool { matrix != .other }

    /// Whether nothing but the range has to be changed, which no converter of GStreamer 1.22 does where the matrix is the same: pictures of
    /// cameras that send JPEG.
    package var needRange: Bool { areVP8s && range == .full }
}

/// How numbers between 0 and 255 are brought to television's range, as `videobalance` has it, whose black is 16 and whose grey is 128.
package enum TelevisionRange {
    /// Brightness: 219 steps in place of 255.
    package static let contrast = 219.0 / 255
    /// Colours: 224 steps in place of 255.
    package static let saturation = 224.0 / 255
    /// What brings 0 to 16.
    package static let brightness = 16 * contrast / 255
}
