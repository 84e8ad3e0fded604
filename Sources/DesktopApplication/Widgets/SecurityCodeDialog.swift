import CGtk
import GLibKit
import Wording

/// Shows the code by which two people make sure that nobody is between them.
@MainActor enum SecurityCodeDialog {
    /// Makes it, to lie over a window.
    static func make(over parent: Widget, code: String, name: String) -> MessageDialog {
        let label = Widget(retaining: UnsafeMutableRawPointer(gtk_label_new(code)))
        label[property: "selectable"] = true
        label[property: "wrap"] = true
        label[property: "justify"] = "center"
        label[property: "max-width-chars"] = 24
        label.setClass("security-code", true)
        let body = tr(
            "Compare it with the one that %s sees, face to face or by voice. If both are the same, nobody reads along.",
            name)
        return MessageDialog(
            over: parent, heading: tr("Security code"), body: body, child: label,
            responses: [.init(id: "close", label: tr("Done"))])
    }
}
