import Calling

/// A contact that is being connected; it goes on by itself, also after a restart.
public struct PendingContact: Sendable {
    /// The contact it will become.
    public let id: ContactID
    /// What was opened: with an address, its owner has to accept first.
    public let kind: LinkKind

    let account: Account

    /// Waits until the other side has connected.
    /// - Throws: `AccountError`, `CancellationError`.
    public func connected() async throws -> Contact { try await account.connected(id) }
}
