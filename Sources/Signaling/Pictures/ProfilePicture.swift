import Cryptography

/// The small picture of a profile (Calls fact sheet §2): a JPEG or a PNG whose structure and size were looked at, reduced to what is
/// drawn. It holds no notes, no colour profile, no place where it was taken: whatever a decoder would read beside the picture itself is
/// left out, and so is what comes behind its end.
public struct ProfilePicture: Sendable, Hashable {
    /// How the picture is encoded.
    public enum Format: String, Sendable, Hashable {
        /// JPEG (ITU-T T.81): baseline, extended or progressive, Huffman coded, 8 bits, grey or three colours.
        case jpeg
        /// PNG (ISO/IEC 15948), without animation.
        case png
    }

    /// The most bytes that a picture may have, of which no message holds more.
    public static let maximumBytes = 65_536
    /// The most pixels that a side may have.
    static let maximumSide = 512
    /// How long the text of an own picture is at most: what the apps of SimpleX keep to (Calls fact sheet §2).
    public static let longestOwnText = 12_500

    /// How it is encoded.
    public let format: Format
    /// Its size in pixels, 1 to ``maximumSide``.
    public let (width, height): (Int, Int)
    /// A whole file of its format.
    public let bytes: [UInt8]

    /// Takes a file of either format.
    /// - Throws: ``PictureError``.
    public init(decoding bytes: [UInt8]) throws(PictureError) {
        guard bytes.count <= Self.maximumBytes else { throw .tooLong }
        if bytes.starts(with: JPEGStructure.signature) {
            let structure = try JPEGStructure(decoding: bytes)
            format = .jpeg
            (width, height, self.bytes) = (structure.width, structure.height, structure.bytes)
        } else if bytes.starts(with: PNGStructure.signature) {
            let structure = try PNGStructure(decoding: bytes)
            format = .png
            (width, height, self.bytes) = (structure.width, structure.height, structure.bytes)
        } else {
            throw .unknownFormat
        }
    }

    /// Reads a data URI. Which format it names counts for nothing: programs name the wrong one.
    /// - Throws: ``PictureError``.
    public init(parsing text: String) throws(PictureError) {
        guard let prefix = Self.prefixes.first(where: text.hasPrefix) else { throw .notAPicture }
        let encoded = text.utf8.dropFirst(prefix.utf8.count)
        guard encoded.count <= (Self.maximumBytes + 2) / 3 * 4 else { throw .tooLong }
        // As RFC 4648 §4 has it, in the letters of §5.
        let letters = encoded.map { byte in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case UInt8(ascii: "-"), UInt8(ascii: "_"): UInt8(ascii: "!")
            default: byte
            }
        }
        guard let bytes = try? Base64URL.decode(String(decoding: letters, as: UTF8.self)) else { throw .malformed }
        try self.init(decoding: bytes)
    }

    /// The picture as a data URI.
    public var text: String {
        let letters = Base64URL.encode(bytes).utf8.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        return (format == .jpeg ? Self.prefixes[0] : Self.prefixes[1]) + String(decoding: letters, as: UTF8.self)
    }

    private static let prefixes = [
        "data:image/jpg;base64,", "data:image/png;base64,", "data:image/jpeg;base64,",
    ]

    /// Whether a side is as long as a picture's may be.
    static func fits(_ width: Int, _ height: Int) -> Bool {
        let range = 1...maximumSide
        return range.contains(width) && range.contains(height)
    }
}
