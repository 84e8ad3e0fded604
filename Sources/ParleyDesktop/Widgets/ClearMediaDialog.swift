import CGtk
import GLibKit

/// Asks whether a call may go on although the other side does not encrypt sound and picture end to end.
@MainActor final class ClearMediaDialog {
    private let root: Widget

    /// Asks; `onAnswer` gets true only for an explicit yes.
    init(parent: Widget, name: String, onAnswer: @escaping @MainActor (Bool) -> Void) {
        let dialog = adw_message_dialog_new(
            parent.pointer(), tr("Go on without end-to-end encryption?"),
            tr("%s’s program protects sound and picture on the way only, not from end to end.", naming: name))
        root = Widget(retaining: UnsafeMutableRawPointer(dialog!))
        adw_message_dialog_add_response(root.pointer(), "end", tr("End call"))
        adw_message_dialog_add_response(root.pointer(), "continue", tr("Go on anyway"))
        adw_message_dialog_set_response_appearance(root.pointer(), "continue", ADW_RESPONSE_DESTRUCTIVE)
        adw_message_dialog_set_default_response(root.pointer(), "end")
        adw_message_dialog_set_close_response(root.pointer(), "end")
        root.connect("response") { arguments in onAnswer(arguments.get(0, as: String.self) == "continue") }
        gtk_window_present(root.pointer())
    }

    /// Closes the question without an answer, as when the call has ended.
    func dismiss() { gtk_window_destroy(root.pointer()) }
}
