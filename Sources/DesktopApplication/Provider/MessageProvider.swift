import Parley

/// Short messages with contacts.
@MainActor package protocol MessageProvider: AnyObject {
    /// The messages with a contact, oldest first: those of now, then all again whenever something changes.
    func messages(with contact: ContactItem) throws -> AsyncStream<[TextMessage]>
    /// Writes to a contact; returns when the message is kept and will go out by itself.
    func send(_ text: String, to contact: ContactItem) async throws
    /// The person has seen the messages of a contact.
    func markRead(_ contact: ContactItem) async throws
    /// Removes all messages with a contact here.
    func deleteAllMessages(with contact: ContactItem) async throws
}

/// A message that has come in.
package struct WrittenItem: Sendable, Hashable {
    /// Who wrote it.
    package let contact: ContactItem
    /// What it says, in words.
    package let words: String

    /// A message of a contact's.
    package init(contact: ContactItem, words: String) {
        self.contact = contact
        self.words = words
    }
}
