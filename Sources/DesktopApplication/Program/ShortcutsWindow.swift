import GLibKit

/// The window of keyboard shortcuts. Made anew each time, so that no window is kept hidden (see `MiniWindow`); that is why
/// it is not GTK's own `gtk/help-overlay.ui`.
@MainActor enum ShortcutsWindow {
    /// Makes it, to lie over another window.
    static func make(over parent: Widget) -> DialogWindow { DialogWindow(Template("shortcuts").root, over: parent) }
}
