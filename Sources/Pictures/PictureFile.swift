import Foundation
import Signaling

/// Makes the picture of a profile from a file that the person here has chosen.
public enum PictureFile {
    /// The most bytes that a file may have.
    public static let maximumBytes = 32 << 20
    /// The most pixels that a file may have.
    public static let maximumPixels = 50_000_000
    /// How many pixels the longer side has of a picture in which something is looked for.
    static let greySide = 1_600
    /// How many white pixels it gets at each edge: a code that fills its file has no light zone around it.
    private static let greyEdge = 24
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

    /// Reads a picture of any format that this machine knows, to look for something in it: without its colours, on white where nothing is
    /// and with a white edge. Its longer side has ``greySide`` pixels at most, without that edge. Not for the thread of the windows.
    /// - Throws: ``PictureFileError``.
    public static func grey(at path: String) throws(PictureFileError) -> (width: Int, height: Int, pixels: [UInt8]) {
        try grey(try content(of: path))
    }

    /// The same for what was read already.
    /// - Throws: ``PictureFileError``.
    public static func grey(
        _ bytes: [UInt8]
    ) throws(PictureFileError) -> (width: Int, height: Int, pixels: [UInt8]) {
        let whole = try PixelBuffer.decoding(bytes, type: nil) { width, height in
            guard width > 0, height > 0, width <= maximumPixels / height else { return nil }
            let factor = min(1, Double(greySide) / Double(max(width, height)))
            return (max(1, Int(Double(width) * factor)), max(1, Int(Double(height) * factor)))
        }
        let pixels = try whole.pixels()
        let (width, height) = (whole.width + 2 * greyEdge, whole.height + 2 * greyEdge)
        var grey = [UInt8](repeating: 255, count: width * height)
        for row in 0..<whole.height {
            for column in 0..<whole.width {
                let start = (row * whole.width + column) * 4
                // Weights of ITU-R BT.601.
                let light = 299 * Int(pixels[start]) + 587 * Int(pixels[start + 1]) + 114 * Int(pixels[start + 2])
                let cover = Int(pixels[start + 3])
                grey[(row + greyEdge) * width + column + greyEdge] = UInt8(
                    (light / 1000 * cover + 255 * (255 - cover)) / 255)
            }
        }
        return (width, height, grey)
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
