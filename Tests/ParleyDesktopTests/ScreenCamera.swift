import Foundation

/// Takes pictures of the screen.
enum ScreenCamera {
    private static let folder = ProcessInfo.processInfo.environment["PARLEY_SCREENSHOTS"]
    /// Whether pictures are taken.
    static var isOn: Bool { folder != nil }

    /// Takes a picture of a window, or of all of the screen (“root”), into the folder that `PARLEY_SCREENSHOTS` names, if it does.
    static func take(_ name: String, of window: String) {
        guard let folder else { return }
        usleep(500_000)
        let camera = Process()
        camera.executableURL = URL(fileURLWithPath: "/usr/bin/import")
        camera.arguments = ["-window", window, "\(folder)/\(name).png"]
        guard (try? camera.run()) != nil else { return }
        camera.waitUntilExit()
    }
}
