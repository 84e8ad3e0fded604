import Parley
import Wording

/// What the list of profiles says of one.
struct ProfileRow: Equatable, Identifiable {
    let id: Int
    /// Its name, or that it has none yet.
    let name: String
    /// How it stands, and what is new there.
    let state: String
    let isShown: Bool
    let isClosed: Bool
    let canClose: Bool
    let canRemove: Bool

    /// What is known of a profile that is open.
    struct News: Equatable {
        /// How far its account has come.
        var opening: AccountOverview.Opening
        /// Whether it waits for the passphrase.
        var isLocked = false
        /// How many messages are unread.
        var unread = 0
        /// How many calls were missed since it was last shown.
        var missed = 0
    }

    /// Works it out; nil for a profile that is on its way out. `news` is nil for one that is closed.
    init?(_ item: ProfileShelf.Item, in shelf: ProfileShelf, _ news: News?) {
        guard item.standing != .leaving else { return nil }
        id = item.id
        name = Self.name(of: item)
        isShown = shelf.shown == item.id
        isClosed = item.standing == .closed
        canClose = shelf.canClose(item.id)
        canRemove = shelf.canRemove(item.id)
        state = Self.state(isShown: isShown, news)
    }

    /// What a profile is called.
    static func name(of item: ProfileShelf.Item) -> String {
        item.name.isEmpty ? tr("Profile %s", item.id) : item.name
    }

    /// Somebody's name, with the profile that they called or wrote to.
    static func line(_ name: String, _ profile: String?) -> String { profile.map { name + " → " + $0 } ?? name }

    private static func state(isShown: Bool, _ news: News?) -> String {
        guard let news else { return tr("Closed: it receives nothing") }
        var words: [String] = isShown ? [tr("Shown now")] : []
        switch news.opening {
        case .new: words.append(tr("New"))
        case .failed: words.append(tr("Can’t be opened"))
        case .moved: words.append(tr("Moved to another machine"))
        case .locked: words.append(tr("Locked"))
        case .begun: words.append(news.isLocked ? tr("Locked") : tr("Opening…"))
        case .done: break
        }
        if news.unread > 0 {
            words.append(tr("%s unread message", plural: "%s unread messages", count: news.unread, news.unread))
        }
        if news.missed > 0 {
            words.append(tr("%s missed call", plural: "%s missed calls", count: news.missed, news.missed))
        }
        return words.isEmpty ? tr("Open") : words.joined(separator: " · ")
    }
}
