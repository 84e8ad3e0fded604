import Calling

// When the last call with each contact was, by the log.
extension Account {
    /// Looks for the last calls, and follows the log until the account is closed.
    func followLastCalls() {
        people.lastCalls = Task(priority: .utility) { [weak self, changes = callLog.changes.stream()] in
            await self?.findLastCalls { _ in true }
            for await change in changes { await self?.follow(change) }
        }
    }

    private func follow(_ change: CallLogChange) async {
        switch change {
        case .inserted(let call):
            let newer = call.record.contacts.filter { book.lastCall(with: $0)?.number ?? 0 < call.id }
            setLastCalls(Dictionary(newer.map { ($0, Contact.LastCall(call)) }) { first, _ in first })
        case .removed(let numbers): await findLastCalls { $0.map { numbers.contains($0.number) } ?? false }
        case .removedAll(let last): await findLastCalls { $0.map { $0.number <= last } ?? false }
        }
    }

    private func findLastCalls(where isWanted: (Contact.LastCall?) -> Bool) async {
        var found: [ContactID: Contact.LastCall?] = [:]
        for record in book.records {
            let id = ContactID(rawValue: record.connection)
            guard isWanted(book.lastCall(with: id)), !record.isTestCall else { continue }
            var filter = CallLogFilter()
            filter.contacts = [id]
            guard !Task.isCancelled, let calls = try? await callLog(filter, limit: 1).next() else { return }
            found[id] = .some(calls.first.map(Contact.LastCall.init))
        }
        setLastCalls(found)
    }

    private func setLastCalls(_ calls: [ContactID: Contact.LastCall?]) {
        var changed = book
        for (id, call) in calls { changed.setLastCall(call, with: id) }
        guard changed != book else { return }
        book = changed
        listeners.send(.contacts(book.contacts))
    }
}
