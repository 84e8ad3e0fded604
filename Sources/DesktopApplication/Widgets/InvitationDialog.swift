import CGtk
import GLibKit
import Wording

/// A link that nobody has opened yet, to be seen, copied and scanned again, or withdrawn.
@MainActor final class InvitationDialog: Dialog {
    let window: DialogWindow
    private let template = Template("invitation")
    private let link: String
    private let code: QRPicture

    /// Makes the dialog, to lie over a window; `onWithdraw` is told that the person wants to take the link back, and has not been asked
    /// whether they are sure.
    init(over parent: Widget, contact: ContactItem, link: String, onWithdraw: @escaping @MainActor () -> Void) {
        self.link = link
        window = DialogWindow(template.root, over: parent)
        template["link_label"].text = link
        template["details"].text = InvitationText.lines(contact).joined(separator: "\n")
        code = QRPicture(template["qr_code"])
        code.show(link, named: tr("QR code of your link"))
        template["copy_button"].connect("clicked") { [weak self] in self?.copy() }
        template["withdraw_button"].connect("clicked") { onWithdraw() }
    }

    private func copy() {
        gdk_clipboard_set_text(gtk_widget_get_clipboard(window.root.pointer()), link)
        template["state"].text = tr("Copied.")
    }
}
