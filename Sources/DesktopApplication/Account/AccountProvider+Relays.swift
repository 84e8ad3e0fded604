import GLibKit
import Parley
import Wording

// Relays of the account.
extension AccountProvider {
    func addRelay(_ address: String) async throws {
        let account = try opened()
        try await account.addRelay(address)
        await showRelays(of: account)
    }

    func removeRelay(_ address: String) async throws -> Restoration {
        let account = try opened()
        let removed = try await account.removeRelay(address)
        await showRelays(of: account)
        return { [weak self] in
            guard let removed else { return }
            try await account.restore(removed)
            await self?.showRelays(of: account)
        }
    }

    func retryNow() async throws { try await opened().retryNow() }

    /// Shows the relays as they are now: the chosen ones, and those that old mailboxes are on.
    func showRelays(of account: Account) async {
        guard let statuses = try? await account.relayStatuses() else { return }
        let embedded = account.embeddedRelay
        let shown = statuses.filter { $0.isOwn || $0.queues > 0 }
        channel.yield(.relays(shown.map { RelayItem($0, isEmbedded: $0.address == embedded) }))
    }
}

extension RelayItem {
    /// A relay of the account.
    init(_ status: RelayStatus, isEmbedded: Bool) {
        let state: State =
            status.smpVersion != nil ? .connected : status.problem.map { .unreachable($0.sentence) } ?? .connecting
        self.init(address: status.address, isEmbedded: isEmbedded, isChosen: status.isOwn, state: state)
    }
}
