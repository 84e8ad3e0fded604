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
    /// - Throws: `AccountError.noRelay` when it is the only one.
    public func removeRelay(_ address: String) async throws(AccountError) {
        try await changeRelays { $0.filter { $0.withoutPassword.text != address } }
    }

    private func changeRelays(_ change: ([RelayAddress]) -> [RelayAddress]) async throws(AccountError) {
        var settings = try settings()
        let chosen = change(try settings.relays(.external([])))
        let own = chosen.isEmpty ? embedded.map { [$0.address] } ?? [] : chosen
        guard !own.isEmpty else { throw .noRelay }
        try settings.remember(chosen)
        try await useRelays(own)
    }
}
