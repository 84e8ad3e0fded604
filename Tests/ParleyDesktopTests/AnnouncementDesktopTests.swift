import Foundation
import Testing

/// What a screen reader is told by the real windows while the focus stays where it is.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class AnnouncementDesktopTests: DesktopSuite {
    @Test func `a call that comes in is announced, and how it goes on`() throws {
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

    @Test func `what the other side changes is announced`() throws {
        let parley = try fake()
        let heard = try HeardAnnouncements()
        try parley.press("Call Hilde Holds")
        try heard.hear("Hilde Holds has put you on hold")
    }

    @Test func `how a call is shown is announced when the person changes it`() throws {
        let manager = try WindowManager()
        defer { withExtendedLifetime(manager) {} }
        let parley = try fake()
        let heard = try HeardAnnouncements()
        try parley.press("Video call with Test call")
        try parley.see("Picture of the other person")
        let window = try Keyboard.window(titled: "Parley")
        try Keyboard.activate(window)
        try Keyboard.press("f")
        try heard.hear("The picture fills the window")
        try Keyboard.press("F11")
        try heard.hear("The call has the whole screen")
        try Keyboard.press("Escape")
        try heard.hear("The call is in its window again")
        try Keyboard.press("F11")
        try wait("the whole screen") { try Keyboard.isFullScreen(window) }
        let count = heard.sentences.count { $0 == "The call is in its window again" }
        try parley.press("End the call")
        try wait("the window again") { try !Keyboard.isFullScreen(window) }
        // What is announced comes in order.
        try heard.hear("Test call, You ended the call.")
        #expect(heard.sentences.count { $0 == "The call is in its window again" } == count, "the call is over")
    }

    @Test func `a connection that stays bad is announced with the reason`() throws {
        let parley = try fake()
        let heard = try HeardAnnouncements()
        try parley.press("Video call with Mia Mutes")
        try heard.hear("Connection: Poor. Their connection loses part of what they send.")
    }

    @Test func `the program has a name`() throws {
        let parley = try fake()
        try parley.see("Contacts")
        #expect(parley.accessible.name == "im.parley.Parley")
    }

    @Test func `a sentence that passes is announced`() throws {
        let parley = try fake()
        let heard = try HeardAnnouncements()
        try parley.press("Call Fay Fills-Disk")
        try heard.hear("There is no room left on the disk")
    }
}
