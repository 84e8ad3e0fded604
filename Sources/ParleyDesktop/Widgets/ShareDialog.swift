import CGtk
import GLibKit

/// Asks whether the screen is to be shared, and whether with what programs play.
@MainActor final class ShareDialog {
    /// What the person wants.
    struct Choice: Equatable {
        var withSound: Bool
    }

    private let root: Widget

    /// Asks; `onAnswer` gets nil when nothing is to be shared.
    init(parent: Widget, name: String, onAnswer: @escaping @MainActor (Choice?) -> Void) {
        let dialog = adw_message_dialog_new(
            parent.pointer(), tr("Share your screen?"),
            tr("%s will see what you choose next, until you stop.", naming: name))
        root = Widget(retaining: UnsafeMutableRawPointer(dialog!))
        let check = Widget(
            retaining: UnsafeMutableRawPointer(gtk_check_button_new_with_label(tr("Share system sound"))))
        gtk_widget_set_halign(check.pointer(), GTK_ALIGN_CENTER)
        adw_message_dialog_set_extra_child(root.pointer(), check.pointer())
        adw_message_dialog_add_response(root.pointer(), "cancel", tr("Cancel"))
        adw_message_dialog_add_response(root.pointer(), "share", tr("Share"))
        adw_message_dialog_set_response_appearance(root.pointer(), "share", ADW_RESPONSE_SUGGESTED)
        adw_message_dialog_set_default_response(root.pointer(), "share")
        adw_message_dialog_set_close_response(root.pointer(), "cancel")
        root.connect("response") { arguments in
            let isWanted = arguments.get(0, as: String.self) == "share"
            onAnswer(isWanted ? Choice(withSound: gtk_check_button_get_active(check.pointer()) != 0) : nil)
        }
        gtk_window_present(root.pointer())
    }

    /// Closes the question without an answer, as when the call has ended.
    func dismiss() { gtk_window_destroy(root.pointer()) }
}
