import SMP

// The relays a person has chosen.
extension Account {
    /// The address of the relay inside the program, if there is one.
    public nonisolated var embeddedRelay: String? { embedded?.address.text }

    /// Makes new mailboxes on this relay too, from now on and after the next start.
    /// - Parameter address: `smp://FINGERPRINT@HOST:PORT`.
    /// - Throws: `AccountError.relayAddress`, `.folder`.
    public func addRelay(_ address: String) async throws(AccountError) {
        guard let relay = try? RelayAddress(parsing: address) else { throw .relayAddress(address) }
        try await changeRelays { $0.filter { $0.withoutPassword != relay.withoutPassword } + [relay] }
    }

    /// Makes no new mailboxes on this relay any more; those that are there stay until `moveQueue(of:)` moves them. Without
    /// any other relay, the one inside the program is used.
    /// - Parameter address: As `RelayStatus` names it.
    /// - Returns: What ``restore(_:)`` needs to take that back; nil when it was not among them.
    /// - Throws: `AccountError.noRelay` when it is the only one, `.folder`.
    @discardableResult
    public func removeRelay(_ address: String) async throws(AccountError) -> RemovedRelay? {
        var removed: RemovedRelay?
        try await changeRelays { relays in
            guard let place = relays.firstIndex(where: { $0.withoutPassword.text == address }) else { return relays }
            removed = RemovedRelay(relay: relays[place], place: place)
            return relays.filter { $0.withoutPassword.text != address }
        }
        return removed
    }

    /// Makes new mailboxes on a relay that was removed, again, in its old place. Nothing changes when it has been added anew.
    /// - Throws: `AccountError.folder`.
    public func restore(_ removed: RemovedRelay) async throws(AccountError) {
        try await changeRelays { relays in
            guard !relays.contains(where: { $0.withoutPassword == removed.relay.withoutPassword }) else {
                return relays
            }
            var relays = relays
            relays.insert(removed.relay, at: min(removed.place, relays.count))
            return relays
        }
    }

    private func changeRelays(_ change: ([RelayAddress]) -> [RelayAddress]) async throws(AccountError) {
        var settings = try settings()
        let chosen = change(try settings.relays(.external([])))
        let own = chosen.isEmpty ? embedded.map { [$0.address] } ?? [] : chosen
        guard !own.isEmpty else { throw .noRelay }
        try settings.remember(chosen)
        try await useRelays(own)
    }

    /// Makes new mailboxes on these relays from now on.
    func useRelays(_ own: [RelayAddress]) async throws(AccountError) {
        relays = own
        servers.setRelays(own)
        try await inAgent { try await agent.setRelays(own) }
        for status in try await relayStatuses() { listeners.send(.relay(status)) }
    }
}

/// A relay that a person has removed, with its password and its place, so that they can have it back.
public struct RemovedRelay: Sendable {
    fileprivate let relay: RelayAddress
    fileprivate let place: Int
}
