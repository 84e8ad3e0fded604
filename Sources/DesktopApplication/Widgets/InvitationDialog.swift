import CGtk
import GLibKit
import Wording

/// A link that nobody has opened yet, to be seen and copied again.
@MainActor final class InvitationDialog: Dialog {
    let window: DialogWindow
    private let template = Template("invitation")
    private let link: String
    private let code: QRPicture

    /// Makes the dialog, to lie over a window.
    init(over parent: Widget, link: String) {
        self.link = link
        window = DialogWindow(template.root, over: parent)
        template["link_label"].text = link
        code = QRPicture(template["qr_code"])
        code.show(link, named: tr("QR code of your link"))
        template["copy_button"].connect("clicked") { [weak self] in self?.copy() }
    }

    private func copy() {
        gdk_clipboard_set_text(gtk_widget_get_clipboard(window.root.pointer()), link)
        template["state"].text = tr("Copied.")
    }
}
