/// Why a packed text does not unpack.
public enum LZStringError: Error, Equatable, Sendable {
    /// A character outside of the base64 alphabet.
    case invalidCharacter(offset: Int)
    /// The text stops before its end mark.
    case truncated
    /// A code that refers to nothing.
    case invalidCode
    /// The unpacked text would be longer than the caller's limit, in UTF-16 units.
    case tooLong(limit: Int)
}
