import CGtk
import GLibKit
import Wording

/// The person's own contact address: a link that anybody may open to ask.
@MainActor final class AddressDialog: Dialog {
    let window: DialogWindow
    private let root: Widget
    private let template = Template("contact-address")
    private let provider: any LinkProvider & ReachProvider
    private let mark: WaitingMark
    private let code: QRPicture
    private let ask: @MainActor (() -> any Dialog) -> Void
    /// Shows how people reach the person.
    var onReach: @MainActor () -> Void = {}

    /// Makes the dialog, to lie over a window; `ask` makes and shows a question, unless one is open.
    init(
        over parent: Widget, provider: any LinkProvider & ReachProvider,
        ask: @escaping @MainActor (() -> any Dialog) -> Void
    ) {
        self.ask = ask
        mark = WaitingMark(template["mark"])
        mark.show(true)
        code = QRPicture(template["qr_code"])
        root = template.root
        self.provider = provider
        window = DialogWindow(root, over: parent)
        template["pages"].showPage("waiting")
        template["create_button"].connect("clicked") { [weak self] in self?.create() }
        template["copy_button"].connect("clicked") { [weak self] in self?.copy() }
        template["delete_button"].connect("clicked") { [weak self] in self?.askToDelete() }
        template["reach_button"].connect("clicked") { [weak self] in self?.onReach() }
        // How people reach the person may have changed in another window.
        root.connect("notify::is-active") { [weak self] in self?.lookAtReach() }
        run { dialog in
            dialog.show(try await dialog.provider.contactAddress())
            dialog.lookAtReach()
        }
    }

    private func show(_ address: String?) {
        mark.show(false)
        template["link_label"].text = address ?? ""
        code.show(address ?? "", named: tr("QR code of your address"))
        template["pages"].showPage(address == nil ? "none" : "address")
    }

    /// Offers no address that nobody else could use.
    private func lookAtReach() {
        Task { [weak self] in
            guard let self, let reach = await provider.reach(), template["link_label"].text.isEmpty, window.isOpen,
                !mark.isShown
            else { return }
            template["pages"].showPage(reach.extent == .thisMachine ? "unreachable" : "none")
        }
    }

    private func create() {
        template["create_button"].isSensitive = false
        run { dialog in
            defer { dialog.template["create_button"].isSensitive = true }
            dialog.show(try await dialog.provider.makeContactAddress())
        }
    }

    private func copy() {
        gdk_clipboard_set_text(gtk_widget_get_clipboard(root.pointer()), template["link_label"].text)
        say(tr("Copied."), isError: false)
    }

    private func askToDelete() {
        ask {
            Question.make(
                over: root, heading: tr("Delete the address?"),
                body: tr("Nobody can use it any more, and unanswered requests go. Your contacts stay."),
                yes: tr("Delete")
            ) { [weak self] in
                self?.run { dialog in
                    try await dialog.provider.deleteContactAddress()
                    dialog.show(nil)
                }
            }
        }
    }

    private func run(_ body: @escaping @MainActor (AddressDialog) async throws -> Void) {
        say("", isError: false)
        Task {
            do {
                try await body(self)
            } catch {
                mark.show(false)
                if template["link_label"].text.isEmpty { template["pages"].showPage("none") }
                say(sentence(of: error), isError: true)
            }
        }
    }

    private func say(_ sentence: String, isError: Bool) {
        template["state"].text = sentence
        template["state"].setClass("error", isError)
    }
}
