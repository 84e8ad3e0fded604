import CGtk
import GLibKit

/// Asks whether the screen is to be shared, and whether with what programs play.
@MainActor final class ShareDialog {
    /// What the person wants.
    struct Choice: Equatable {
        var withSound: Bool

        /// What a response of the dialog means; nil: nothing is to be shared.
        init?(response: String?) {
            switch response {
            case "share": withSound = false
            case "share-sound": withSound = true
            default: return nil
            }
        }
    }

    private let root: Widget

    /// Asks; `onAnswer` gets nil when nothing is to be shared.
    init(parent: Widget, name: String, onAnswer: @escaping @MainActor (Choice?) -> Void) {
        let dialog = adw_message_dialog_new(
            parent.pointer(), tr("Share your screen?"),
            tr(
                "%s sees what you choose next, until you stop, and hears what other programs play if you want.",
                naming: name))
        root = Widget(retaining: UnsafeMutableRawPointer(dialog!))
        adw_message_dialog_add_response(root.pointer(), "cancel", tr("Cancel"))
        adw_message_dialog_add_response(root.pointer(), "share-sound", tr("Share with system sound"))
        adw_message_dialog_add_response(root.pointer(), "share", tr("Share without sound"))
        adw_message_dialog_set_response_appearance(root.pointer(), "share", ADW_RESPONSE_SUGGESTED)
        adw_message_dialog_set_default_response(root.pointer(), "share")
        adw_message_dialog_set_close_response(root.pointer(), "cancel")
        root.connect("response") { arguments in onAnswer(Choice(response: arguments.get(0, as: String.self))) }
        gtk_window_present(root.pointer())
    }

    /// Closes the question without an answer, as when the call has ended.
    func dismiss() { gtk_window_destroy(root.pointer()) }
}
