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
    private let code: QRPicture
    private var work: [Task<Void, Never>] = []
    private var onCopy: (@Sendable () -> Void)?
    /// Shows how people reach the person.
    var onReach: @MainActor () -> Void = {}
    /// Is told of a link that the person opens.
    var onConnect: @MainActor (String) -> Void = { _ in }
    /// Looks for a link with the camera.
    var onScan: @MainActor () -> Void = {}
    /// Shows who is nearby.
    var onNearby: @MainActor () -> Void = {}
    /// Makes and shows a question, unless one is open; says whether it does.
    var ask: @MainActor (() -> any Dialog) -> Bool = { _ in false }

    /// Makes the dialog, to lie over a window; `onAdded` gets a new contact, also when the dialog is closed by then.
    init(over parent: Widget, provider: any CallProvider, onAdded: @escaping @MainActor (ContactItem) -> Void) {
        root = template.root
        self.provider = provider
        self.onAdded = onAdded
        window = DialogWindow(root, over: parent)
        mark = WaitingMark(template["connect_mark"])
        code = QRPicture(template["qr_code"])
        template["invitation_pages"].showPage("offer")
        let entry = template["link_entry"]
        entry.connect("changed") { [weak self] in self?.linkChanged() }
        entry.connect("entry-activated") { [weak self] in self?.connect() }
        template["connect_button"].connect("clicked") { [weak self] in self?.connect() }
        template["create_button"].connect("clicked") { [weak self] in self?.invite() }
        template["copy_button"].connect("clicked") { [weak self] in self?.copyLink() }
        template["reach_button"].connect("clicked") { [weak self] in self?.onReach() }
        template["scan_button"].connect("clicked") { [weak self] in self?.onScan() }
        template["nearby_button"].connect("clicked") { [weak self] in self?.onNearby() }
        // How people reach the person may have changed in another window.
        root.connect("notify::is-active") { [weak self] in self?.lookAtReach() }
        lookAtReach()
    }

    /// Closes the dialog, as somebody has become a contact. A link that is half typed stays.
    func closeUnlessTyped() { if link.isEmpty { window.close() } }

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
        onConnect(link)
        let joining = LinkJoining(provider: provider, ask: ask)
        // The task keeps the dialog: what was begun must still become a contact.
        work.append(Task { [link] in await joining.run(link, over: root) { receive($0) } })
    }

    private func receive(_ step: LinkJoining.Step) {
        switch step {
        case .left: setConnecting(false, sentence: "")
        case .agreed, .begun(.invitation): setConnecting(true, sentence: tr("Connecting…"))
        case .begun(.address):
            let sentence = tr("Asked. They become a contact once they accept; you can close this window.")
            setConnecting(true, sentence: sentence)
        case .connected(let contact):
            onAdded(contact)
            window.close()
        case .failed(let sentence):
            setConnecting(false, sentence: sentence)
            template["connect_state"].setClass("error", true)
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
            let name = dialog.template["name_entry"].text.trimmed
            let invitation = try await dialog.provider.makeInvitation(for: name.isEmpty ? nil : name)
            dialog.show(invitation)
            dialog.onAdded(try await invitation.connected())
            dialog.closeUnlessTyped()
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
        code.show(invitation.link, named: tr("QR code of your link"))
        template["qr_row"].isVisible = code.isShown
        template["invitation_pages"].showPage("link")
        template["invitation_mark"].isVisible = true
        template["invitation_state"].text = tr("Waiting for the other person to open it. You can close this window.")
        leaveName()
    }

    /// Who has named somebody copies the link next. (A text with the focus is drawn again and again for its cursor, and the next text
    /// would get it.) Who is at the other link stays there.
    private func leaveName() {
        let focus = gtk_root_get_focus(root.pointer())
        guard focus.map({ gtk_widget_is_ancestor($0, template["link_entry"].pointer()) == 0 }) ?? true else { return }
        gtk_widget_grab_focus(template["copy_button"].pointer())
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
