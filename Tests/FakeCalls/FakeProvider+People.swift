import DesktopApplication
import Parley

// Pretended knowledge of contacts, and the person's own profile.
extension FakeProvider {
    func remove(_ contacts: [ContactItem]) async throws {
        let ids = Set(contacts.map(\.id))
        removed += self.contacts.enumerated().filter { ids.contains($0.element.id) }.map { ($0.offset, $0.element) }
        self.contacts.removeAll { ids.contains($0.id) }
    }

    func undoRemoval(of contacts: [ContactItem]) async throws {
        let ids = Set(contacts.map(\.id))
        var all = self.contacts
        for (place, contact) in removed where ids.contains(contact.id) {
            all.insert(contact, at: min(place, all.count))
        }
        removed.removeAll { ids.contains($0.1.id) }
        self.contacts = all
    }

    func finishRemoval(of contacts: [ContactItem]) async throws {
        let ids = Set(contacts.map(\.id))
        removed.removeAll { ids.contains($0.1.id) }
    }

    func rename(_ contact: ContactItem, to name: String?) async throws {
        guard !contacts.contains(where: { $0.id != contact.id && $0.name == name }) else {
            throw Refusal("There is a contact called “\(name ?? "")” already.")
        }
        change(contact) { old in
            var new = ContactItem(
                id: old.id, name: name ?? old.ownName ?? old.name, isTestCall: old.isTestCall,
                isConnected: old.isConnected, allowsCalls: old.allowsCalls, isBlocked: old.isBlocked,
                condition: old.condition, keepsCalls: old.keepsCalls)
            new.isNamedHere = name != nil
            new.ownName = old.ownName
            new.shortDescription = old.shortDescription
            new.picture = old.picture
            new.isCompared = old.isCompared
            new.labels = old.labels
            new.lastCall = old.lastCall
            old = new
        }
    }

    func note(on contact: ContactItem) async throws -> String { notes[contact.id] ?? "" }

    func setNote(_ text: String, on contact: ContactItem) async throws { notes[contact.id] = text }

    func securityCheck(of contact: ContactItem) async -> SecurityCheck? {
        guard let code = try? await securityCode(of: contact) else { return nil }
        return SecurityCheck(
            code: code, isCompared: contacts.first { $0.id == contact.id }?.isCompared ?? false)
    }

    func setCompared(_ code: String?, of contact: ContactItem) async throws {
        change(contact) { $0.isCompared = code != nil }
    }

    func setLabels(_ labels: [ContactLabel], of contact: ContactItem) async throws {
        change(contact) { $0.labels = labels }
    }

    func setLabels(_ labels: [ContactLabel], of request: RequestItem) async throws {
        requests = requests.map {
            guard $0.id == request.id else { return $0 }
            var changed = $0
            changed.labels = labels
            return changed
        }
    }

    func connection(of contact: ContactItem) async throws -> ConnectionItem? {
        contact.isConnected ? ConnectionItem(receiving: ["127.0.0.1"], sending: "relay.invalid", waiting: 0) : nil
    }

    func ownProfile() async throws -> OwnProfile { profile }

    func setOwnProfile(_ profile: OwnProfile) async throws { self.profile = profile }

    private func change(_ contact: ContactItem, _ change: (inout ContactItem) -> Void) {
        contacts = contacts.map {
            guard $0.id == contact.id else { return $0 }
            var changed = $0
            change(&changed)
            return changed
        }
    }
}
