import Testing

/// What a call of several looks like in its states, in the windows of the real program with pretended calls behind them.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class FakeGroupStatesDesktopTests: DesktopSuite {
    /// Calls these together, by the button of this name.
    private func call(
        _ names: [String], by button: String, environment: [String: String] = ["FAKE_CALLS_GROUPS": "1"]
    ) throws -> RunningProgram {
        let parley = try fake(callsWait: true, environment: environment)
        try parley.pressToggle("Select contacts")
        for name in names { try parley.flip("Select \(name)") }
        try parley.press(button)
        return parley
    }

    @Test func `who speaks has a ring, is large by choice, and is seen in the small window`() throws {
        let parley = try call(["Gus Gives-Up", "Hilde Holds", "Sia Silent"], by: "Call them together")
        try parley.see("0:")
        for stage in ["Calling…", "Connecting…"] { try parley.seeNoMore(stage) }
        parley.screenshot("group-speaking")
        try parley.press("Show whoever speaks large")
        try parley.see("Show everybody at the same size")
        parley.screenshot("group-speaker")
        try parley.press("Make the call small")
        try parley.see("Make the call large")
        parley.screenshot("group-small")
        #expect(parley.accessible.namelessButtons == [])
        try parley.press("Make the call large")
        try parley.press("Leave the call")
        try parley.press("Back to the contacts")
        try parley.see("The call you were in is still on")
        parley.screenshot("group-still-on")
    }

    @Test func `one other fills the window, with the own picture over them`() throws {
        let parley = try call(["Gus Gives-Up"], by: "Video call with them together")
        try parley.see("Picture of Gus Gives-Up")
        try parley.see("Your own picture")
        parley.screenshot("group-two-pictures")
        #expect(!parley.shows("Show everybody at the same size"))
    }

    @Test func `where each stands is said on their tile and among those who take part`() throws {
        let parley = try call(
            [
                "Fay Fills-Disk", "Gus Gives-Up", "Hilde Holds", "Ines In-a-Call", "Max Muted", "Paula Popular",
                "Sia Silent",
            ], by: "Video call with them together",
            environment: ["FAKE_CALLS_GROUPS": "8", "FAKE_CALLS_STAGES": "1"])
        for stage in ["Reconnecting…", "Connecting…", "Calling…"] { try parley.see(", " + stage) }
        try parley.press("Show the participants")
        for stage in [
            "In the call", "Reconnecting…", "Connecting…", "Calling…", "Has declined", "Is in another call", "Has left",
        ] { try parley.see(stage) }
        #expect(parley.accessible.namelessButtons == [])
        // All of them beside the tiles.
        try parley.windows.setSize(1_000, 960)
        parley.screenshot("group-stages")
    }
}
