/// Why the data behind a short link cannot be trusted or read.
public enum ShortLinkError: Error, Equatable, Sendable {
    /// The relay's data is not sealed with the link's key.
    case notDecrypted
    /// The data does not have the layout.
    case malformed
    /// The fixed data is not the one the link was made for.
    case wrongLinkKey
    /// A signature does not verify.
    case invalidSignature
    /// The link inside leads to another queue than the relay's answer.
    case wrongQueue
    /// The data is of a kind this program cannot read yet.
    case unsupported
}

extension ShortLinkError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notDecrypted: "The relay's data for this link cannot be decrypted."
        case .malformed: "The relay's data for this link is damaged."
        case .wrongLinkKey: "The relay's data does not belong to this link."
        case .invalidSignature: "The relay's data for this link is not signed by its owner."
        case .wrongQueue: "The relay's data for this link leads elsewhere."
        case .unsupported: "This kind of link is not supported yet."
        }
    }
}
