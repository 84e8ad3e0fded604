import CGtk
import GLibKit
import QRCodes

/// A link as a QR code, for somebody who is in the same room.
@MainActor final class QRPicture {
    private let picture: Widget
    private var text = ""

    /// Whether there is a code to see.
    var isShown: Bool { picture.isVisible }

    /// Shows codes in this `GtkPicture`; nothing is shown yet.
    init(_ picture: Widget) {
        self.picture = picture
        picture.isVisible = false
    }

    /// Shows a text, which a screen reader is told by this name; nothing for one that is empty or too long for a code.
    func show(_ text: String, named name: String) {
        guard text != self.text else { return }
        self.text = text
        guard let code = try? QRCode(text: text) else {
            gtk_picture_set_paintable(picture.pointer(), nil)
            picture.isVisible = false
            return
        }
        let paintable = QRPaintablePeer.gclass.make()
        QRPaintablePeer.gclass.peer(of: paintable).code = code
        gtk_picture_set_paintable(picture.pointer(), paintable.pointer())
        picture.setAccessibleLabel(name)
        picture.isVisible = true
    }
}
