/// Why received bytes are no SMP value.
public enum SMPDecodingError: Error, Equatable, Sendable {
    /// The bytes end inside a value.
    case truncated
    /// Bytes are left over after the value.
    case trailingBytes
    /// A value outside those the protocol defines; the text names the field.
    case invalid(String)
    /// The first word is no command, message or error of the protocol.
    case unknownTag
    /// A block that does not have the length of blocks.
    case invalidBlockSize
    /// A block or box that does not open with the agreed key.
    case decryptionFailed

    /// What a relay answers to a command that fails so (SMP fact sheet §8.1).
    public var commandError: SMPError {
        switch self {
        case .unknownTag: .command(.unknown)
        case .truncated, .trailingBytes, .invalid: .command(.syntax)
        case .invalidBlockSize, .decryptionFailed: .block
        }
    }
}

/// Why a value of our own cannot be encoded.
public enum SMPEncodingError: Error, Equatable, Sendable {
    /// A field is longer than its length prefix or its padding allows.
    case tooLong
    /// A value the protocol has no form for; the text names the field.
    case invalid(String)
}
