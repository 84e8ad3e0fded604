import XCTest

/// The windows of the real program, with pretended calls behind them: every button is pressed, every sentence is read.
final class FakeCallsDesktopTests: DesktopTestCase {
    func testAVideoCallFromDialToEnd() throws {
        let parley = try fake()
        parley.see("Contacts")
        parley.screenshot("contacts")
        parley.press("Video call with Test call")
        parley.see("Calling…")
        parley.see("0:01")
        parley.see("Your own picture")
        parley.screenshot("call")
        parley.press("Mute microphone")
        parley.press("Unmute microphone")
        parley.see("Mute microphone")
        parley.press("Turn camera off")
        parley.seeNoMore("Your own picture")
        parley.press("Turn camera on")
        parley.see("Your own picture")
        parley.press("Use the other camera")
        parley.press("End the call")
        parley.see("You ended the call.")
        parley.screenshot("ended")
        parley.press("Back to the contacts")
        parley.see("Contacts")
    }

    func testACollapsedCallLeavesTheContactsUsable() throws {
        let parley = try fake()
        parley.press("Video call with Test call")
        parley.see("0:0")
        parley.press("Make the call small")
        parley.see("Make the call large")
        parley.see("Contacts")
        parley.screenshot("collapsed")
        parley.press("Call Dora Declines")
        parley.see("End the present call first.")
        parley.press("Mute microphone")
        parley.see("Unmute microphone")
        parley.press("Make the call large")
        parley.see("Make the call small")
        parley.seeNoMore("Make the call large")
        parley.press("Make the call small")
        parley.press("End the call")
        parley.see("Test call: You ended the call.")
        parley.seeNoMore("Make the call large")
        parley.see("Contacts")
    }

    func testADeclinedCallCanBeMadeAgain() throws {
        let parley = try fake()
        parley.press("Call Dora Declines")
        parley.see("Dora Declines declined the call.")
        parley.press("Call again")
        parley.see("Calling…")
        parley.see("Dora Declines declined the call.")
    }

    func testAnIncomingCallIsAcceptedWithVideo() throws {
        let parley = try fake()
        parley.press("Call Cem Calls-Back")
        parley.see("Incoming video call")
        XCTAssertFalse(parley.shows("Your own picture"))
        parley.screenshot("incoming")
        parley.press("Accept with video")
        parley.see("0:0")
        parley.see("Picture of the other person")
        parley.press("End the call")
        parley.see("You ended the call.")
    }

    func testAnIncomingCallIsDeclined() throws {
        let parley = try fake()
        parley.press("Call Cem Calls-Back")
        parley.see("Incoming video call")
        parley.press("Decline the call")
        parley.see("You declined the call.")
    }

    func testWhatIsMissingAndWhatTheOtherSwitchedOffIsSaid() throws {
        let parley = try fake()
        parley.press("Video call with Mia Mutes")
        parley.see("Mia Mutes’s microphone is off")
        parley.see("Mia Mutes’s camera is off")
        parley.see("No microphone was found.")
        parley.screenshot("muted")
    }

    func testAContactIsAddedByAnOwnLink() throws {
        let parley = try fake()
        parley.press("Add a contact")
        parley.press("Create link")
        parley.see("https://parley.invalid/invitation")
        parley.see("Waiting for the other person to open it.")
        parley.screenshot("invitation")
        parley.press("Copy link")
        parley.see("Copied.")
        parley.see("Invited friend is now a contact.")
        parley.see("Video call with Invited friend")
        parley.seeNoMore("Copy link")
    }

    func testAContactIsAddedByTheirLink() throws {
        let parley = try fake()
        parley.press("Add a contact")
        parley.type("not a link", into: "Link")
        parley.press("Connect")
        parley.see("This is not a link that Parley can open.")
        parley.type("  https://parley.invalid/invitation#/?v=2-7  ", into: "Link")
        parley.press("Connect")
        parley.see("Friend by link is now a contact.")
        parley.see("Video call with Friend by link")
    }
}
