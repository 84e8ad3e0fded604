import DesktopApplication

// Pretended care for contacts, relays and the key.
extension FakeProvider {
    func setBlocked(_ isBlocked: Bool, _ contact: ContactItem) async throws {
        contacts = contacts.map {
            guard $0.id == contact.id else { return $0 }
            var changed = $0
            changed.isBlocked = isBlocked
            return changed
        }
        if isBlocked, let ringing, ringing.contact.id == contact.id { await ringing.decline() }
    }

    func securityCode(of contact: ContactItem) async throws -> String? {
        contact.isConnected ? "12345 67890 12345 67890 12345 67890 12345 67890" : nil
    }

    func repair(_ contact: ContactItem) async throws {
        set(.repairing, of: contact)
        try await Task.sleep(for: pause * 4)
        set(.fine, of: contact)
    }

    func takeName(of contact: ContactItem) async throws {
        contacts = contacts.map {
            guard $0.id == contact.id, let name = $0.offeredName else { return $0 }
            return ContactItem(
                id: $0.id, name: name, isTestCall: $0.isTestCall, isConnected: $0.isConnected, condition: $0.condition)
        }
    }

    func retry(_ contact: ContactItem) async throws {
        try await Task.sleep(for: pause)
        set(.fine, of: contact)
    }

    func retryNow() async throws {
        try await Task.sleep(for: pause)
        relays = relays.map {
            var relay = $0
            relay.state = .connected
            return relay
        }
    }

    private func set(_ condition: ContactItem.Condition, of contact: ContactItem) {
        contacts = contacts.map {
            guard $0.id == contact.id else { return $0 }
            var changed = $0
            changed.condition = condition
            return changed
        }
    }

    func addRelay(_ address: String) async throws {
        guard address.hasPrefix("smp://") else {
            throw Refusal("“\(address)” is not a relay address; it looks like smp://FINGERPRINT@HOST:PORT.")
        }
        relays = relays.filter { $0.address != address && !$0.isEmbedded } + [RelayItem(address: address)]
        try await Task.sleep(for: pause)
        let state: RelayItem.State =
            address.contains("down") ? .unreachable("The relay can’t be reached: no answer.") : .connected
        relays = relays.map { $0.address == address ? RelayItem(address: address, state: state) : $0 }
    }

    func removeRelay(_ address: String) async throws -> Restoration {
        let before = relays
        relays.removeAll { $0.address == address }
        if relays.isEmpty {
            relays = [RelayItem(address: "smp://cHJldGVuZGVk@127.0.0.1:5223", isEmbedded: true, state: .connected)]
        }
        return { [weak self] in self?.relays = before }
    }

    func moveKey(to place: KeyPlace) async throws {
        if place == .passphrase {
            guard await askForPassphrase?(.new) != nil else { return }
        }
        channel.yield(.key(KeyItem(place: place)))
    }

    func keyringStates() -> AsyncStream<KeyringTrouble?> { AsyncStream { $0.yield(keyringTrouble) } }

    func unlockKeyring() async throws {}

    func clearKeyring() async throws {}
}
