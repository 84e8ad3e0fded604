import Calling

// Contacts that are removed, for a while so that it can be undone.
extension Account {
    /// Takes contacts out of sight at once: they are not among the contacts, and nothing is heard of them. They are deleted, and told,
    /// after some time unless they have been before, or when the account is closed; after a crash at the next start. Calls with them end.
    public func removeSoon(_ ids: Set<ContactID>, undoableFor time: Duration) async {
        let removal = people.beginRemoval(of: ids)
        for id in ids where book[id] != nil {
            await change(id) { $0.isLeaving = true }
            await obeyBlock(of: id)
        }
        Task { [weak self] in
            try? await Task.sleep(for: time)
            await self?.finish(removal, of: ids)
        }
    }

    /// The time of a removal is over; those of its contacts whom nothing has brought back since are deleted.
    func finish(_ removal: Int, of ids: Set<ContactID>) async {
        await finishRemovals(of: ids.filter { people.removal(of: $0) == removal })
    }

    /// Brings contacts back that were taken out of sight; those that are deleted are not.
    public func undoRemoval(of ids: Set<ContactID>) async {
        for id in ids where book[id]?.isLeaving == true {
            people.endRemoval(of: id)
            await change(id) { $0.isLeaving = nil }
            await obeyBlock(of: id)
            await tellProfile(to: id)
        }
    }

    /// Deletes those that are out of sight; all of them unless some are named. One that can't be deleted is at the next start.
    public func finishRemovals(of ids: Set<ContactID>? = nil) async {
        for record in book.records where record.isLeaving == true {
            let id = ContactID(rawValue: record.connection)
            guard ids?.contains(id) ?? true, book[id]?.isLeaving == true else { continue }
            people.endRemoval(of: id)
            do throws(AccountError) {
                try await remove(id)
            } catch {
                logger.error("A contact could not be removed yet: \(error)")
            }
        }
    }
}
