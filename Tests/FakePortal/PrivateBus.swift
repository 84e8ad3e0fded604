import Portal
import TestSupport

/// A session bus of a test's own. It ends with the object.
public final class PrivateBus: Sendable {
    /// For ``Portal/Bus/connect(address:)`` and `DBUS_SESSION_BUS_ADDRESS`.
    public let address: String
    private let folder: TemporaryFolder
    private let daemon: ChildProcess

    /// Starts it.
    public init() async throws {
        folder = try TemporaryFolder()
        daemon = try ChildProcess(
            "/usr/bin/dbus-daemon",
            ["--session", "--nofork", "--nopidfile", "--print-address=1", "--address=unix:dir=\(folder.path)"],
            folder: folder.path)
        address = try await daemon.line { $0.hasPrefix("unix:") }
    }
}
