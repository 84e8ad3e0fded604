import CGStreamer
import Synchronization

/// Counts what GLib, GStreamer and its elements log as wrong use of them ("critical"), in the whole process.
enum LibraryComplaints {
    private static let count = Atomic(0)

    /// How many there have been since this was first asked.
    static var counted: Int {
        _ = handler
        return count.load(ordering: .relaxed)
    }

    private static let handler: Void = {
        _ = g_log_set_default_handler(
            { domain, level, message, data in
                if level.rawValue & G_LOG_LEVEL_CRITICAL.rawValue != 0 {
                    LibraryComplaints.count.add(1, ordering: .relaxed)
                }
                g_log_default_handler(domain, level, message, data)
            }, nil)
    }()
}
