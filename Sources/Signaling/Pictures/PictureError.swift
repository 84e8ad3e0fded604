/// Why something is not taken for the picture of a profile.
public enum PictureError: Error, Hashable, Sendable {
    /// It is not `data:image/…;base64,…`.
    case notAPicture
    /// It has more bytes than ``ProfilePicture/maximumBytes``.
    case tooLong
    /// It is neither JPEG nor PNG.
    case unknownFormat
    /// It has more pixels a side than ``ProfilePicture/maximumSide``, or none. (width, height)
    case size(Int, Int)
    /// It is of a kind of its format that is not read here: arithmetic coding, lossless, four colours, or too many scans.
    case unsupported
    /// What it is made of does not add up.
    case malformed
}
