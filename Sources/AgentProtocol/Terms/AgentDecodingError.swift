/// What is wrong with bytes or text of the agent layer that came from outside.
public enum AgentDecodingError: Error, Equatable, Sendable {
    /// The bytes or the text do not have the layout.
    case malformed
    /// A letter that names no known kind.
    case unknownTag
    /// A version this program cannot read.
    case unsupportedVersion(UInt16)
    /// Something follows the value.
    case trailingBytes
    /// The text is not a connection link at all.
    case notALink
    /// Data of a short link that this program cannot read yet.
    case unsupportedLinkData
}
