import Agent
import Calling

// Contacts whose calls are not to be heard of.
extension Account {
    /// Blocks a contact or not.
    ///
    /// Calls of a blocked contact ring nowhere and are not told; to the contact they look unanswered, also while another call is on. A
    /// call that rings goes without a word to its caller, any other with the contact is hung up. A blocked contact can't be called.
    /// Their profile is read on, and their messages are confirmed. They hear of no change of the own profile until they are not blocked
    /// any more. A call of several that they have invited to, and that rings, is declined.
    /// - Throws: `AccountError.connection` when there is no such contact; `.blockNotKept` when it holds now, but could not be stored.
    public func setBlocked(_ isBlocked: Bool, _ id: ContactID) async throws(AccountError) {
        guard let record = book[id], !removed.contains(id) else { throw .connection(.agent(.unknownConnection)) }
        guard isBlocked != (record.isBlocked == true) else { return }
        book.update(id) { $0.isBlocked = isBlocked ? true : nil }
        // First: who is told may end the program.
        let fault = await storeFault()
        await obeyBlock(of: id)
        if isBlocked {
            for call in groupCalls.values where call.state.isRinging && call.contact?.id == id { await call.decline() }
        }
        listeners.send(.contacts(book.contacts))
        if !isBlocked { await tellProfile(to: id) }
        if let fault { throw .blockNotKept(fault) }
    }

    private func storeFault() async -> StoreFault? {
        do {
            try await storeContacts()
            return nil
        } catch AgentError.store(let error) {
            return .agent(error)
        } catch {
            return StoreFault(error)
        }
    }

    /// Has the calls go by whether a contact is blocked. Nothing is heard of one that was removed, either.
    func obeyBlock(of id: ContactID) async {
        let isUnheard = book[id].map { $0.isBlocked == true || $0.isLeaving == true }
        await center.setBlocked(removed.contains(id) || isUnheard == true, id)
    }
}
