import Testing

/// People are added to a call of two, in the windows of the real program with pretended calls behind them.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class AddPeopleDesktopTests: DesktopSuite {
    private static let on = ["FAKE_CALLS_GROUPS": "1"]

    /// A call with somebody, in which others can be added.
    private func talk(
        _ name: String, _ environment: [String: String] = on, pause: Int = 150
    ) throws -> RunningProgram {
        let parley = try fake(pause: pause, environment: environment)
        try parley.press("Video call with " + name)
        try parley.see("0:")
        return parley
    }

    @Test func `whoever is asked joins, and the call of two goes over into one of several`() throws {
        // What is asked is seen for four pauses.
        let parley = try talk("Sven Shares", pause: 750)
        parley.screenshot("call-add-people")
        try parley.press("Add people to the call")
        try parley.see("Sven Shares is asked first.")
        try parley.flip("Add Sia Silent")
        parley.screenshot("add-people")
        #expect(parley.accessible.namelessButtons == [])
        try parley.press("Add to the Call")
        try parley.see("Is asked whether to add Sia Silent")
        parley.screenshot("add-people-asked")
        try parley.see("Picture of Sia Silent")
        try parley.see("Sven Shares’s screen")
        try parley.seeNoMore("Is asked whether")
        try parley.see("Leave the call")
        #expect(!parley.shows("Go on with the call with Sven Shares"))
        parley.screenshot("add-people-done")
    }

    @Test func `whoever is asked stays, and so does the call of two`() throws {
        let parley = try talk("Max Muted")
        try parley.press("Add people to the call")
        try parley.flip("Add Sia Silent")
        try parley.press("Add to the Call")
        try parley.see("Max Muted wants to stay with you alone.")
        try parley.see("Add people to the call")
        try parley.see("Put the call on hold")
        #expect(!parley.shows("Leave the call"))
    }

    @Test func `who is asked sees who is to be added, and joins or stays`() throws {
        let asked = Self.on.merging(["FAKE_CALLS_ASKS": "1"]) { $1 }
        let parley = try talk("Sven Shares", asked)
        try parley.see("Wants to add Mia Mutes to the call")
        try parley.seeUsable("Stay in the call of two")
        parley.screenshot("add-people-question")
        #expect(parley.accessible.namelessButtons == [])
        try parley.press("Join the call with Mia Mutes")
        try parley.see("Sven Shares’s screen")
        try parley.see("Leave the call")
        parley.kill()

        let other = try talk("Sven Shares", asked)
        try other.seeUsable("Stay in the call of two")
        try other.press("Stay in the call of two")
        try other.seeNoMore("Wants to add Mia Mutes")
        try other.see("Put the call on hold")
    }

    @Test func `where calls of several are switched off nothing of it is seen`() throws {
        let parley = try talk("Sven Shares", [:])
        try parley.see("Put the call on hold")
        #expect(!parley.shows("Add people to the call"))
    }
}
