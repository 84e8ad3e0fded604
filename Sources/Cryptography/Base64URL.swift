/// base64url of RFC 4648 §5.
public enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Encodes; `padded` fills the last group with `=`.
    public static func encode(_ bytes: [UInt8], padded: Bool = true) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var bits = 0 as UInt32
        var held = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            held += 8
            while held >= 6 {
                held -= 6
                text.append(alphabet[Int(bits >> UInt32(held) & 63)])
            }
        }
        if held > 0 { text.append(alphabet[Int(bits << UInt32(6 - held) & 63)]) }
        if padded { while !text.count.isMultiple(of: 4) { text.append(UInt8(ascii: "=")) } }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes text with complete padding or with none.
    ///
    /// - Throws: `CryptographyError.invalidEncoding` for other characters, a lone last character, wrong padding, or last
    ///   bits that are not zero (RFC 4648 §3.5: one byte string has one text).
    public static func decode(_ text: some StringProtocol) throws -> [UInt8] {
        var characters = Array(text.utf8)
        if characters.count.isMultiple(of: 4) {
            for _ in 0..<2 where characters.last == UInt8(ascii: "=") { characters.removeLast() }
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count * 3 / 4)
        var bits = 0 as UInt32
        var held = 0
        for character in characters {
            guard let value = value(of: character) else { throw CryptographyError.invalidEncoding }
            bits = bits << 6 | value
            held += 6
            if held >= 8 {
                held -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(held)))
            }
        }
        guard held < 6, bits & (1 << UInt32(held) - 1) == 0 else { throw CryptographyError.invalidEncoding }
        return bytes
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
