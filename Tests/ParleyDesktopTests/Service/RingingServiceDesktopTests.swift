import FakePortal
import Foundation
import Portal
import Testing

/// How a call makes itself felt where the program has no window.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class RingingServiceDesktopTests: ServiceSuite {
    @Test func `a call without a window is accepted in its notification`() throws {
        let parley = try programWithoutWindow()
        parley.signal(SIGUSR1)
        let shown = try notification()
        #expect(shown.summary == "Cem Calls-Back")
        #expect(try Keyboard.windows(titled: "Parley") == [])
        try notifications.press("accept-audio", of: shown.id)
        try parley.see("0:")
        try parley.see("Turn camera on")
        try parley.press("End the call")
        try parley.see("You ended the call.")
    }

    @Test func `a call rings on when the window it rings in is closed`() throws {
        for isReachable in [true, false] {
            try autostart.set(isReachable)
            earlier = notifications.shown.count
            let parley = try start()
            try parley.press("Call Cem Calls-Back")
            try parley.see("declined the call.")
            parley.signal(SIGUSR1)
            try parley.see("Incoming video call")
            try closeWindow()
            let shown = try notification()
            #expect(try Keyboard.windows(titled: "Parley") == [])
            try notifications.press("accept-audio", of: shown.id)
            try parley.see("0:")
            try parley.press("End the call")
            try parley.see("You ended the call.")
            parley.kill()
        }
    }

    @Test func `a server without buttons has a window in its place that takes no keys`() throws {
        notifications.answer("GetCapabilities", [.array([.string("body")], of: "s")])
        defer { restoreServer() }
        let parley = try programWithoutWindow()
        parley.signal(SIGUSR1)
        try wait("the window") { try Keyboard.windows(titled: "Cem Calls-Back.*").count == 1 }
        try parley.seeUsable("Accept with sound only")
        parley.screenshot("ring-window")
        try Keyboard.activate(Keyboard.window(titled: "Cem Calls-Back.*"))
        try Keyboard.press("Return", "space", "ctrl+Return", "ctrl+BackSpace", "Escape")
        try parley.see("Incoming video call")
        #expect(!parley.shows("0:"))
        try parley.press("Accept with sound only")
        try parley.see("0:")
        try wait("the window to go") { try Keyboard.windows(titled: "Cem Calls-Back.*").isEmpty }
        try wait("the main window") { try Keyboard.windows(titled: "Parley").count == 1 }
        try parley.press("End the call")
    }

    @Test func `the window of a call that rings leaves the keyboard where it is`() throws {
        notifications.answer("GetCapabilities", [.array([.string("body")], of: "s")])
        defer { restoreServer() }
        let parley = try programWithoutWindow()
        // Somebody writes in another program.
        _ = try fake()
        try wait("the other window") { try Keyboard.windows(titled: "Parley").count == 1 }
        let other = try Keyboard.window(titled: "Parley")
        try Keyboard.activate(other)
        parley.signal(SIGUSR1)
        try wait("the window") { try Keyboard.windows(titled: "Cem Calls-Back.*").count == 1 }
        try parley.seeUsable("Accept with sound only")
        #expect(try Keyboard.activeWindow() == other)
    }

    @Test func `closing the window of a call that rings ignores it`() throws {
        notifications.answer("GetCapabilities", [.array([.string("body")], of: "s")])
        defer { restoreServer() }
        let parley = try programWithoutWindow("Gus Gives-Up")
        parley.signal(SIGUSR1)
        try wait("the window") { try Keyboard.windows(titled: "Gus Gives-Up.*").count == 1 }
        try Keyboard.activate(Keyboard.window(titled: "Gus Gives-Up.*"))
        try Keyboard.press("alt+F4")
        try wait("the window to go") { try Keyboard.windows(titled: "Gus Gives-Up.*").isEmpty }
        #expect(parley.isRunning)
        parley.signal(SIGUSR1)
        try wait("the missed call") { self.notifications.shown.last?.body == "Missed call" }
    }

    @Test func `a call rings unheard where the desktop is not to be disturbed`() throws {
        notifications.answer("Get", [.variant(.bool(true))])
        defer { restoreServer() }
        let parley = try programWithoutWindow()
        let address = ProcessInfo.processInfo.environment["DBUS_SESSION_BUS_ADDRESS"] ?? ""
        let music = try blocking { try await FakePlayer("music", "Playing", at: address) }
        parley.signal(SIGUSR1)
        let shown = try notification()
        #expect(shown.hints["urgency"] == .byte(1))
        #expect(music.heard == [])
        #expect(try Keyboard.windows(titled: "Cem Calls-Back.*") == [])
        try notifications.press("accept-audio", of: shown.id)
        try parley.see("0:")
        try wait("the pause") { music.status == "Paused" }
    }

    @Test func `a call rings all the same by choice`() throws {
        try choose(["ring-all-the-same": true, "ring-window-always": true])
        notifications.answer("Get", [.variant(.bool(true))])
        defer { restoreServer() }
        let parley = try programWithoutWindow()
        parley.signal(SIGUSR1)
        #expect(try notification().hints["urgency"] == .byte(2))
        #expect(try Keyboard.windows(titled: "Cem Calls-Back.*").count == 1)
    }

    @Test func `a call nobody took does not end a service that had no window`() throws {
        notifications.answer("GetCapabilities", [.array([.string("body")], of: "s")])
        defer { restoreServer() }
        let parley = try start(["--service"])
        try waitForName(parley)
        let client = try client()
        // The one that gives up calls after it was called.
        try blocking { try await client.activate(action: "call-back", parameter: .string("video givesUp")) }
        try parley.see("Call Gus Gives-Up with video?")
        try parley.press("Call")
        try parley.see("declined the call.")
        try parley.press("Back to the contacts")
        try autostart.set(true)
        try closeWindow()
        try wait("the window to close") { try Keyboard.windows(titled: "Parley").isEmpty }
        parley.signal(SIGUSR1)
        try wait("the ring window") { try Keyboard.windows(titled: "Gus Gives-Up.*").count == 1 }
        parley.signal(SIGUSR1)
        try wait("the missed call") { self.notifications.shown.last?.body == "Missed call" }
        #expect(parley.isRunning)
        #expect(!notifications.closed.contains(try #require(notifications.shown.last?.id)))
    }

    @Test func `the ring window names nobody when notifications shall not`() throws {
        try choose(["notifications-show-caller": false, "ring-window-always": true])
        let parley = try programWithoutWindow()
        parley.signal(SIGUSR1)
        try wait("the window") { try Keyboard.windows(titled: "Incoming video call").count == 1 }
        #expect(!parley.shows("Cem Calls-Back"))
    }

    @Test func `who is busy hears nothing and is told`() throws {
        try choose(["busy": true])
        let parley = try programWithoutWindow()
        parley.signal(SIGUSR1)
        try wait("the missed call") { self.notifications.shown.last?.body == "Missed call" }
        #expect(!notifications.shown.dropFirst(earlier).contains { $0.body.hasSuffix("Incoming video call") })
        #expect(parley.isRunning)
    }
}
