import CGtk
import GLibKit
import Wording

/// Adding a contact: make a link and wait for somebody to open it, or open the link somebody sent.
@MainActor final class AddContactDialog: Dialog {
    let window: DialogWindow
    private let root: Widget
    private let template = Template("add-contact")
    private let provider: any CallProvider
    private let onAdded: @MainActor (ContactItem) -> Void
    private let mark: WaitingMark
    private var work: [Task<Void, Never>] = []
    private var onCopy: (@Sendable () -> Void)?
    /// Shows how people reach the person.
    var onReach: @MainActor () -> Void = {}
    /// Shows who is nearby.
    var onNearby: @MainActor () -> Void = {}
    /// Makes and shows a question, unless one is open.
    var ask: @MainActor (() -> any Dialog) -> Void = { _ in }

    /// Makes the dialog, to lie over a window; `onAdded` gets a new contact, also when the dialog is closed by then.
    init(over parent: Widget, provider: any CallProvider, onAdded: @escaping @MainActor (ContactItem) -> Void) {
        root = template.root
        self.provider = provider
        self.onAdded = onAdded
        window = DialogWindow(root, over: parent)
        mark = WaitingMark(template["connect_mark"])
        template["invitation_pages"].showPage("offer")
        let entry = template["link_entry"]
        entry.connect("changed") { [weak self] in self?.linkChanged() }
        entry.connect("entry-activated") { [weak self] in self?.connect() }
        template["connect_button"].connect("clicked") { [weak self] in self?.connect() }
        template["create_button"].connect("clicked") { [weak self] in self?.invite() }
        template["copy_button"].connect("clicked") { [weak self] in self?.copyLink() }
        template["reach_button"].connect("clicked") { [weak self] in self?.onReach() }
        template["nearby_button"].connect("clicked") { [weak self] in self?.onNearby() }
        // How people reach the person may have changed in another window.
        root.connect("notify::is-active") { [weak self] in self?.lookAtReach() }
        lookAtReach()
    }

    /// Offers no link that nobody else could open.
    private func lookAtReach() {
        Task { [weak self] in
            guard let self, let reach = await provider.reach(), onCopy == nil, window.isOpen else { return }
            template["invitation_pages"].showPage(reach.extent == .thisMachine ? "unreachable" : "offer")
        }
    }

    private var link: String { template["link_entry"].text.trimmed }

    private func linkChanged() {
        template["connect_button"].isSensitive = !link.isEmpty
        let isAddress = provider.kind(ofLink: link) == .address
        template["connect_state"].text = isAddress ? tr("This is an address: its owner will be asked.") : ""
        template["connect_state"].setClass("error", false)
    }

    private func connect() {
        guard !link.isEmpty, template["connect_button"].isSensitive else { return }
        setConnecting(true, sentence: tr("Connecting…"))
        Task { [weak self, link] in
            guard let self else { return }
            guard let relay = await provider.relayToShare(with: link) else { return join(link) }
            askToShare(relay, link)
        }
    }

    /// Asks once whether the own mailbox is to be on the relay of who made the link.
    private func askToShare(_ relay: String, _ link: String) {
        setConnecting(false, sentence: "")
        ask {
            MessageDialog(
                over: root, heading: tr("Use their relay, too?"),
                body: tr(
                    "Nobody else reaches the relay that you have. Your mailbox can be on the relay of who sent you the link. It then sees when both of you are online, and your network addresses."
                ),
                responses: [
                    .init(id: "no", label: tr("Cancel")),
                    .init(id: "yes", label: tr("Use Their Relay"), style: .suggested),
                ]
            ) { [weak self] answer in
                guard answer == "yes", let self else { return }
                setConnecting(true, sentence: tr("Connecting…"))
                run { dialog in
                    try await dialog.provider.useRelay(relay, asksForAddress: false)
                    dialog.join(link)
                } onFailure: {
                    $0.setConnecting(false, sentence: $1)
                }
            }
        }
    }

    private func join(_ link: String) {
        run { dialog in
            let pending = try await dialog.provider.join(link: link)
            if pending.kind == .address {
                let sentence = tr("Asked. They become a contact once they accept; you can close this window.")
                dialog.setConnecting(true, sentence: sentence)
            }
            dialog.onAdded(try await pending.connected())
            dialog.window.close()
        } onFailure: { dialog, sentence in
            dialog.setConnecting(false, sentence: sentence)
            dialog.template["connect_state"].setClass("error", true)
        }
    }

    private func setConnecting(_ isConnecting: Bool, sentence: String) {
        mark.show(isConnecting)
        template["connect_button"].isSensitive = !isConnecting
        template["link_entry"].isSensitive = !isConnecting
        template["connect_state"].text = sentence
        template["connect_state"].setClass("error", false)
    }

    private func invite() {
        template["create_button"].isSensitive = false
        run { dialog in
            let invitation = try await dialog.provider.makeInvitation()
            dialog.show(invitation)
            dialog.onAdded(try await invitation.connected())
            // A link that is half typed stays.
            if dialog.link.isEmpty { dialog.window.close() }
        } onFailure: { dialog, sentence in
            dialog.template["invitation_mark"].isVisible = false
            dialog.template["invitation_state"].text = sentence
            dialog.template["invitation_state"].setClass("error", true)
            dialog.template["invitation_pages"].showPage("link")
        }
    }

    private func show(_ invitation: InvitationItem) {
        onCopy = invitation.onCopy
        template["link_label"].text = invitation.link
        template["invitation_pages"].showPage("link")
        template["invitation_mark"].isVisible = true
        template["invitation_state"].text = tr("Waiting for the other person to open it. You can close this window.")
    }

    private func copyLink() {
        let clipboard = gtk_widget_get_clipboard(root.pointer())
        gdk_clipboard_set_text(clipboard, template["link_label"].text)
        template["invitation_state"].text = tr("Copied. Waiting for the other person to open it.")
        onCopy?()
    }

    /// Runs work of the dialog; what goes wrong becomes a sentence in it.
    private func run(
        _ body: @escaping @MainActor (AddContactDialog) async throws -> Void,
        onFailure: @escaping @MainActor (AddContactDialog, String) -> Void
    ) {
        // The task keeps the dialog: a link somebody opens later must still become a contact.
        work.append(
            Task {
                do { try await body(self) } catch { onFailure(self, sentence(of: error)) }
            })
    }
}

extension String {
    /// The text without white space at its ends.
    var trimmed: String {
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
