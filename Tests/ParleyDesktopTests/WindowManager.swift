import TestSupport
import Testing

/// A window manager for one test: without one there is no focus to take and nothing to minimise. It ends with the object.
final class WindowManager {
    private static let mark = "_NET_SUPPORTING_WM_CHECK"
    private let process: ChildProcess

    /// Starts it and waits until it manages windows.
    init() throws {
        try Tool.run("xprop", "-root", "-remove", Self.mark)  // of one before
        process = try ChildProcess(
            "/usr/bin/openbox", ["--sm-disable"], folder: try RunningProgram.emptyFolder().path)
        try waitUntil("a window manager") { try Tool.run("xprop", "-root", Self.mark).contains("window id") }
        // It has the screen, but looks at nothing yet: a window that comes before it does may never be shown. It answers when it does.
        try waitUntil("the window manager to answer") {
            try Tool.run("xdotool", "set_num_desktops", "5", mayFail: true)
            return try Tool.run("xdotool", "get_num_desktops", mayFail: true).hasPrefix("5")
        }
    }
}
