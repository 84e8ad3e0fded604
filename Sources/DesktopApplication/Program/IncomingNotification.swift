import CGtk
import GLibKit

/// Tells through the desktop that somebody calls while another program has the person's attention. A click brings the window
/// to the front and answers nothing.
@MainActor final class IncomingNotification {
    private static let id = "incoming-call"
    private let application: Object
    private var isSent = false

    /// Uses the application's name and icon.
    init(_ application: Object) { self.application = application }

    /// Tells of a call that rings.
    func send(_ call: CallPresentation) {
        guard let new = g_notification_new(call.name) else { return }
        let notification = Object(adopting: UnsafeMutableRawPointer(new))
        g_notification_set_body(new, call.status)
        g_notification_set_priority(new, G_NOTIFICATION_PRIORITY_URGENT)
        g_notification_set_default_action(new, "app." + Actions.Name.show.rawValue)
        g_application_send_notification(application.pointer(), Self.id, notification.pointer())
        isSent = true
    }

    /// Takes it back, as when the call does not ring any more.
    func withdraw() {
        guard isSent else { return }
        isSent = false
        g_application_withdraw_notification(application.pointer(), Self.id)
    }
}

extension Object {
    /// Whether the keyboard belongs to one of this application's windows.
    @MainActor var hasActiveWindow: Bool {
        var next = gtk_application_get_windows(pointer())
        while let item = next {
            if let window = item.pointee.data, gtk_window_is_active(window.assumingMemoryBound(to: GtkWindow.self)) != 0
            {
                return true
            }
            next = item.pointee.next
        }
        return false
    }
}
