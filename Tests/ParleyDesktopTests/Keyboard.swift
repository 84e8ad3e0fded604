import Foundation
import Testing

/// The screen's keyboard, its pointer, and what a person does with windows, through the X server like from real devices.
enum Keyboard {
    /// Presses keys one after the other, as X names them: `Return`, `ctrl+w`. Whichever window has the focus gets them.
    static func press(_ keys: String...) throws {
        for key in keys {
            try Tool.run("xdotool", "key", "--clearmodifiers", key)
            usleep(150_000)  // a person's hand
        }
    }

    /// Holds a key down during `body`, and lets it go whatever happens: tests that come later would get it, too.
    static func hold(_ key: String, _ body: () throws -> Void) throws {
        try Tool.run("xdotool", "keydown", key)
        defer { _ = try? Tool.run("xdotool", "keyup", key) }
        try body()
    }

    /// Types a text.
    static func type(_ text: String) throws { try Tool.run("xdotool", "type", "--delay", "20", text) }

    /// Clicks somewhere in a window, with the first button or another.
    static func click(x: Int, y: Int, in window: String, button: Int = 1) throws {
        // Moving fails now and then on a window that is there; why is not known.
        for attempt in 1... {
            do {
                try Tool.run("xdotool", "mousemove", "--sync", "--window", window, "\(x)", "\(y)")
                break
            } catch {
                guard attempt < 5 else { throw error }
                usleep(200_000)
            }
        }
        try Tool.run("xdotool", "click", "\(button)")
        usleep(150_000)
    }

    /// The windows of this title that are on the screen.
    static func windows(titled title: String) throws -> [String] {
        try Tool.run("xdotool", "search", "--onlyvisible", "--name", "^\(title)$", mayFail: true)
            .split(separator: "\n").map(String.init)
    }

    /// The window of this title, or the one that stands lowest or on top of others, as soon as it has been on the screen for a moment: what
    /// is in it may be heard of earlier, and one of a program that has just ended may still be seen.
    static func window(
        titled title: String, onTop: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        var (found, since): (String?, ContinuousClock.Instant) = (nil, .now)
        try waitUntil("a window titled “\(title)”", sourceLocation: sourceLocation) {
            let windows = try windows(titled: title)
            let seen = onTop ? windows.last : windows.first
            if seen != found { (found, since) = (seen, .now) }
            return found != nil && .now - since >= .milliseconds(100)
        }
        return try #require(found, sourceLocation: sourceLocation)
    }

    /// The window that the window manager gives the keys to; empty for none.
    static func activeWindow() throws -> String {
        try Tool.run("xdotool", "getactivewindow", mayFail: true).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Makes a window the active one.
    static func activate(_ window: String) throws { try Tool.run("xdotool", "windowactivate", "--sync", window) }

    /// Minimises a window, as its title bar's button does.
    static func minimise(_ window: String) throws { try Tool.run("xdotool", "windowminimize", "--sync", window) }

    /// Whether a window covers the whole screen.
    static func isFullScreen(_ window: String) throws -> Bool {
        try Tool.run("xprop", "-id", window, "_NET_WM_STATE").contains("_NET_WM_STATE_FULLSCREEN")
    }

    /// Where a window is and how large, as lines of text.
    static func geometry(of window: String) throws -> [String] {
        try Tool.run("xdotool", "getwindowgeometry", "--shell", window).split(separator: "\n").map(String.init)
            .filter { !$0.hasPrefix("WINDOW=") && !$0.hasPrefix("SCREEN=") }
    }

    /// Whether a window is minimised.
    static func isMinimised(_ window: String) throws -> Bool {
        try Tool.run("xprop", "-id", window, "WM_STATE").contains("Iconic")
    }
}
