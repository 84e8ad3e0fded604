import Signaling

/// A profile's picture as pixels.
public struct DrawnPicture: Sendable, Hashable {
    /// Its size in pixels.
    public let (width, height): (Int, Int)
    /// Row after row from the top, four bytes a pixel: red, green, blue and, not premultiplied, how opaque.
    public let pixels: [UInt8]

    /// Decodes a picture. It takes milliseconds: not for the thread of the windows.
    /// - Throws: ``PictureFileError/notAPicture`` where it can't be decoded, or is of another size than its header says.
    public init(_ picture: ProfilePicture) throws(PictureFileError) {
        // Only the decoder of this format sees it, and only what `ProfilePicture` has left of the file.
        let buffer = try PixelBuffer.decoding(picture.bytes, type: picture.format.rawValue) {
            [width = picture.width, height = picture.height] in
            ($0, $1) == (width, height) ? ($0, $1) : nil
        }
        guard (buffer.width, buffer.height) == (picture.width, picture.height) else { throw .notAPicture }
        (width, height) = (buffer.width, buffer.height)
        pixels = try buffer.pixels()
    }
}
