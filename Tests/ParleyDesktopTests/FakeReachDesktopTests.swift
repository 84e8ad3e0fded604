import Testing

/// The ways to be reached, in the windows of the program with pretended ones.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class FakeReachDesktopTests: DesktopSuite {
    private let network = "Let people in this network reach me"
    private let port = "Open a port in the router so that people elsewhere can reach you"

    @Test func `a port in the router is opened by choice and not before the network is`() throws {
        let parley = try fake()
        try parley.choose("Preferences", from: "Main menu")
        try parley.turn(to: "Network")
        try parley.press("How People Reach You…")
        try parley.seeSwitch(port, isOn: false)
        #expect(!parley.canFlip(port))
        try parley.flip(network)
        try parley.see("Others here find your relay as desk.local.")
        try parley.flip(port)
        try parley.see("Whether others reach it could not be tried from here.")
        try parley.see("At present people reach you from everywhere.")
        try parley.seeSwitch(port, isOn: true)
        parley.screenshot("reach-router")
        #expect(parley.accessible.namelessButtons == [])
        try parley.flip(port)
        try parley.seeNoMore("Whether others reach it could not be tried from here.")
        try parley.see("At present people in this network reach you.")
    }

    @Test func `an offered relay that finds addresses is asked for them`() throws {
        let manager = try WindowManager()
        defer { withExtendedLifetime(manager) {} }
        let parley = try fake()
        try parley.choose("Preferences", from: "Main menu")
        try parley.turn(to: "Network")
        try parley.seeSwitch("Ask my relays for my address", isOn: false)
        try parley.press("How People Reach You…")
        try parley.see("kept for a week. Calls ask it for your address")
        try parley.press("Accept the conditions of Example Club and use the relay")
        try parley.see("The relay answers.")
        for rest in ["The relay answers.", "Ask my relays for my address"] {
            try Keyboard.press("Escape")
            try parley.seeNoMore(rest)
        }
        try parley.choose("Preferences", from: "Main menu")
        try parley.turn(to: "Network")
        try parley.seeSwitch("Ask my relays for my address", isOn: true)
    }
}
