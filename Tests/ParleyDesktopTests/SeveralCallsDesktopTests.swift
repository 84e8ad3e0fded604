import Testing

/// The windows of the real program with two pretended calls: each button is pressed.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class SeveralCallsDesktopTests: DesktopSuite {
    /// A program in a call with Paula, and Cem calls.
    private func called() throws -> RunningProgram {
        let parley = try fake()
        try parley.press("Video call with Paula Popular")
        try parley.see("Hold and accept")
        try parley.seeUsable("Hold and accept")
        return parley
    }

    @Test func `a second call is taken, and the first ends`() throws {
        let parley = try called()
        try parley.press("End and accept")
        try parley.see("Paula Popular: You ended the call.")
        try parley.seeNoMore("End and accept")
        try parley.press("End the call")
        try parley.see("You ended the call.")
        #expect(!parley.shows("On hold"))
    }

    @Test func `a second call is declined, and the first goes on`() throws {
        let parley = try called()
        try parley.press("Decline the call that waits")
        try parley.see("Cem Calls-Back: You declined the call.")
        try parley.seeNoMore("Decline the call that waits")
        try parley.press("End the call")
        try parley.see("You ended the call.")
    }

    @Test func `a call is put on hold and goes on`() throws {
        let parley = try fake()
        try parley.press("Video call with Test call")
        try parley.see("Your own picture")
        try parley.press("Put the call on hold")
        try parley.see("You have put the call on hold")
        try parley.seeNoMore("Your own picture")
        try parley.press("Resume")
        try parley.seeNoMore("You have put the call on hold")
        try parley.see("Your own picture")
    }

    @Test func `a call on hold is ended from the other`() throws {
        let parley = try called()
        try parley.press("Hold and accept")
        try parley.see("Paula Popular – On hold")
        try parley.press("End the call with Paula Popular")
        try parley.see("Paula Popular: You ended the call.")
        try parley.seeNoMore("Paula Popular – On hold")
        try parley.see("Mute microphone")
    }

    @Test func `somebody is called in place of whoever is on the line`() throws {
        let parley = try fake()
        try parley.press("Video call with Test call")
        try parley.see("0:")
        try parley.press("Make the call small")
        try parley.press("Call Sia Silent")
        try parley.see("You are in a call with Test call.")
        try parley.press("End and call")
        try parley.see("Test call: You ended the call.")
        try parley.see("Sia Silent")
        #expect(!parley.shows("On hold"))
    }
}
