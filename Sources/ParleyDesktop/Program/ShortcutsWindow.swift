import CGtk
import GLibKit

/// The window of keyboard shortcuts. Made anew each time, so that no window is kept hidden (see `MiniWindow`); that is why
/// it is not GTK's own `gtk/help-overlay.ui`.
@MainActor enum ShortcutsWindow {
    /// Shows it over another window.
    static func present(over parent: Widget) {
        let window = Template("shortcuts").root
        gtk_window_set_transient_for(window.pointer(), parent.pointer())
        gtk_window_present(window.pointer())
    }
}
