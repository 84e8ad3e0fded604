import CAtspi
import XCTest

/// A test that uses the real program through the accessibility bus.
class DesktopTestCase: LimitedTestCase {
    override func setUpWithError() throws {
        guard ProcessInfo.processInfo.environment["DBUS_SESSION_BUS_ADDRESS"] != nil else {
            try skip(needing: "There is no session bus; run the tests under dbus-run-session and xvfb-run.")
        }
        try openScreen()
        setenv("ATSPI_NO_CACHE", "1", 1)  // the tests poll faster than change events arrive
        // A program that is busy answers late, which is no reason to take its widgets for gone.
        atspi_set_timeout(5_000, 15_000)
        guard atspi_init() <= 1 else {
            try skip(needing: "The accessibility bus can't be reached (package at-spi2-core).")
        }
    }

    /// Starts the windows with pretended calls. GTK must have nothing to complain about how it was used.
    /// `pause` in milliseconds is how long most things take there.
    func fake(pause: Int = 150, callsWait: Bool = false) throws -> RunningProgram {
        let parley = try RunningProgram(
            ["--pause", "\(pause)"] + (callsWait ? ["--calls-wait"] : []), program: RunningProgram.fakeCalls())
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
