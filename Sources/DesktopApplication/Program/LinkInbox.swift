import Wording

/// Links from outside: of the desktop, of a second start or of the command line. Nothing is contacted before the person agrees; they are
/// asked once the account is open and there is a window, about one link after the other.
@MainActor final class LinkInbox {
    /// Gives the windows to ask in while the account is open and the main window is there; nil otherwise.
    var dialogs: () -> Dialogs? = { nil }
    /// Is told of each link that was given.
    var onReceive: (String) -> Void = { _ in }
    /// All links that wait.
    var waiting: [String] { queue.all }
    private let provider: @MainActor () -> any LinkProvider
    private var queue = LinkQueue()

    /// Opens them by the provider that is the right one then.
    init(_ provider: @escaping @MainActor () -> any LinkProvider) { self.provider = provider }

    /// Takes links as they were given.
    func receive(_ links: [String]) {
        links.forEach(onReceive)
        if queue.add(links) > 0 { dialogs()?.say(tr("Too many links at once: only the first ones are opened.")) }
        goOn()
    }

    /// Asks about the next link if the person can be asked now.
    func goOn() {
        guard dialogs() != nil, let link = queue.begin() else { return }
        Task { [weak self] in
            guard let sight = await self?.provider().look(atLink: link) else { return }
            self?.ask(about: sight)
        }
    }

    private func ask(about sight: LinkSight) {
        // The window may have been closed meanwhile.
        guard let dialogs = dialogs() else { return queue.putBack() }
        switch sight {
        case .unreadable: say(tr("This is not a link that Parley can open."), in: dialogs)
        case .own: say(tr("You have made this link yourself. Send it to somebody else."), in: dialogs)
        case .foreign(let item): dialogs.open(item) { [weak self] in self?.finish() }
        }
    }

    private func say(_ sentence: String, in dialogs: Dialogs) {
        dialogs.say(sentence)
        finish()
    }

    private func finish() {
        queue.end()
        goOn()
    }
}
