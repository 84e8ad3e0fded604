import Testing

/// Looking at oneself before a call of several, in the windows of the real program with pretended calls behind them.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class BeforeGroupCallDesktopTests: DesktopSuite {
    @Test func `the own picture is seen before several are called, by the choice for calls of two`() throws {
        let manager = try WindowManager()
        defer { withExtendedLifetime(manager) {} }
        let parley = try fake(callsWait: true, environment: ["FAKE_CALLS_GROUPS": "1"])
        try parley.choose("Preferences", from: "Main menu")
        try parley.turn(to: "Notifications")
        try parley.flip("Look at yourself before you call")
        try Keyboard.activate(Keyboard.window(titled: "Preferences"))
        try Keyboard.press("Escape")
        try chooseTwo(in: parley)
        try parley.press("Video call with them together")
        try parley.see("Nothing is sent before you call.")
        try parley.see("Your picture")
        #expect(!parley.shows("Leave the call"))
        #expect(parley.accessible.namelessButtons == [])
        try parley.press("Cancel")
        try parley.seeNoMore("Nothing is sent before you call.")
        #expect(!parley.shows("Leave the call"))
        try chooseTwo(in: parley)
        try parley.press("Video call with them together")
        try parley.see("Nothing is sent before you call.")
        try parley.press("Call Now")
        try parley.see("Picture of Sia Silent")
        try parley.press("Leave the call")
    }

    private func chooseTwo(in parley: RunningProgram) throws {
        try parley.pressToggle("Select contacts")
        for name in ["Gus Gives-Up", "Sia Silent"] { try parley.flip("Select \(name)") }
    }
}
