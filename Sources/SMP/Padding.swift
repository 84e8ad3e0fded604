/// Padding to a fixed length (SMP fact sheet §1): two length bytes, the message, then `#`.
public enum Padding {
    /// Bytes of the length in front.
    public static let lengthCount = 2
    private static let fill = UInt8(ascii: "#")

    /// Pads `message` to `count` bytes in total.
    ///
    /// - Throws: `SMPEncodingError.tooLong` when message and length do not fit.
    public static func pad(_ message: [UInt8], to count: Int) throws -> [UInt8] {
        guard let length = UInt16(exactly: message.count), message.count <= count - lengthCount else {
            throw SMPEncodingError.tooLong
        }
        var padded = [UInt8](repeating: fill, count: count)
        padded[0] = UInt8(truncatingIfNeeded: length >> 8)
        padded[1] = UInt8(truncatingIfNeeded: length)
        padded.replaceSubrange(lengthCount..<lengthCount + message.count, with: message)
        return padded
    }

    /// The message inside; the fill is not looked at.
    ///
    /// - Throws: `SMPDecodingError.truncated` when the length reaches beyond the end.
    public static func unpad(_ padded: [UInt8]) throws -> [UInt8] {
        var reader = ByteReader(padded)
        return try reader.large()
    }
}
