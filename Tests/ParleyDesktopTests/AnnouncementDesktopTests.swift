import XCTest

/// What a screen reader is told by the real windows while the focus stays where it is.
final class AnnouncementDesktopTests: DesktopTestCase {
    func testACallThatComesInIsAnnouncedAndHowItGoesOn() throws {
        let parley = try programThatIsCalled()
        let heard = try HeardAnnouncements()
        parley.signal(SIGUSR1)
        try heard.hear("Cem Calls-Back, Incoming video call")
        try parley.seeUsable("Accept with sound only")
        try parley.press("Accept with sound only")
        try heard.hear("Cem Calls-Back, Connecting…")
        try heard.hear("Cem Calls-Back, Connected")
        try parley.press("Mute microphone")
        try heard.hear("Microphone off")
        try parley.press("Put the call on hold")
        try heard.hear("You have put the call on hold")
        try parley.press("End the call")
        try heard.hear("Cem Calls-Back, You ended the call.")
    }

    func testWhatTheOtherSideChangesIsAnnounced() throws {
        let parley = try fake()
        let heard = try HeardAnnouncements()
        try parley.press("Call Hilde Holds")
        try heard.hear("Hilde Holds has put you on hold")
    }

    func testTheProgramHasAName() throws {
        let parley = try fake()
        try parley.see("Contacts")
        XCTAssertEqual(parley.nameForTools, "im.parley.Parley")
    }

    func testASentenceThatPassesIsAnnounced() throws {
        let parley = try fake()
        let heard = try HeardAnnouncements()
        try parley.press("Call Fay Fills-Disk")
        try heard.hear("There is no room left on the disk")
    }
}
