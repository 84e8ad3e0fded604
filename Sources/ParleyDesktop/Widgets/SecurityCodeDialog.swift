import CGtk
import GLibKit

/// Shows the code by which two people make sure that nobody is between them.
@MainActor enum SecurityCodeDialog {
    /// Shows it over a window.
    static func present(over parent: Widget, code: String, name: String) {
        guard let dialog = adw_message_dialog_new(parent.pointer(), tr("Security code"), nil) else { return }
        let root = Widget(retaining: UnsafeMutableRawPointer(dialog))
        let question =
            "Compare it with the one that %s sees, face to face or by voice. If both are the same, nobody reads along."
        root[property: "body"] = tr(question, naming: name)
        let label = Widget(retaining: UnsafeMutableRawPointer(gtk_label_new(code)))
        label[property: "selectable"] = true
        label[property: "wrap"] = true
        label[property: "justify"] = "center"
        label[property: "max-width-chars"] = 24
        label.setClass("security-code", true)
        adw_message_dialog_set_extra_child(root.pointer(), label.pointer())
        adw_message_dialog_add_response(root.pointer(), "close", tr("Done"))
        adw_message_dialog_set_close_response(root.pointer(), "close")
        gtk_window_present(root.pointer())
    }
}
