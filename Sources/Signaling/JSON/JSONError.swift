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
    /// Arrays and objects nested deeper than is read.
    case tooDeep
    /// Something follows the value.
    case trailingBytes(offset: Int)
}
