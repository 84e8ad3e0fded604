import CGtk
import GLibKit

/// Remembers the sizes of the windows. Without an installed settings schema, as in a build folder, it forgets.
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

    /// The window of a small call, as it was last; as it is at first where nothing is remembered.
    var mini: MiniWindowGeometry {
        get {
            guard let settings, settings.hasKey("mini-window-width") else { return MiniWindowGeometry() }
            let place = MiniWindowGeometry.Place(
                x: settings[number: "mini-window-x"], y: settings[number: "mini-window-y"])
            return MiniWindowGeometry(
                width: settings[number: "mini-window-width"], height: settings[number: "mini-window-height"],
                place: settings[flag: "mini-window-placed"] ? place : nil)
        }
        nonmutating set {
            guard let settings, settings.hasKey("mini-window-width") else { return }
            settings[number: "mini-window-width"] = newValue.width
            settings[number: "mini-window-height"] = newValue.height
            // A place is kept for the next session with an X server.
            guard let place = newValue.place else { return }
            settings[flag: "mini-window-placed"] = true
            settings[number: "mini-window-x"] = place.x
            settings[number: "mini-window-y"] = place.y
        }
    }
}
