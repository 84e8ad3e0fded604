import CGtk
import GLibKit

/// A question with a no and one other answer, over a window.
@MainActor enum Question {
    /// Asks; `onYes` is called only for an explicit yes.
    /// - Parameters:
    ///   - heading: The question.
    ///   - body: What a yes means.
    ///   - yes: The label of the yes.
    static func ask(
        over parent: Widget, heading: String, body: String, yes: String, onYes: @escaping @MainActor () -> Void
    ) {
        guard let dialog = adw_message_dialog_new(parent.pointer(), heading, nil) else { return }
        let root = Widget(retaining: UnsafeMutableRawPointer(dialog))
        root[property: "body"] = body
        adw_message_dialog_add_response(root.pointer(), "no", tr("Cancel"))
        adw_message_dialog_add_response(root.pointer(), "yes", yes)
        adw_message_dialog_set_response_appearance(root.pointer(), "yes", ADW_RESPONSE_DESTRUCTIVE)
        adw_message_dialog_set_default_response(root.pointer(), "no")
        adw_message_dialog_set_close_response(root.pointer(), "no")
        root.connect("response") { arguments in if arguments.get(0, as: String.self) == "yes" { onYes() } }
        gtk_window_present(root.pointer())
    }
}
