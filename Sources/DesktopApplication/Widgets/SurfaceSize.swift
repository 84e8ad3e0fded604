import CGtk
import GLibKit

/// Tells how large the window is that a widget is in, without its shadow, now and whenever it gets another size.
@MainActor final class SurfaceSize {
    private let widget: Widget
    private let onChange: @MainActor (_ width: Int, _ height: Int) -> Void
    private var told = (width: 0, height: 0)
    private var watched: (surface: Object, connection: SignalConnection)?

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
            // By then GTK has laid the window out: the surface alone has the shadow, too.
            watched = (surface, surface.connect("layout") { [weak self] in self?.tell() })
        }
        tell()
    }

    private func tell() {
        guard let surface = watched?.surface, let root = gtk_widget_get_root(widget.pointer()) else { return }
        let window = Widget(retaining: UnsafeMutableRawPointer(root))
        var (width, height) = (gtk_widget_get_width(window.pointer()), gtk_widget_get_height(window.pointer()))
        // Before it is laid out for the first time.
        if width == 0 {
            (width, height) = (gdk_surface_get_width(surface.pointer()), gdk_surface_get_height(surface.pointer()))
        }
        // A window is laid out far more often than it gets another size.
        guard (Int(width), Int(height)) != told else { return }
        told = (Int(width), Int(height))
        onChange(told.width, told.height)
    }

    private func stop() {
        watched?.connection.disconnect()
        watched = nil
    }
}
