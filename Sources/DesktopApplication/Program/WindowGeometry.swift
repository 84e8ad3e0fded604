import CGtk
import GLibKit

/// Remembers the size of the main window. Without an installed settings schema, as in a build folder, it forgets.
@MainActor struct WindowGeometry {
    private let settings: Settings?

    /// Opens the settings of the installed schema, or of the compiled one in `directory`.
    init(directory: String? = nil) {
        settings = try? Settings(schema: ApplicationIdentity.id, directory: directory)
    }

    /// Gives the window the size it had last.
    func restore(_ window: Widget) {
        guard let settings else { return }
        gtk_window_set_default_size(
            window.pointer(), gint(clamping: settings[number: "window-width"]),
            gint(clamping: settings[number: "window-height"]))
        if settings[flag: "window-maximized"] { gtk_window_maximize(window.pointer()) }
    }

    /// Keeps the window's size.
    func save(_ window: Widget) {
        guard let settings else { return }
        var width: gint = 0
        var height: gint = 0
        gtk_window_get_default_size(window.pointer(), &width, &height)
        settings[flag: "window-maximized"] = gtk_window_is_maximized(window.pointer()) != 0
        if width > 0, height > 0 {
            settings[number: "window-width"] = Int(width)
            settings[number: "window-height"] = Int(height)
        }
    }
}
