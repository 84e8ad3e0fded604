import Calling
import Parley

// What is kept of contacts, and how the person shows themselves.
extension AccountProvider {
    /// Longer than what offers to undo it stands, also behind others: whatever becomes of that, removals end.
    private static let undoTime = Duration.seconds(120)

    func remove(_ contacts: [ContactItem]) async throws {
        await (try opened()).removeSoon(Self.ids(contacts), undoableFor: Self.undoTime)
    }

    func undoRemoval(of contacts: [ContactItem]) async throws {
        await (try opened()).undoRemoval(of: Self.ids(contacts))
    }

    func finishRemoval(of contacts: [ContactItem]) async throws {
        await (try opened()).finishRemovals(of: Self.ids(contacts))
    }

    func rename(_ contact: ContactItem, to name: String?) async throws {
        try await opened().rename(ContactID(rawValue: contact.id), to: name)
    }

    func note(on contact: ContactItem) async throws -> String {
        try await opened().note(on: ContactID(rawValue: contact.id))
    }

    func setNote(_ text: String, on contact: ContactItem) async throws {
        try await opened().setNote(text, on: ContactID(rawValue: contact.id))
    }

    /// Whether the code that holds now was compared.
    func isCompared(_ contact: ContactItem) async -> Bool {
        let contacts = (try? await opened().contacts()) ?? []
        return contacts.first { $0.id.rawValue == contact.id }?.isCompared ?? false
    }

    func setCompared(_ code: String?, of contact: ContactItem) async throws {
        try await opened().setCompared(code, of: ContactID(rawValue: contact.id))
    }

    func setLabels(_ labels: [ContactLabel], of contact: ContactItem) async throws {
        try await opened().setLabels(labels, of: ContactID(rawValue: contact.id))
    }

    func setLabels(_ labels: [ContactLabel], of request: RequestItem) async throws {
        try await opened().setLabels(labels, ofRequest: request.id)
    }

    func connection(of contact: ContactItem) async throws -> ConnectionItem? {
        guard contact.isConnected else { return nil }
        let connection = try await opened().connection(of: ContactID(rawValue: contact.id))
        return ConnectionItem(
            receiving: connection.receivingRelays.map { RelayItem(address: $0.address).host },
            sending: connection.sendingRelay.map { RelayItem(address: $0.address).host },
            waiting: connection.waitingMessages)
    }

    func ownProfile() async throws -> OwnProfile { await (try opened()).ownProfile }

    func setOwnProfile(_ profile: OwnProfile) async throws {
        let account = try opened()
        try await account.setProfile(profile)
        channel.yield(.name(await account.displayName))
    }

    private static func ids(_ contacts: [ContactItem]) -> Set<ContactID> {
        Set(contacts.map { ContactID(rawValue: $0.id) })
    }
}
