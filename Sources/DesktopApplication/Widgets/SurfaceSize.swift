import CGtk
import GLibKit

/// Tells how large the window is that a widget is in, now and whenever it gets another size.
@MainActor final class SurfaceSize {
    private let widget: Widget
    private let onChange: @MainActor (_ width: Int, _ height: Int) -> Void
    private var watched: (surface: Object, connections: [SignalConnection])?

    /// Watches from when the widget is shown.
    init(of widget: Widget, onChange: @escaping @MainActor (_ width: Int, _ height: Int) -> Void) {
        self.widget = widget
        self.onChange = onChange
        widget.connect("map") { [weak self] in self?.watch() }
    }

    isolated deinit { stop() }

    private func watch() {
        guard let native = gtk_widget_get_native(widget.pointer()), let raw = gtk_native_get_surface(native) else {
            return
        }
        let surface = Object(retaining: UnsafeMutableRawPointer(raw))
        if surface != watched?.surface {
            stop()
            let connections = ["notify::width", "notify::height"].map { name in
                surface.connect(name) { [weak self] in self?.tell() }
            }
            watched = (surface, connections)
        }
        tell()
    }

    private func tell() {
        guard let surface = watched?.surface else { return }
        onChange(Int(gdk_surface_get_width(surface.pointer())), Int(gdk_surface_get_height(surface.pointer())))
    }

    private func stop() {
        for connection in watched?.connections ?? [] { connection.disconnect() }
        watched = nil
    }
}
