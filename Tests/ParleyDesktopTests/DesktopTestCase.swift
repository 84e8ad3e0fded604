import CAtspi
import XCTest

/// A test that uses the real program through the accessibility bus.
class DesktopTestCase: XCTestCase {
    override func setUpWithError() throws {
        guard ProcessInfo.processInfo.environment["DBUS_SESSION_BUS_ADDRESS"] != nil else {
            throw XCTSkip("There is no session bus; run the tests under dbus-run-session and xvfb-run.")
        }
        try MainActor.assumeIsolated { try Screen.open() }
        setenv("ATSPI_NO_CACHE", "1", 1)  // the tests poll faster than change events arrive
        guard atspi_init() <= 1 else { throw XCTSkip("The accessibility bus can't be reached.") }
    }

    /// Starts the program with pretended calls. GTK must have nothing to complain about how it was used.
    /// `pause` in milliseconds is how long most things take there.
    func fake(pause: Int = 150) throws -> RunningProgram {
        let parley = try RunningProgram(["--fake-calls", "--fake-pause", "\(pause)"])
        addTeardownBlock {
            parley.kill()
            let complaints = parley.output.split(separator: "\n").filter {
                $0.contains("-CRITICAL **") || $0.contains("Gtk-WARNING")
            }
            XCTAssertEqual(complaints, [])
        }
        return parley
    }
}
