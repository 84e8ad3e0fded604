import Agent
import BaseKit
import Calling
import Foundation
import Signaling

extension Account {
    /// Makes a link for one person; `name` is what the person here calls them, if it is said.
    /// - Throws: `AccountError` when no relay is known, or it can't be used or can't keep short links; `.nameUnusable`, `.nameTaken`.
    public func makeInvitation(
        _ form: LinkForm = .automatic, for name: String? = nil
    ) async throws(AccountError) -> Invitation {
        _ = try ownRelay()
        if let name { _ = try book.freeName(name) }
        let (connection, link) = try await inAgent {
            try await make(form, { try await $0.makeInvitation() }, { try await $0.makeShortInvitation() })
        }
        let id = ContactID(rawValue: connection.rawValue)
        await change(id) {
            $0.invitation = link
            $0.invitedAt = Int64(Date().timeIntervalSince1970)
        }
        // Somebody else may have got the name meanwhile: the link is there all the same.
        if let name { try? await rename(id, to: name) }
        return Invitation(link: link, id: id, account: self)
    }

    /// Connects by somebody's link, in full or short form, and waits until that is done. With a contact address its owner
    /// has to accept first.
    /// - Throws: `AccountError`, `CancellationError`.
    public func connect(link: String) async throws -> Contact { try await join(link: link).connected() }

    /// Begins to connect by somebody's link, in full or short form; returns when that is on disk and will go on by itself.
    /// - Throws: `AccountError`.
    public func join(link: String) async throws(AccountError) -> PendingContact {
        _ = try ownRelay()
        let kind = LinkKind(link: link) ?? .invitation
        let profile = introduction(to: nil)
        let event =
            kind == .address ? ChatEvent.contactRequest(ContactRequest(profile: profile)) : .information(profile)
        let connection = try await inAgent {
            let information = try ChatMessage(event).encodedConnectionInformation()
            return try await agent.join(link: link, info: information)
        }
        let id = ContactID(rawValue: connection.rawValue)
        await change(id) {
            $0.link = link
            $0.noteTold(profile)
        }
        return PendingContact(id: id, kind: kind, account: self)
    }

    /// Begins anew to connect by the link that failed; what was left of the first attempt is deleted.
    /// - Returns: The contact it will become, under a new identifier.
    /// - Throws: `AccountError`; `.connection` when nothing has failed or the link was made here.
    public func retry(_ id: ContactID) async throws(AccountError) -> PendingContact {
        guard let record = book[id], record.fault != nil, let link = record.link else {
            throw .connection(.nothingToRetry)
        }
        let pending = try await join(link: link)
        // Only now: a relay that can't be reached must not cost the person the link.
        try await remove(id)
        return pending
    }

    /// Waits until a contact is connected.
    /// - Throws: `AccountError`, `CancellationError`.
    public func connected(_ id: ContactID) async throws -> Contact {
        let updates = listeners.stream(isForPerson: false)
        if let fault = book[id]?.fault { throw AccountError.connection(fault) }
        for await update in updates {
            switch update {
            case .contacts(let contacts):
                if let contact = contacts.first(where: { $0.id == id && $0.isConnected }) { return contact }
            case .failed(id, let fault): throw AccountError.connection(fault)
            case .failed, .incoming, .incomingGroup, .takesGroupCalls, .groupCallGoesOn, .missed, .refused, .relay,
                .requests, .encryption, .integrity,
                .moving,
                .written, .unread, .delivered, .storeKey, .storage, .network, .settings, .notice:
                break
            }
        }
        try Task.checkCancellation()
        throw AccountError.closed
    }

    /// Deletes a contact; a call with it ends, and the other side is told.
    /// - Throws: `AccountError`.
    public func remove(_ id: ContactID) async throws(AccountError) {
        await center.setBlocked(true, id)
        do throws(AccountError) {
            try await delete(id)
        } catch {
            await obeyBlock(of: id)
            throw error
        }
    }

    private func delete(_ id: ContactID) async throws(AccountError) {
        let connection = ConnectionID(rawValue: id.rawValue)
        if book[id]?.isConnected == true, let farewell = try? ChatMessage(.contactDeleted).encoded() {
            _ = try? await agent.send(farewell, on: connection, notify: false)
        }
        // First: a contact that is not in the book any more could not be removed again.
        try await inAgent {
            do { try await agent.delete(connection) } catch AgentError.unknownConnection {}
        }
        removed.insert(id)
        book.remove(id)
        try? await messageStore.deleteAll(of: id)
        await keepContacts()
        await forgetPage(of: id)
    }

    /// Knows a contact by what they call themselves now (`Contact.offeredName`); nothing happens if that is the same.
    public func takeName(of id: ContactID) async {
        await changeBook(of: id) { $0.takeName(of: id) }
    }

    // MARK: Keeping them

    /// Changes a contact, keeps it and tells everybody, in this order: who is told may end the program.
    func change(_ id: ContactID, _ change: (inout ContactBook.Record) -> Void) async {
        await changeBook(of: id) { $0.update(id, change) }
    }

    /// The same for what concerns other contacts too, such as names.
    func changeBook(of id: ContactID, _ change: (inout ContactBook) -> Void) async {
        guard !removed.contains(id) else { return }
        var changed = book
        change(&changed)
        guard changed != book else { return }
        book = changed
        await permit(id)
        await keepContacts()
    }

    func keepContacts() async {
        try? await storeContacts()
        listeners.send(.contacts(book.contacts))
    }

    /// Keeps the contacts without telling of them.
    func storeContacts() async throws {
        do {
            try await agent.setApplicationData(Self.contactsName, to: try book.encoded())
            lacksContacts = false
        } catch {
            let isNews = !lacksContacts
            lacksContacts = true
            logger.error("The contacts could not be kept: \(error)")
            if isNews { Task { [weak self] in await self?.storeContactsLater() } }
            throw error
        }
    }

    /// Keeps what could not be kept, once the store works again, whether or not the agent has noticed that it did not.
    private func storeContactsLater() async {
        while lacksContacts {
            try? await Task.sleep(for: .seconds(2))
            guard lacksContacts else { return }
            do { try await storeContacts() } catch AgentError.stopped { return } catch {}
        }
    }

    /// Notes that a contact has removed this side: calls with it are over, and nothing more will come of it.
    func noteGone(_ id: ContactID) async {
        guard let record = book[id], record.isGone != true else { return }
        await change(id) {
            $0.isGone = true
            $0.isConnected = false
        }
        await center.contactGone(id)
        listeners.send(.notice(.removed(name(of: id))))
    }

    /// Somebody of whom messages come is not gone, whatever a relay has said.
    func noteAlive(_ id: ContactID) async {
        guard let record = book[id], record.isGone == true || record.hasNoMailbox == true else { return }
        await change(id) {
            if $0.isGone == true { $0.isConnected = true }
            $0.isGone = nil
            $0.hasNoMailbox = nil
        }
    }

    /// A relay does not know an own mailbox any more. Where it was the only one for this contact, nothing of theirs arrives.
    func noteMailboxGone(_ id: ContactID) async {
        guard book[id]?.hasNoMailbox != true else { return }
        let status = try? await agent.status(of: ConnectionID(rawValue: id.rawValue))
        guard let status, status.receivingRelays.count == 1 else { return }
        await change(id) { $0.hasNoMailbox = true }
    }

    /// The contact's name in the list.
    func name(of id: ContactID) -> String { book.contacts.first { $0.id == id }?.name ?? Contact.unknownName }

    /// Tells the call centre who may call whom.
    func permit(_ id: ContactID) async {
        let theirs = book[id].flatMap { FeaturePreference(rawValue: $0.calls) } ?? .yes
        await center.setPermissions(CallPermissions(mine: profile.calls, theirs: theirs), for: id)
    }

    func inAgent<Value: Sendable>(_ body: () async throws -> Value) async throws(AccountError) -> Value {
        do {
            return try await body()
        } catch let error as AgentError {
            throw AccountError(error)
        } catch let error as AccountError {
            throw error
        } catch {
            throw .relay(Cause(error))
        }
    }
}

extension AccountError {
    init(_ error: AgentError) {
        switch error {
        case .invalidLink, .unsupportedLink, .incompatibleVersion: self = .link(error)
        case .noRelay: self = .noRelay
        case .unknownRequest: self = .unknownRequest
        case .relayUnreachable, .relayUnusable, .relayRefused, .shortLinksUnsupported: self = .relay(Cause(error))
        case .stopped: self = .closed
        case .store(let error): self = .store(.agent(error))
        default: self = .connection(.agent(error))
        }
    }
}
