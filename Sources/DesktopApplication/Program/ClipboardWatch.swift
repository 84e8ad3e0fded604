import Wording

/// Offers to open a link that somebody has copied, once, when the main window gets the focus. The text is looked at here and kept
/// nowhere else; nobody is contacted by that.
@MainActor final class ClipboardWatch {
    /// Gives the windows while the person looks at the contacts in the main one, and the account is open; nil otherwise.
    var interface: () -> Interface? = { nil }
    /// Gets a link that the person wants to open.
    var onOpen: (String) -> Void = { _ in }
    private let provider: @MainActor () -> any LinkProvider
    private var offers = ClipboardOffers()
    private var isReading = false

    /// Looks at links by the provider that is the right one then.
    init(_ provider: @escaping @MainActor () -> any LinkProvider) { self.provider = provider }

    /// The person knows this link.
    func note(_ link: String) { offers.note(link.trimmed) }

    /// Looks at the clipboard.
    func look() {
        guard !isReading, let interface = interface() else { return }
        isReading = true
        Task { [weak self] in
            let text = await interface.clipboardText(atMost: ClipboardOffers.maximumBytes)
            self?.isReading = false
            await self?.receive(text)
        }
    }

    private func receive(_ text: String?) async {
        guard let text, interface() != nil,
            let link = offers.newLink(in: text, isLink: { provider().kind(ofLink: $0) != nil }),
            case .foreign = await provider().look(atLink: link), let interface = interface()
        else { return }
        interface.offer(tr("You have copied a link to a contact."), answer: tr("Open")) { [weak self] in
            self?.onOpen(link)
        }
    }
}
