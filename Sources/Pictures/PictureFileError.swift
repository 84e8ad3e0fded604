/// Why a file can't become the picture of a profile, or a picture can't be drawn.
public enum PictureFileError: Error, Hashable, Sendable {
    /// It can't be read, or is no file.
    case unreadable
    /// It has more bytes than ``PictureFile/maximumBytes``.
    case tooLong
    /// It has more pixels than ``PictureFile/maximumPixels``.
    case tooManyPixels
    /// It is no picture of a format that this machine can read, or is damaged.
    case notAPicture
    /// What was read can't be encoded again.
    case notEncoded
}
