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

extension AgentDecodingError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .malformed: "The data is damaged."
        case .unknownTag: "The data is of an unknown kind."
        case .unsupportedVersion(let version): "The data has version \(version), which is not supported."
        case .trailingBytes: "The data is longer than it should be."
        case .notALink: "This is not an invitation link."
        case .unsupportedLinkData: "This kind of link is not supported yet."
        }
    }
}
