import Calling

/// A link for one person, and what comes of it.
public struct Invitation: Sendable {
    /// The link to hand over, by whatever way the two trust.
    public let link: String
    /// The contact it will become.
    public let id: ContactID

    let account: Account

    /// Waits until the other side has connected.
    /// - Throws: `AccountError`, `CancellationError`.
    public func connected() async throws -> Contact { try await account.connected(id) }
}
