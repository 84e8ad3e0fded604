import DesktopSession
import Foundation

/// Names that the desktop knows the application by.
enum ApplicationIdentity {
    /// The application id: desktop entry, icons, D-Bus name, settings schema.
    static let id = "im.parley.Parley"
    /// What people call it.
    static let name = "Parley"
    /// The version shown in "About".
    static let version = "0.1.0"
}

extension Autostart.Entry {
    /// The program where it is now, to be started without a window.
    static var parley: Self {
        Self(
            name: ApplicationIdentity.id, title: ApplicationIdentity.name,
            command: [
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "parley",
                "--background",
            ])
    }
}
