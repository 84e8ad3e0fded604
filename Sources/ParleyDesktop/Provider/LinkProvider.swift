/// Links, of the person and of others.
@MainActor protocol LinkProvider: AnyObject {
    /// Makes a link for one person.
    func makeInvitation() async throws -> InvitationItem
    /// What a text leads to that the person has pasted; nil when it is no link.
    func kind(ofLink text: String) -> LinkKindItem?
    /// Begins to connect by somebody's link; goes on by itself then.
    func join(link: String) async throws -> PendingItem

    /// The person's contact address; nil when there is none.
    func contactAddress() async throws -> String?
    /// Makes the contact address, or gives the one there is.
    func makeContactAddress() async throws -> String
    /// Deletes the contact address. Contacts stay.
    func deleteContactAddress() async throws
    /// Takes somebody who asked as a contact.
    func accept(_ request: RequestItem) async throws
    /// Forgets somebody who asked.
    func decline(_ request: RequestItem) async throws
}

/// What a link leads to.
enum LinkKindItem: Sendable, Hashable {
    /// One person who waits for one other.
    case invitation
    /// Somebody whom anybody may ask.
    case address
}

/// A link that waits for somebody to open it.
struct InvitationItem: Sendable {
    /// The link itself.
    let link: String
    /// Returns once somebody has opened the link.
    let connected: @Sendable () async throws -> ContactItem
    /// Told when the person has copied the link.
    var onCopy: @Sendable () -> Void = {}
}

/// A contact that is being connected.
struct PendingItem: Sendable {
    /// What was opened.
    let kind: LinkKindItem
    /// Returns once the other side has connected.
    let connected: @Sendable () async throws -> ContactItem
}
