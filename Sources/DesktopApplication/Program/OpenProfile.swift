import Parley
import Wording

/// One profile that is open, or is being opened: its account, how far that has come, and what is new there.
@MainActor final class OpenProfile {
    /// Its number.
    let id: Int
    /// Its account.
    let provider: any CallProvider
    /// How far that has come.
    let opening: AccountOpening
    /// How many calls were missed since it was last shown.
    private(set) var missed = 0
    private var following: Task<Void, Never>?

    /// A profile whose account is not opened yet.
    init(_ id: Int, _ provider: any CallProvider) {
        (self.id, self.provider) = (id, provider)
        opening = AccountOpening(provider)
    }

    /// What the list of profiles says of it.
    var news: ProfileRow.News {
        ProfileRow.News(
            opening: opening.overview.opening, isLocked: opening.isLocked,
            unread: opening.overview.contacts.reduce(0) { $0 + $1.unreadMessages }, missed: missed)
    }

    /// Tells all that the account tells, until it is closed.
    func follow(_ tell: @escaping @MainActor (ProviderUpdate) -> Void) {
        guard following == nil else { return }
        let updates = provider.updates
        following = Task { [weak self] in
            for await update in updates {
                if case .missed = update { self?.missed += 1 }
                tell(update)
            }
        }
    }

    /// The person looks at it.
    func isSeen() { missed = 0 }

    /// Closes the account.
    func close() async {
        opening.close()
        following?.cancel()
        await provider.close()
    }
}
