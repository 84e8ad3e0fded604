import TestSupport
import XCTest

/// A test of XCTest's with a limit of time, which XCTest has none for on Linux.
class LimitedTestCase: XCTestCase {
    /// Far above what any of them takes, and above what it waits for a single thing.
    class var limit: Duration { .seconds(300) }

    override func invokeTest() {
        let watchdog = Watchdog(name, limit: Self.limit, interrupt: { RunningProgram.killAll() })
        defer {
            watchdog.stop()
            if watchdog.hasOverrun { XCTFail("it took longer than its limit of time") }
        }
        super.invokeTest()
    }

    /// Opens the screen for this process, or skips the test where there is none.
    func openScreen() throws {
        guard Screen.isNamed else { try skip(needing: "There is no display; run the tests under xvfb-run.") }
        try MainActor.assumeIsolated { try Screen.open() }
    }

    /// Skips the test, because something is missing that every machine can have: with `CI=true` that is a failure.
    func skip(needing what: String) throws -> Never {
        if SkippedTests.areFailures { throw Missing(description: what) }
        SkippedTests.note(name, what)
        throw XCTSkip(what)
    }

    /// Skips the test where it would mean nothing.
    func skip(where isSo: Bool, _ reason: String) throws {
        guard isSo else { return }
        SkippedTests.note(name, reason)
        throw XCTSkip(reason)
    }
}
