import Foundation
import Signaling

/// Makes the picture of a profile from a file that the person here has chosen.
public enum PictureFile {
    /// The most bytes that a file may have.
    public static let maximumBytes = 32 << 20
    /// The most pixels that a file may have.
    public static let maximumPixels = 50_000_000
    /// How many pixels the longest side of an own picture has, which is as small as it is shown.
    public static let side = 192

    /// Reads a picture of any format that this machine knows: its middle as a square, upright, on white where nothing is, of ``side``
    /// pixels unless it has fewer, encoded anew as a JPEG whose text has `ProfilePicture.longestOwnText` characters at most. Nothing of
    /// the file beside its pixels is taken over. It may take a second: not for the thread of the windows.
    /// - Throws: ``PictureFileError``.
    public static func picture(at path: String) throws(PictureFileError) -> ProfilePicture {
        try picture(try content(of: path))
    }

    /// The same for what was read already.
    /// - Throws: ``PictureFileError``.
    public static func picture(_ bytes: [UInt8]) throws(PictureFileError) -> ProfilePicture {
        let whole = try PixelBuffer.decoding(bytes, type: nil) { width, height in
            guard width > 0, height > 0, width <= maximumPixels / height else { return nil }
            // Twice as large as it will be: the last step makes it smooth.
            let factor = min(1, Double(2 * Self.side) / Double(min(width, height)))
            return (max(1, Int(Double(width) * factor)), max(1, Int(Double(height) * factor)))
        }
        let upright = try whole.upright()
        var side = min(Self.side, upright.width, upright.height)
        while side > 0 {
            let square = try upright.square(side: side)
            for quality in stride(from: 90, through: 50, by: -10) {
                guard let picture = try? ProfilePicture(decoding: try square.jpeg(quality: quality)) else {
                    throw .notEncoded
                }
                if picture.text.utf8.count <= ProfilePicture.longestOwnText { return picture }
            }
            side = side * 3 / 4
        }
        throw .notEncoded
    }

    private static func content(of path: String) throws(PictureFileError) -> [UInt8] {
        let kind = try? FileManager.default.attributesOfItem(
            atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)[.type]
        guard kind as? FileAttributeType == .typeRegular, let file = FileHandle(forReadingAtPath: path) else {
            throw .unreadable
        }
        defer { try? file.close() }
        guard let content = try? file.read(upToCount: maximumBytes + 1), !content.isEmpty else { throw .unreadable }
        guard content.count <= maximumBytes else { throw .tooLong }
        return [UInt8](content)
    }
}
