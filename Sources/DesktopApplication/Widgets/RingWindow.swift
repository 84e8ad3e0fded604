import CGtk
import GLibKit

/// A small window for a call that rings, where notifications have no buttons or go by themselves. It comes up unasked: it wants no
/// focus, has no keys and no default button, and is no window of the application, whose keys would reach the call.
@MainActor final class RingWindow {
    private let root: Widget
    private let face = FaceView(template: "incoming-call")
    private let showsCaller: Bool

    /// Shows a call; `insert` makes its actions known in the window, and `onClose` is called when the person closes it.
    init(
        _ call: CallPresentation, kind: CallKind, showsCaller: Bool, actions insert: (Widget) -> Void,
        onClose: @escaping @MainActor () -> Void
    ) {
        self.showsCaller = showsCaller
        root = Widget(retaining: UnsafeMutableRawPointer(adw_window_new()))
        gtk_window_set_icon_name(root.pointer(), ApplicationIdentity.id)
        gtk_window_set_default_size(root.pointer(), 340, 380)
        gtk_window_set_resizable(root.pointer(), 0)
        gtk_window_set_deletable(root.pointer(), 1)
        adw_window_set_content(root.pointer(), face.root.pointer())
        face.setShown("accept_video_button", kind == .video)
        insert(root)
        show(call)
        root.connect("close-request", returning: Bool.self) { _ in
            onClose()
            return true
        }
        gtk_widget_realize(root.pointer())
        leaveFocus()
        gtk_widget_set_visible(root.pointer(), 1)
        gtk_widget_grab_focus(face.rest.pointer())
    }

    /// Shows the state of the call.
    func show(_ call: CallPresentation) {
        gtk_window_set_title(root.pointer(), showsCaller ? call.name + " · " + call.status : call.plainStatus)
        face.show(call, showsName: showsCaller)
    }

    /// Says whether it draws the eye.
    func setPulsing(_ isPulsing: Bool) { face.setPulsing(isPulsing) }

    /// Closes the window for good.
    func destroy() {
        face.setPulsing(false)
        gtk_window_destroy(root.pointer())
    }

    /// Asks the window manager to leave the focus where it is (Extended Window Manager Hints, `_NET_WM_USER_TIME`). Wayland has no
    /// such word.
    private func leaveFocus() {
        guard let surface = gtk_native_get_surface(root.pointer()),
            Object(retaining: surface)?.typeName.hasPrefix("GdkX11") == true
        else { return }
        gdk_x11_surface_set_user_time(surface, 0)
    }
}
