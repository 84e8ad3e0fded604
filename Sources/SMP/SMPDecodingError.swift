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

extension SMPDecodingError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .truncated: "The data from the other side ends too early."
        case .trailingBytes: "The data from the other side is too long."
        case .invalid(let field): "The data from the other side has a wrong \(field)."
        case .unknownTag: "The other side sent a message of an unknown kind."
        case .invalidBlockSize: "The other side sent a block of a wrong size."
        case .decryptionFailed: "The data from the other side cannot be decrypted."
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

extension SMPEncodingError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .tooLong: "The data is too long to be sent."
        case .invalid(let field): "The data cannot be sent because of its \(field)."
        }
    }
}
