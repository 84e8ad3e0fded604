/// Why some bytes are no JSON document (RFC 8259). Offsets are bytes from the start.
public enum JSONError: Error, Equatable, Sendable {
    /// The document stops in the middle of a value.
    case unexpectedEnd
    /// A byte that cannot stand where it stands.
    case unexpectedByte(offset: Int)
    /// A number outside of the grammar, such as `01` or `1.`.
    case invalidNumber(offset: Int)
    /// A string with a bad escape, a lone surrogate, a control character or bytes that are no UTF-8.
    case invalidString(offset: Int)
    /// Arrays and objects nested deeper than ``JSONValue/maximumDepth``.
    case tooDeep
    /// Something follows the value.
    case trailingBytes(offset: Int)
}

extension JSONError: CustomStringConvertible {
    /// One sentence for the log.
    public var description: String {
        switch self {
        case .unexpectedEnd: "it stops too early."
        case .unexpectedByte(let offset): "there is an unexpected byte at \(offset)."
        case .invalidNumber(let offset): "there is a malformed number at \(offset)."
        case .invalidString(let offset): "there is a malformed string at \(offset)."
        case .tooDeep: "it is nested too deeply."
        case .trailingBytes(let offset): "something follows its end at \(offset)."
        }
    }
}
