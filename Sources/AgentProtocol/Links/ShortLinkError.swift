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
