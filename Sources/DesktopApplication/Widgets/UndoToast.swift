import CGtk
import GLibKit
import Wording

/// A line that says for some seconds what was removed, with a button that brings it back, in a window of preferences.
@MainActor enum UndoToast {
    /// Shows it in a window.
    static func show(_ sentence: String, in window: Widget, onUndo: @escaping @MainActor () -> Void) {
        guard let made = adw_toast_new(MarkupText.plain(sentence)) else { return }
        let toast = Object(adopting: UnsafeMutableRawPointer(made))
        adw_toast_set_button_label(toast.pointer(), tr("Undo"))
        // Twice the standard, as screen readers have to get there.
        adw_toast_set_timeout(toast.pointer(), 10)
        toast.connect("button-clicked") { onUndo() }
        g_object_ref(toast.raw)  // the window takes a reference over
        adw_preferences_window_add_toast(window.pointer(), toast.pointer())
    }
}
