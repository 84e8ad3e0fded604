import Foundation
import TestSupport

/// A notification server that people use, on the bus of a test and this test's screen.
final class RealServer: Sendable {
    /// Which one.
    enum Kind: String, CaseIterable, Sendable {
        case dunst, daemon, xfce

        var program: String {
            switch self {
            case .dunst: "/usr/bin/dunst"
            case .daemon: "/usr/lib/notification-daemon/notification-daemon"
            case .xfce: "/usr/lib/\(Self.machine)-linux-gnu/xfce4/notifyd/xfce4-notifyd"
            }
        }

        /// Those that take from the screen what is closed. notification-daemon 3.20 says that it is closed, and leaves it there.
        static let closing = [dunst, xfce]

        /// The class of its windows.
        var windows: String {
            switch self {
            case .dunst: "^Dunst$"
            case .daemon: "^Notification-daemon$"
            case .xfce: "^Xfce4-notifyd$"
            }
        }

        private static var machine: String {
            #if arch(arm64)
                "aarch64"
            #else
                "x86_64"
            #endif
        }
    }

    /// What is missing for these tests; nil when nothing is.
    static var obstacle: String? {
        guard ProcessInfo.processInfo.environment["DISPLAY"] != nil else {
            return "There is no display; run the tests under xvfb-run."
        }
        let programs = Kind.allCases.map(\.program) + ["/usr/bin/xdotool", "/usr/bin/dunstctl", "/usr/bin/import"]
        return programs.first { !FileManager.default.isExecutableFile(atPath: $0) }.map { "\($0) is not installed." }
    }

    let kind: Kind
    private let folder: TemporaryFolder
    private let bus: String
    private let process: ChildProcess

    /// Starts it on a bus.
    init(_ kind: Kind, bus: String) throws {
        self.kind = kind
        self.bus = bus
        folder = try TemporaryFolder()
        let settings = folder.path + "/dunst"
        try FileManager.default.createDirectory(atPath: settings, withIntermediateDirectories: true)
        // Takes what begins so from the menu, as a person does.
        let menu = settings + "/menu"
        try Data("#!/bin/sh\nexec grep -m1 '^#Accept ('\n".utf8).write(to: URL(filePath: menu))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: menu)
        try Data("[global]\nmarkup = full\ndmenu = \(menu)\n".utf8).write(to: URL(filePath: settings + "/dunstrc"))
        process = try ChildProcess(
            "/usr/bin/env",
            ["DBUS_SESSION_BUS_ADDRESS=" + bus, "XDG_CONFIG_HOME=" + folder.path, "GTK_A11Y=none", "NO_AT_BRIDGE=1"]
                + [kind.program], folder: folder.path)
    }

    /// Ends it, as a crash does.
    func crash() async throws {
        process.signal(SIGKILL)
        _ = try await process.exitStatus()
    }

    /// Its windows that are on the screen.
    func windows() async throws -> [String] {
        let search = try ChildProcess(
            "/usr/bin/xdotool", ["search", "--onlyvisible", "--class", kind.windows], folder: folder.path)
        _ = try await search.exitStatus()
        return search.lines
    }

    /// Takes a picture of its window into the folder that `PARLEY_SCREENSHOTS` names, if it does.
    /// - Parameter what: what is seen, where that is not a call that rings.
    func takePicture(_ what: String? = nil) async throws {
        guard let pictures = ProcessInfo.processInfo.environment["PARLEY_SCREENSHOTS"],
            let window = try await windows().first
        else { return }
        let name = ["notification", what, kind.rawValue].compactMap(\.self).joined(separator: "-")
        let camera = try ChildProcess(
            "/usr/bin/import", ["-window", window, "\(pictures)/\(name).png"], folder: folder.path)
        _ = try await camera.exitStatus()
    }

    /// Whether a colour (red, green, blue) is in its window.
    func shows(_ colour: [UInt8]) async throws -> Bool {
        guard let window = try await windows().first else { return false }
        let colours = try ChildProcess(
            "/usr/bin/import", ["-window", window, "-depth", "8", "-format", "%c", "histogram:info:-"],
            folder: folder.path)
        _ = try await colours.exitStatus()
        let wanted = "#" + colour.prefix(3).map { String(format: "%02X", $0) }.joined()
        return colours.lines.contains { $0.contains(wanted) }
    }

    /// Clicks somewhere in its window: a part of the width, and points from the upper edge, or below zero from the lower one.
    func click(across part: Double, down: Int) async throws {
        guard let window = try await windows().first else { throw Overdue("no window to click on") }
        let size = try ChildProcess(
            "/usr/bin/xdotool", ["getwindowgeometry", "--shell", window], folder: folder.path)
        _ = try await size.exitStatus()
        func number(_ name: String) -> Int {
            size.lines.first { $0.hasPrefix(name + "=") }.flatMap { Int($0.dropFirst(name.count + 1)) } ?? 0
        }
        let x = Int(Double(number("WIDTH")) * part)
        let y = down < 0 ? number("HEIGHT") + down : down
        let click = try ChildProcess(
            "/usr/bin/xdotool", ["mousemove", "--sync", "--window", window, "\(x)", "\(y)", "click", "1"],
            folder: folder.path)
        _ = try await click.exitStatus()
    }

    /// Has dunst do something.
    func control(_ words: String...) async throws {
        let control = try ChildProcess(
            "/usr/bin/env", ["DBUS_SESSION_BUS_ADDRESS=" + bus, "/usr/bin/dunstctl"] + words, folder: folder.path)
        _ = try await control.exitStatus()
    }
}
