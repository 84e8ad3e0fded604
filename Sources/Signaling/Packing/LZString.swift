/// LZ-string with its own base64, as session descriptions and candidates are packed (Calls fact sheet §3.2).
///
/// The padding is not that of RFC 4648: three `=` may stand at the end.
enum LZString {
    /// How many UTF-16 units a packed text may unpack to, unless the caller says otherwise.
    ///
    /// A message holds at most 15,602 bytes, a session description about 10,000 characters; the rest is room.
    static let defaultLimit = 131_072

    static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Packs a text. The result is the same as that of the JavaScript library.
    static func compressToBase64(_ text: String) -> String {
        compressToBase64(units: Array(text.utf16))
    }

    /// Packs UTF-16 units, which need not be a valid text.
    static func compressToBase64(units: [UInt16]) -> String {
        var encoder = LZStringEncoder()
        return encoder.encode(units)
    }

    /// Unpacks a text. Units that are no valid UTF-16 become replacement characters.
    /// - Throws: ``LZStringError``.
    static func decompress(_ packed: String, limit: Int = defaultLimit) throws(LZStringError) -> String {
        String(decoding: try decompressUnits(packed, limit: limit), as: UTF16.self)
    }

    /// Unpacks to UTF-16 units, of which there will be at most `limit`.
    /// - Throws: ``LZStringError``.
    static func decompressUnits(
        _ packed: String, limit: Int = defaultLimit
    ) throws(LZStringError) -> [UInt16] {
        var decoder = LZStringDecoder(packed: packed, limit: limit)
        return try decoder.decode()
    }
}
