import Calling
import GLibKit
import Parley
import Wording

// Short messages of the account.
extension AccountProvider {
    func messages(with contact: ContactItem) throws -> AsyncStream<[TextMessage]> {
        try opened().messages(with: ContactID(rawValue: contact.id))
    }

    func send(_ text: String, to contact: ContactItem) async throws {
        _ = try await opened().send(text: text, to: ContactID(rawValue: contact.id))
    }

    func markRead(_ contact: ContactItem) async throws {
        try await opened().markRead(ContactID(rawValue: contact.id))
    }

    func deleteAllMessages(with contact: ContactItem) async throws {
        try await opened().deleteAllMessages(with: ContactID(rawValue: contact.id))
    }
}

extension WrittenItem {
    /// A message that came in at the account.
    init(_ message: TextMessage, from contact: Contact) {
        self.init(contact: ContactItem(contact), words: message.words)
    }
}
