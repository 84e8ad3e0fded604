import Calling
import GLibKit
import Parley
import Wording

// Contacts of the account and how their connections fare.
extension AccountProvider {
    func setBlocked(_ isBlocked: Bool, _ contact: ContactItem) async throws {
        try await opened().setBlocked(isBlocked, ContactID(rawValue: contact.id))
    }

    func securityCode(of contact: ContactItem) async throws -> String? {
        try await opened().securityCode(of: ContactID(rawValue: contact.id))
    }

    func repair(_ contact: ContactItem) async throws {
        try await opened().resynchronise(ContactID(rawValue: contact.id))
    }

    func takeName(of contact: ContactItem) async throws {
        try await opened().takeName(of: ContactID(rawValue: contact.id))
    }

    func retry(_ contact: ContactItem) async throws {
        _ = try await opened().retry(ContactID(rawValue: contact.id))
    }

    /// Shows the contacts as they are now, with the relays on their ways.
    func showContacts(of account: Account) async {
        let contacts = await account.contacts()
        let problems = Set(((try? await account.relayStatuses()) ?? []).filter { $0.problem != nil }.map(\.address))
        let unread = account.unreadMessages
        var items: [ContactItem] = []
        for contact in contacts {
            var item = ContactItem(contact)
            item.unreadMessages = unread[contact.id] ?? 0
            if let trouble = contact.trouble {
                item.condition = ContactItem.Condition(trouble)
            } else if let connection = try? await account.connection(of: contact.id) {
                item.condition = ContactItem.Condition(connection, unreachable: problems)
            }
            items.append(item)
        }
        self.items = items
        channel.yield(.contacts(items))
    }
}

extension ContactItem {
    /// A contact of the account.
    init(_ contact: Contact) {
        self.init(
            id: contact.id.rawValue, name: contact.shownName, offeredName: contact.offeredName,
            isTestCall: contact.isTestCall, isConnected: contact.isConnected, allowsCalls: contact.allowsCalls,
            isBlocked: contact.isBlocked, invitation: contact.invitation, keepsCalls: contact.keepsCalls)
        isNamedHere = contact.isNamedHere
        takesGroupCalls = contact.takesGroupCalls
        invitedAt = contact.invitedAt
        ownName = contact.ownName
        shortDescription = contact.shortDescription
        picture = contact.picture
        isCompared = contact.isCompared
        labels = contact.labels
        lastCall = contact.lastCall
    }
}

extension ContactItem.Condition {
    /// What time does not mend.
    init(_ trouble: Contact.Trouble) {
        self =
            switch trouble {
            case .gone: .gone
            case .cutOff: .cutOff
            case .failed(let fault, let canRetry): .failed(fault.sentence, canRetry: canRetry)
            }
    }

    /// What is wrong with a connection, the worst first, when these relays can't be reached.
    init(_ connection: ContactConnection, unreachable: Set<String>) {
        let relays = connection.receivingRelays + (connection.sendingRelay.map { [$0] } ?? [])
        switch connection.encryption {
        case .damaged: self = .damaged
        case .repairing: self = .repairing
        case .intact: self = relays.contains { unreachable.contains($0.address) } ? .relayUnreachable : .fine
        }
    }
}
