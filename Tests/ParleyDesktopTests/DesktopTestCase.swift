import CAtspi
import XCTest

/// A test that uses the real program through the accessibility bus.
class DesktopTestCase: XCTestCase {
    override func setUpWithError() throws {
        let environment = ProcessInfo.processInfo.environment
        guard environment["DISPLAY"] != nil, environment["DBUS_SESSION_BUS_ADDRESS"] != nil else {
            throw XCTSkip("There is no display or no session bus; run the tests under dbus-run-session and xvfb-run.")
        }
        setenv("ATSPI_NO_CACHE", "1", 1)  // the tests poll faster than change events arrive
        guard atspi_init() <= 1 else { throw XCTSkip("The accessibility bus can't be reached.") }
    }

    /// Starts the program with pretended calls.
    func fake() throws -> RunningProgram {
        // Faults of our use of GTK end the program; with real media, GStreamer's own complaints would, too.
        try RunningProgram(["--fake-calls", "--fake-pause", "150"], environment: ["G_DEBUG": "fatal-criticals"])
    }
}
