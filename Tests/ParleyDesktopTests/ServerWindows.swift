import Foundation

/// The windows of a program on the X server.
struct ServerWindows {
    let processIdentifier: Int32

    /// Makes them this large, as a person does at their edges; without a height, only this wide.
    func setSize(_ width: Int, _ height: Int? = nil) throws {
        for window in try all() {
            let size = try Tool.run("xdotool", "getwindowgeometry", "--shell", window, mayFail: true)
            guard let former = size.firstMatch(of: /HEIGHT=([0-9]+)/).map({ String($0.1) }) else { continue }
            try Tool.run(
                "xdotool", "windowsize", window, "\(width)", height.map(String.init) ?? former, mayFail: true)
        }
        usleep(300_000)
    }

    /// The size below which the window in front can't be made smaller, with its frame; nil where it says none.
    var leastSize: (width: Int, height: Int, isFixed: Bool)? {
        get throws {
            guard let window = try all().last else { return nil }
            let hints = try Tool.run("xprop", "-id", window, "WM_NORMAL_HINTS", mayFail: true)
            let least = hints.firstMatch(of: /minimum size: ([0-9]+) by ([0-9]+)/)
            let most = hints.firstMatch(of: /maximum size: ([0-9]+) by ([0-9]+)/)
            guard let least, let width = Int(least.1), let height = Int(least.2) else { return nil }
            return (width, height, most?.1 == least.1)
        }
    }

    /// All of them, the one in front last.
    private func all() throws -> [String] {
        let found = try Tool.run(
            "xdotool", "search", "--onlyvisible", "--all", "--pid", "\(processIdentifier)", "--name", ".",
            mayFail: true)
        return found.split(separator: "\n").map(String.init)
    }

    /// Takes a picture of the window in front, as `RunningProgram.screenshot(_:)` does of the screen.
    func screenshot(_ name: String) throws {
        if let window = try all().last { ScreenCamera.take(name, of: window) }
    }
}
