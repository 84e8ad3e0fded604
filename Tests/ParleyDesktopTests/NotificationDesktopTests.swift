import BaseKit
import FakeNotifications
import FakePortal
import XCTest

/// Calls that come while the person does something else, in the notifications of the real program.
final class NotificationDesktopTests: DesktopTestCase {
    private var manager: WindowManager?
    /// How many notifications there were before the test.
    private var earlier = 0

    override func setUpWithError() throws {
        try super.setUpWithError()
        manager = try WindowManager()
        earlier = notifications.shown.count
    }

    override func tearDown() { manager = nil }

    /// Starts the program and minimises it. A contact calls when it gets SIGUSR1.
    private func programInTheBackground(_ contact: String = "Cem Calls-Back") throws -> (RunningProgram, window: String)
    {
        let parley = try fake(callsWait: true)
        try parley.press("Call \(contact)")
        try parley.see("declined the call.")
        try parley.press("Back to the contacts")
        try parley.see("Call \(contact)")
        let window = try XCTUnwrap(try Keyboard.windows(titled: "Parley").last)
        try Keyboard.minimise(window)
        try wait("the window to be minimised") { try Keyboard.isMinimised(window) }
        return (parley, window)
    }

    /// Waits for a notification that was not there before; then until it can be pressed.
    private func notification(
        after count: Int = 0, file: StaticString = #filePath, line: UInt = #line
    ) throws -> FakeNotificationServer.Shown {
        try wait("a notification", file: file, line: line) { self.notifications.shown.count > self.earlier + count }
        usleep(1_300_000)  // a person looks first
        return try XCTUnwrap(notifications.shown.last)
    }

    func testAcceptingTheNotificationAcceptsAndShowsTheCall() throws {
        let (parley, window) = try programInTheBackground()
        parley.signal(SIGUSR1)
        let shown = try notification()
        XCTAssertEqual(shown.summary, "Cem Calls-Back")
        XCTAssertEqual(shown.body, "Work · Incoming video call")
        XCTAssertEqual(
            shown.actions,
            ["default", "Show", "accept", "Accept", "accept-audio", "Accept with sound only", "decline", "Decline"])
        XCTAssertTrue(try Keyboard.isMinimised(window), "a call that came raised the window")
        try notifications.press("accept-audio", of: shown.id)
        try parley.see("0:")
        try parley.see("Turn camera on")
        try wait("the window") { try Keyboard.activeWindow() == window }
        try wait("the notification to go") { self.notifications.closed.contains(shown.id) }
    }

    func testDecliningTheNotificationDeclinesAndLeavesTheWindowWhereItIs() throws {
        let (parley, window) = try programInTheBackground()
        parley.signal(SIGUSR1)
        try notifications.press("decline", of: try notification().id)
        try parley.see("You declined the call.")
        XCTAssertTrue(try Keyboard.isMinimised(window))
    }

    func testMusicGoesOnWhileACallIsIgnoredAndStandsStillOnceItIsAccepted() throws {
        let (parley, window) = try programInTheBackground()
        let address = ProcessInfo.processInfo.environment["DBUS_SESSION_BUS_ADDRESS"] ?? ""
        let music = try blocking { try await FakePlayer("music", "Playing", at: address) }
        parley.signal(SIGUSR1)
        let shown = try notification()
        try wait("the pause") { music.status == "Paused" }
        try notifications.dismiss(shown.id)
        try wait("the music") { music.status == "Playing" }
        XCTAssertTrue(parley.shows("Incoming video call"))
        try Keyboard.activate(window)
        try parley.press("Accept with sound only")
        try wait("the pause") { music.status == "Paused" }
        parley.signal(SIGTERM)
        XCTAssertEqual(parley.exitStatus(), 0)
    }

    func testACallWhoseNotificationIsSentAwayCanStillBeAnsweredInTheWindow() throws {
        let (parley, window) = try programInTheBackground()
        parley.signal(SIGUSR1)
        try notifications.dismiss(try notification().id)
        usleep(500_000)
        XCTAssertTrue(try Keyboard.isMinimised(window))
        XCTAssertEqual(notifications.shown.count, earlier + 1)
        try Keyboard.activate(window)
        try parley.see("Incoming video call")
        try parley.press("Accept with sound only")
        try parley.see("0:")
    }

    func testAClickOnTheNotificationShowsTheCallAndAcceptsNothing() throws {
        let (parley, window) = try programInTheBackground()
        parley.signal(SIGUSR1)
        try notifications.press("default", of: try notification().id, token: "a-token-of-the-desktop")
        try wait("the window") { try Keyboard.activeWindow() == window }
        usleep(500_000)
        XCTAssertTrue(parley.shows("Incoming video call"))
        XCTAssertFalse(parley.shows("0:"))
    }

    func testACallThatIsInSightHasNoNotificationUntilTheWindowIsLeft() throws {
        let (parley, window) = try programInTheBackground()
        try Keyboard.activate(window)
        parley.signal(SIGUSR1)
        try parley.see("Incoming video call")
        usleep(500_000)
        XCTAssertEqual(notifications.shown.count, earlier)
        try Keyboard.minimise(window)
        XCTAssertEqual(try notification().summary, "Cem Calls-Back")
    }

    func testAMissedCallIsToldAndItsButtonCallsBack() throws {
        let (parley, window) = try programInTheBackground("Gus Gives-Up")
        parley.signal(SIGUSR1)
        let ringing = try notification()
        parley.signal(SIGUSR1)
        let missed = try notification(after: 1)
        XCTAssertTrue(notifications.closed.contains(ringing.id))
        XCTAssertEqual([missed.summary, missed.body], ["Gus Gives-Up", "Missed call"])
        XCTAssertEqual(missed.actions, ["default", "Show", "call-back", "Call back"])
        XCTAssertTrue(try Keyboard.isMinimised(window))
        try notifications.press("call-back", of: missed.id)
        try wait("the window") { try Keyboard.activeWindow() == window }
        try parley.see("Gus Gives-Up declined the call.")
    }

    func testAMissedCallIsTakenBackWhenTheWindowIsSeen() throws {
        let (parley, window) = try programInTheBackground("Gus Gives-Up")
        parley.signal(SIGUSR1)
        _ = try notification()
        parley.signal(SIGUSR1)
        let missed = try notification(after: 1)
        XCTAssertFalse(notifications.closed.contains(missed.id))
        try Keyboard.activate(window)
        try wait("it to be taken back") { self.notifications.closed.contains(missed.id) }
    }
}
