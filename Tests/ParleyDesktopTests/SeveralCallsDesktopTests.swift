import XCTest

/// The windows of the real program with two pretended calls: each button is pressed.
final class SeveralCallsDesktopTests: DesktopTestCase {
    /// A program in a call with Paula, and Cem calls.
    private func called() throws -> RunningProgram {
        let parley = try fake()
        try parley.press("Video call with Paula Popular")
        try parley.see("Hold and accept")
        try parley.seeUsable("Hold and accept")
        return parley
    }

    func testASecondCallIsTakenAndTheFirstEnds() throws {
        let parley = try called()
        try parley.press("End and accept")
        try parley.see("Paula Popular: You ended the call.")
        try parley.seeNoMore("End and accept")
        try parley.press("End the call")
        try parley.see("You ended the call.")
        XCTAssertFalse(parley.shows("On hold"))
    }

    func testASecondCallIsDeclinedAndTheFirstGoesOn() throws {
        let parley = try called()
        try parley.press("Decline the call that waits")
        try parley.see("Cem Calls-Back: You declined the call.")
        try parley.seeNoMore("Decline the call that waits")
        try parley.press("End the call")
        try parley.see("You ended the call.")
    }

    func testACallIsPutOnHoldAndGoesOn() throws {
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

    func testACallOnHoldIsEndedFromTheOther() throws {
        let parley = try called()
        try parley.press("Hold and accept")
        try parley.see("Paula Popular – On hold")
        try parley.press("End the call with Paula Popular")
        try parley.see("Paula Popular: You ended the call.")
        try parley.seeNoMore("Paula Popular – On hold")
        try parley.see("Mute microphone")
    }

    func testSomebodyIsCalledInPlaceOfWhoeverIsOnTheLine() throws {
        let parley = try fake()
        try parley.press("Video call with Test call")
        try parley.see("0:")
        try parley.press("Make the call small")
        try parley.press("Call Sia Silent")
        try parley.see("You are in a call with Test call.")
        try parley.press("End and call")
        try parley.see("Test call: You ended the call.")
        // The page of the first call fades out, with its button for holding.
        try parley.seeNoMore("Put the call on hold")
        try parley.see("Sia Silent")
        XCTAssertFalse(parley.shows("On hold"))
    }
}
