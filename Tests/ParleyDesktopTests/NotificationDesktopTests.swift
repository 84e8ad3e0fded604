import BaseKit
import FakeNotifications
import FakePortal
import Foundation
import Testing

/// Calls that come while the person does something else, in the notifications of the real program.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class NotificationDesktopTests: DesktopSuite {
    private var manager: WindowManager?
    /// How many notifications there were before the test.
    private var earlier = 0

    override init() throws {
        try super.init()
        manager = try WindowManager()
        earlier = notifications.shown.count
    }

    /// Starts the program and minimises it. A contact calls when it gets SIGUSR1.
    private func programInTheBackground(_ contact: String = "Cem Calls-Back") throws -> (RunningProgram, window: String)
    {
        let parley = try fake(callsWait: true)
        try parley.press("Call \(contact)")
        try parley.see("declined the call.")
        try parley.press("Back to the contacts")
        try parley.see("Call \(contact)")
        let window = try Keyboard.window(titled: "Parley", onTop: true)
        try Keyboard.minimise(window)
        try wait("the window to be minimised") { try Keyboard.isMinimised(window) }
        return (parley, window)
    }

    /// Waits for a notification that was not there before; then until it can be pressed.
    private func notification(
        after count: Int = 0, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> FakeNotificationServer.Shown {
        try wait("a notification", sourceLocation: sourceLocation) {
            self.notifications.shown.count > self.earlier + count
        }
        usleep(1_300_000)  // a person looks first
        return try #require(notifications.shown.last)
    }

    @Test func `accepting the notification accepts and shows the call`() throws {
        let (parley, window) = try programInTheBackground()
        parley.signal(SIGUSR1)
        let shown = try notification()
        #expect(shown.summary == "Cem Calls-Back")
        #expect(shown.body == "Work · Incoming video call")
        #expect(
            shown.actions == [
                "default", "Show", "accept", "Accept", "accept-audio", "Accept with sound only", "decline", "Decline",
            ])
        #expect(try Keyboard.isMinimised(window), "a call that came raised the window")
        try notifications.press("accept-audio", of: shown.id)
        try parley.see("0:")
        try parley.see("Turn camera on")
        try wait("the window") { try Keyboard.activeWindow() == window }
        try wait("the notification to go") { self.notifications.closed.contains(shown.id) }
    }

    @Test func `declining the notification declines and leaves the window where it is`() throws {
        let (parley, window) = try programInTheBackground()
        parley.signal(SIGUSR1)
        try notifications.press("decline", of: try notification().id)
        try parley.see("You declined the call.")
        #expect(try Keyboard.isMinimised(window))
    }

    @Test func `music goes on while a call is ignored and stands still once it is accepted`() throws {
        let (parley, window) = try programInTheBackground()
        let address = ProcessInfo.processInfo.environment["DBUS_SESSION_BUS_ADDRESS"] ?? ""
        let music = try blocking { try await FakePlayer("music", "Playing", at: address) }
        parley.signal(SIGUSR1)
        let shown = try notification()
        try wait("the pause") { music.status == "Paused" }
        try notifications.dismiss(shown.id)
        try wait("the music") { music.status == "Playing" }
        #expect(parley.shows("Incoming video call"))
        try Keyboard.activate(window)
        try parley.press("Accept with sound only")
        try wait("the pause") { music.status == "Paused" }
        parley.signal(SIGTERM)
        #expect(parley.exitStatus() == 0)
    }

    @Test func `a call whose notification is sent away can still be answered in the window`() throws {
        let (parley, window) = try programInTheBackground()
        parley.signal(SIGUSR1)
        try notifications.dismiss(try notification().id)
        usleep(500_000)
        #expect(try Keyboard.isMinimised(window))
        #expect(notifications.shown.count == earlier + 1)
        try Keyboard.activate(window)
        try parley.see("Incoming video call")
        try parley.press("Accept with sound only")
        try parley.see("0:")
    }

    @Test func `a click on the notification shows the call and accepts nothing`() throws {
        let (parley, window) = try programInTheBackground()
        parley.signal(SIGUSR1)
        try notifications.press("default", of: try notification().id, token: "a-token-of-the-desktop")
        try wait("the window") { try Keyboard.activeWindow() == window }
        usleep(500_000)
        #expect(parley.shows("Incoming video call"))
        #expect(!parley.shows("0:"))
    }

    @Test func `a call that is in sight has no notification until the window is left`() throws {
        let (parley, window) = try programInTheBackground()
        try Keyboard.activate(window)
        parley.signal(SIGUSR1)
        try parley.see("Incoming video call")
        usleep(500_000)
        #expect(notifications.shown.count == earlier)
        try Keyboard.minimise(window)
        #expect(try notification().summary == "Cem Calls-Back")
    }

    @Test func `a missed call is told, and its button calls back`() throws {
        let (parley, window) = try programInTheBackground("Gus Gives-Up")
        parley.signal(SIGUSR1)
        let ringing = try notification()
        parley.signal(SIGUSR1)
        let missed = try notification(after: 1)
        #expect(notifications.closed.contains(ringing.id))
        #expect([missed.summary, missed.body] == ["Gus Gives-Up", "Missed call"])
        #expect(missed.actions == ["default", "Show", "call-back", "Call back"])
        #expect(try Keyboard.isMinimised(window))
        try notifications.press("call-back", of: missed.id)
        try wait("the window") { try Keyboard.activeWindow() == window }
        try parley.see("Gus Gives-Up declined the call.")
    }

    @Test func `a missed call is taken back when the window is seen`() throws {
        let (parley, window) = try programInTheBackground("Gus Gives-Up")
        parley.signal(SIGUSR1)
        _ = try notification()
        parley.signal(SIGUSR1)
        let missed = try notification(after: 1)
        #expect(!notifications.closed.contains(missed.id))
        try Keyboard.activate(window)
        try wait("it to be taken back") { self.notifications.closed.contains(missed.id) }
    }
}
