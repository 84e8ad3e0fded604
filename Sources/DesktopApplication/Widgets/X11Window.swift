import CGtk
import CX11
import GLibKit

/// What can be asked of a window where the display is an X server's, and GTK has no words for. Wayland has none of it.
@MainActor struct X11Window {
    private let gdkDisplay: OpaquePointer
    private let display: OpaquePointer
    private let window: CX11.Window

    /// Nil elsewhere than with an X server, and for a window that has never been shown.
    init?(_ widget: Widget) {
        guard let surface = gtk_native_get_surface(widget.pointer()),
            Object(retaining: surface)?.typeName.hasPrefix("GdkX11") == true,
            let gdkDisplay = gdk_surface_get_display(surface), let display = gdk_x11_display_get_xdisplay(gdkDisplay)
        else { return nil }
        self.gdkDisplay = gdkDisplay
        self.display = OpaquePointer(display)
        window = gdk_x11_surface_get_xid(surface)
    }

    /// Asks the window manager to keep a window that is shown above the others (Extended Window Manager Hints, `_NET_WM_STATE`).
    func keepAbove() {
        var event = XEvent()
        event.xclient.type = ClientMessage
        event.xclient.window = window
        event.xclient.message_type = XInternAtom(display, "_NET_WM_STATE", 0)
        event.xclient.format = 32
        let (add, application) = (1, 1)
        event.xclient.data.l = (add, Int(XInternAtom(display, "_NET_WM_STATE_ABOVE", 0)), 0, application, 0)
        guarded {
            let root = XDefaultRootWindow(display)
            XSendEvent(display, root, 0, SubstructureNotifyMask | SubstructureRedirectMask, &event)
        }
    }

    /// Where its upper left corner is.
    var place: MiniWindowGeometry.Place? {
        var (x, y): (Int32, Int32) = (0, 0)
        var child: CX11.Window = 0
        var isKnown: Int32 = 0
        guarded {
            isKnown = XTranslateCoordinates(display, window, XDefaultRootWindow(display), 0, 0, &x, &y, &child)
        }
        return isKnown != 0 ? MiniWindowGeometry.Place(x: Int(x), y: Int(y)) : nil
    }

    /// Asks the window manager to move it.
    func move(to place: MiniWindowGeometry.Place) {
        guarded { XMoveWindow(display, window, Int32(clamping: place.x), Int32(clamping: place.y)) }
    }

    /// The monitors there are.
    var monitors: [MiniWindowGeometry.Monitor] {
        guard let list = gdk_display_get_monitors(gdkDisplay) else { return [] }
        return (0..<g_list_model_get_n_items(list)).compactMap { index in
            guard let item = g_list_model_get_item(list, index) else { return nil }
            let monitor = Object(adopting: item)
            var box = GdkRectangle()
            gdk_monitor_get_geometry(monitor.pointer(), &box)
            let scale = Int(gdk_monitor_get_scale_factor(monitor.pointer()))
            return MiniWindowGeometry.Monitor(
                x: Int(box.x) * scale, y: Int(box.y) * scale, width: Int(box.width) * scale,
                height: Int(box.height) * scale)
        }
    }

    /// A window that has gone meanwhile must not end the program.
    private func guarded(_ body: () -> Void) {
        gdk_x11_display_error_trap_push(gdkDisplay)
        body()
        gdk_x11_display_error_trap_pop_ignored(gdkDisplay)
    }
}
