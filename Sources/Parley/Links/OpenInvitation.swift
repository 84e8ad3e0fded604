import Calling
import Foundation

/// A link that was made for one person, and that nobody has opened yet.
public struct OpenInvitation: Sendable, Hashable, Identifiable {
    /// The contact it will become.
    public let id: ContactID
    /// The name under which that is among the contacts until then.
    public let contact: String
    /// Whether the person here has given that name, so that it says for whom the link is.
    public let isNamed: Bool
    /// The link itself.
    public let link: String
    /// When it was made; nil for one of an earlier Parley.
    public let date: Date?
    /// From where it can be opened; nil where the link does not tell.
    public let reach: RelayReach?

    init?(_ contact: Contact) {
        guard let link = contact.invitation else { return nil }
        (id, self.contact, isNamed) = (contact.id, contact.name, contact.isNamedHere)
        (self.link, date, reach) = (link, contact.invitedAt, RelayReach(link: link))
    }
}

extension Account {
    /// The links that were made for one person each and that nobody has opened yet, oldest first.
    public func openInvitations() -> [OpenInvitation] { book.contacts.compactMap(OpenInvitation.init) }

    /// Takes a link back that was made for one person: nobody can open it any more, and the contact it was to become goes.
    /// - Throws: `AccountError.invitationOpened` when somebody has opened it already, or it is none.
    public func withdrawInvitation(_ id: ContactID) async throws(AccountError) {
        guard book.contacts.contains(where: { $0.id == id && $0.invitation != nil }) else { throw .invitationOpened }
        try await remove(id)
    }
}
