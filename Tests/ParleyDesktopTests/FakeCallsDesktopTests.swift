import Foundation
import Testing

/// The windows of the real program, with pretended calls behind them: every button is pressed, every sentence is read.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class FakeCallsDesktopTests: DesktopSuite {
    @Test func `a video call from dial to end`() throws {
        let parley = try fake(pause: 5_000)
        try parley.see("Contacts")
        parley.screenshot("contacts")
        try parley.press("Video call with Test call")
        try parley.see("Calling…")
        parley.screenshot("calling")
        try parley.see("0:")
        try parley.see("Your own picture")
        parley.screenshot("call")
        #expect(parley.accessible.namelessButtons == [])
        try parley.press("Mute microphone")
        try parley.press("Unmute microphone")
        try parley.see("Mute microphone")
        try parley.press("Turn camera off")
        try parley.seeNoMore("Your own picture")
        try parley.press("Turn camera on")
        try parley.see("Your own picture")
        try parley.press("Use the other camera")
        try parley.press("End the call")
        try parley.see("You ended the call.")
        parley.screenshot("ended")
        try parley.press("Back to the contacts")
        try parley.see("Contacts")
    }

    @Test func `a call takes the whole screen and gives it back`() throws {
        let manager = try WindowManager()
        defer { withExtendedLifetime(manager) {} }
        let parley = try fake(pause: 300)
        try parley.press("Video call with Test call")
        try parley.see("0:")
        let window = try Keyboard.window(titled: "Parley")
        try Keyboard.activate(window)
        try Keyboard.press("F11")
        try wait("the whole screen") { try Keyboard.isFullScreen(window) }
        parley.screenshot("full-screen")
        try Keyboard.press("Escape")
        try wait("the window again") { try !Keyboard.isFullScreen(window) }
        try Keyboard.press("F11")
        try wait("the whole screen") { try Keyboard.isFullScreen(window) }
        try parley.press("End the call")
        try parley.see("You ended the call.")
        try wait("the window again") { try !Keyboard.isFullScreen(window) }
    }

    @Test func `a collapsed call leaves the contacts usable`() throws {
        let parley = try fake()
        try parley.press("Video call with Test call")
        try parley.see("0:")
        try parley.press("Make the call small")
        try parley.see("Make the call large")
        try parley.see("Contacts")
        parley.screenshot("collapsed")
        #expect(parley.accessible.namelessButtons == [])
        try parley.press("Call Dora Declines")
        try parley.see("You are in a call with Test call.")
        parley.screenshot("room-for-another")
        try parley.press("Cancel")
        try parley.seeNoMore("You are in a call with Test call.")
        try parley.press("Mute microphone")
        try parley.see("Unmute microphone")
        try parley.press("Make the call large")
        try parley.see("Make the call small")
        try parley.seeNoMore("Make the call large")
        try parley.press("Make the call small")
        try parley.see("Make the call large")
        try parley.press("End the call")
        try parley.see("Test call: You ended the call.")
        try parley.seeNoMore("Make the call large")
        try parley.see("Contacts")
    }

    @Test func `the small window is above others, and comes back where it was`() throws {
        let manager = try WindowManager()
        defer { withExtendedLifetime(manager) {} }
        let parley = try fake()
        try parley.press("Video call with Test call")
        try parley.see("0:")
        try parley.press("Make the call small")
        try parley.see("Make the call large")
        let first = try Keyboard.window(titled: "Parley call")
        try wait("a place above others") {
            try Tool.run("xprop", "-id", first, "_NET_WM_STATE").contains("_NET_WM_STATE_ABOVE")
        }
        try Tool.run("xdotool", "windowsize", "--sync", first, "410", "290")
        try Tool.run("xdotool", "windowmove", "--sync", first, "137", "211")
        let place = try Keyboard.geometry(of: first)
        try parley.press("Make the call large")
        try parley.see("Make the call small")
        try parley.press("Make the call small")
        try parley.see("Make the call large")
        try wait("the same place and size") {
            guard let second = try Keyboard.windows(titled: "Parley call").first else { return false }
            return try Keyboard.geometry(of: second) == place
        }
        parley.screenshot("small-window")
        try parley.press("End the call")
        try parley.seeNoMore("Make the call large")
    }

    @Test func `their sound is turned off, and Space talks`() throws {
        let manager = try WindowManager()
        defer { withExtendedLifetime(manager) {} }
        let parley = try fake()
        try parley.choose("Preferences", from: "Main menu")
        try parley.turn(to: "Notifications")
        try parley.flip("Hold Space to talk")
        let preferences = try Keyboard.window(titled: "Preferences")
        try Keyboard.activate(preferences)
        try Keyboard.press("Escape")
        try parley.press("Video call with Test call")
        try parley.see("0:")
        let window = try Keyboard.window(titled: "Parley")
        try Keyboard.activate(window)
        try Keyboard.press("ctrl+shift+m")
        try parley.see("You have turned their sound off")
        try Keyboard.press("ctrl+m")
        try parley.see("Unmute microphone")
        try Keyboard.hold("space") {
            try parley.see("You are heard as long as you hold Space")
            try parley.see("Mute microphone")
            parley.screenshot("talking")
        }
        try parley.seeNoMore("You are heard as long as you hold Space")
        try parley.see("Unmute microphone")
        try parley.open("Volume")
        try parley.see("Volume of your microphone, in percent")
        parley.screenshot("volume")
        try parley.press("Turn their sound on")
        try parley.seeNoMore("You have turned their sound off")
        #expect(parley.accessible.namelessButtons == [])
        try parley.press("End the call")
    }

    @Test func `the own picture is seen before a call by choice`() throws {
        let manager = try WindowManager()
        defer { withExtendedLifetime(manager) {} }
        let parley = try fake()
        try parley.choose("Preferences", from: "Main menu")
        try parley.turn(to: "Notifications")
        try parley.flip("Look at yourself before you call")
        let preferences = try Keyboard.window(titled: "Preferences")
        try Keyboard.activate(preferences)
        try Keyboard.press("Escape")
        try parley.press("Video call with Test call")
        try parley.see("Nothing is sent before you call.")
        try parley.see("Your picture")
        try parley.see("Microphone level")
        parley.screenshot("before-call")
        #expect(parley.accessible.namelessButtons == [])
        try parley.press("Cancel")
        try parley.seeNoMore("Nothing is sent before you call.")
        try parley.press("Video call with Test call")
        try parley.see("Nothing is sent before you call.")
        try parley.press("Call Now")
        try parley.see("0:")
        try parley.press("End the call")
    }

    @Test func `a picture that their link holds back is not a camera that is off`() throws {
        let parley = try fake(environment: ["FAKE_CALLS_SLOW_LINK": "1"])
        try parley.press("Video call with Test call")
        try parley.see("Test call’s picture is paused: their connection is too slow for it")
        parley.screenshot("picture-paused")
        try parley.seeNoMore("Test call’s camera is off")
        try parley.press("End the call")
    }

    @Test func `a call whose way breaks says so and goes on`() throws {
        let parley = try fake(pause: 3_000, environment: ["FAKE_CALLS_BROKEN_PATH": "1"])
        try parley.press("Video call with Test call")
        try parley.see("0:")
        try parley.see("Reconnecting…")
        parley.screenshot("reconnecting")
        #expect(parley.accessible.namelessButtons == [])
        try parley.seeNoMore("Reconnecting…")
        // Counted from its beginning, three of its pauses ago.
        let clock = try parley.see("0:").split { !$0.isNumber }.compactMap { Int($0) }.suffix(2)
        #expect(clock.reduce(0) { $0 * 60 + $1 } >= 8, "\(clock)")
        try parley.press("End the call")
        try parley.see("You ended the call.")
    }

    @Test func `a shared screen is zoomed by keys`() throws {
        let manager = try WindowManager()
        defer { withExtendedLifetime(manager) {} }
        let parley = try fake()
        try parley.press("Video call with Sven Shares")
        try parley.see("Screen of the other person")
        let window = try Keyboard.window(titled: "Parley")
        try Keyboard.activate(window)
        for _ in 0..<4 { try Keyboard.press("ctrl+plus") }
        parley.screenshot("screen-zoomed")
        try Keyboard.press("ctrl+0")
        try parley.press("End the call")
    }

    @Test func `the connection is explained, and the code stays compared`() throws {
        let parley = try fake()
        try parley.press("Video call with Mia Mutes")
        try parley.see("0:")
        try parley.press("Connection: Poor. Their connection loses part of what they send.")
        try parley.see("Connection: Poor")
        try parley.see("11 %")
        try parley.see("12345 67890")
        try parley.see("kbit/s")
        parley.screenshot("connection")
        #expect(parley.accessible.namelessButtons == [])
        try parley.flip("Compared")
        try parley.press("End the call")
        try parley.press("Back to the contacts")
        try parley.press("Video call with Mia Mutes")
        try parley.see("0:")
        try parley.press("Connection: Poor. Their connection loses part of what they send.")
        try parley.see("12345 67890")
        try parley.seeSwitch("Compared", isOn: true)
    }

    @Test func `a second call is taken, calls change places, and one is left on hold`() throws {
        let parley = try fake()
        try parley.press("Video call with Paula Popular")
        try parley.see("Hold and accept")
        try parley.seeUsable("Hold and accept")
        parley.screenshot("second-call")
        #expect(parley.accessible.namelessButtons == [])
        try parley.press("Hold and accept")
        try parley.see("Paula Popular – On hold")
        try parley.see("0:")
        parley.screenshot("two-calls")
        #expect(parley.accessible.namelessButtons == [])
        try parley.press("Go on with the call with Paula Popular")
        try parley.see("Cem Calls-Back – On hold")
        try parley.press("Make the call small")
        try parley.see("Cem Calls-Back is on hold")
        parley.screenshot("two-calls-collapsed")
        try parley.press("Make the call large")
        try parley.see("Put the call on hold")
        try parley.press("End the call")
        try parley.see("Paula Popular: You ended the call.")
        try parley.see("Resume")
        parley.screenshot("one-left-on-hold")
        try parley.press("Resume")
        try parley.see("0:")
        try parley.press("End the call")
        try parley.see("You ended the call.")
    }

    @Test func `a second call is ignored and rings no more`() throws {
        let parley = try fake()
        try parley.press("Call Paula Popular")
        try parley.see("Ignore")
        try parley.seeUsable("Ignore the call that waits")
        try parley.press("Ignore the call that waits")
        try parley.seeNoMore("Ignore the call that waits")
        try parley.see("Mute microphone")
    }

    @Test func `a call that the peer holds says so, and one that waits there too`() throws {
        let parley = try fake()
        try parley.press("Video call with Hilde Holds")
        try parley.see("Hilde Holds has put you on hold")
        parley.screenshot("held-by-peer")
        #expect(parley.canPress("Put the call on hold"))
        try parley.press("End the call")
        try parley.press("Back to the contacts")
        try parley.press("Call Ines In-a-Call")
        try parley.see("In another call, and told that you call")
        parley.screenshot("waiting-there")
    }

    @Test func `somebody is called from a call, which is on hold then`() throws {
        let parley = try fake()
        try parley.press("Video call with Test call")
        try parley.see("0:")
        try parley.press("Make the call small")
        try parley.press("Call Sia Silent")
        try parley.see("You are in a call with Test call.")
        try parley.press("Hold and call")
        try parley.see("Test call is on hold")
        try parley.press("Make the call large")
        try parley.see("Test call – On hold")
    }

    @Test func `a tool may ask for windows that have gone`() throws {
        let parley = try fake()
        try parley.see("Contacts")
        parley.accessible.askForMissingWindows()
        try parley.press("Video call with Test call")
        try parley.see("0:")
        try parley.press("Make the call small")
        try parley.see("Make the call large")
        parley.accessible.askForMissingWindows()
        try parley.press("End the call")
        try parley.seeNoMore("Make the call large")
        parley.accessible.askForMissingWindows()
        try parley.press("Add a contact")
        try parley.see("Send your link")
        parley.accessible.askForMissingWindows()
        try parley.press("Create link")
        try parley.press("Copy link")
        try parley.seeNoMore("Send your link")
        parley.accessible.askForMissingWindows()
        try parley.see("Contacts")
    }

    @Test func `a declined call can be made again`() throws {
        let parley = try fake(pause: 1_500)
        try parley.press("Call Dora Declines")
        try parley.see("Dora Declines declined the call.")
        try parley.press("Call again")
        try parley.see("Calling…")
        try parley.see("Dora Declines declined the call.")
    }

    @Test func `an incoming call is accepted with video`() throws {
        let parley = try fake()
        try parley.press("Call Cem Calls-Back")
        try parley.see("Incoming video call")
        #expect(!parley.shows("Your own picture"))
        parley.screenshot("incoming")
        try parley.press("Accept with video")
        try parley.see("0:")
        try parley.see("Picture of the other person")
        try parley.press("End the call")
        try parley.see("You ended the call.")
    }

    @Test func `an incoming call is declined`() throws {
        let parley = try fake()
        try parley.press("Call Cem Calls-Back")
        try parley.see("Incoming video call")
        try parley.press("Decline the call")
        try parley.see("You declined the call.")
    }

    @Test func `what is missing and what the other switched off is said`() throws {
        let parley = try fake()
        try parley.press("Video call with Mia Mutes")
        try parley.see("Mia Mutes’s microphone is off")
        try parley.see("Mia Mutes’s camera is off")
        try parley.see("No microphone was found.")
        parley.screenshot("muted")
    }

    @Test func `their screen is shown beside their picture and goes`() throws {
        let parley = try fake()
        try parley.press("Video call with Sven Shares")
        try parley.see("Screen of the other person")
        try parley.see("Picture of the other person")
        parley.screenshot("their-screen")
        try parley.press("Make the call small")
        try parley.see("Make the call large")
        try parley.see("Screen of the other person")
        parley.screenshot("their-screen-small")
        try parley.press("Make the call large")
        try parley.see("Make the call small")
        try parley.press("Share your screen")
        try parley.press("Share without sound")
        try parley.seeNoMore("Screen of the other person")
        try parley.see("Picture of the other person")
        try parley.press("End the call")
    }

    @Test func `the own screen is shared and stopped`() throws {
        let parley = try fake()
        try parley.press("Video call with Test call")
        try parley.see("0:")
        try parley.press("Share your screen")
        try parley.see("Share with system sound")
        parley.screenshot("share-question")
        try parley.press("Cancel")
        try parley.seeNoMore("Share with system sound")
        try parley.press("Share your screen")
        try parley.press("Share with system sound")
        try parley.see("You are sharing your screen and its sound")
        parley.screenshot("sharing")
        #expect(parley.accessible.namelessButtons == [])
        try parley.press("Make the call small")
        try parley.see("Make the call large")
        try parley.see("You are sharing your screen")
        parley.screenshot("sharing-small")
        try parley.press("Stop sharing your screen")
        try parley.seeNoMore("You are sharing your screen")
        try parley.press("Make the call large")
        try parley.press("Share your screen")
        try parley.press("Share without sound")
        try parley.see("You are sharing your screen")
        try parley.press("Stop sharing your screen now")
        try parley.seeNoMore("You are sharing your screen")
        try parley.press("End the call")
    }

    @Test func `pictures are added to an audio call`() throws {
        let parley = try fake()
        try parley.press("Call Test call")
        try parley.see("0:")
        #expect(!parley.shows("Your own picture"))
        parley.screenshot("speaking")
        try parley.press("Turn camera on")
        try parley.see("Your own picture")
        try parley.see("Picture of the other person")
        try parley.press("Use the other camera")
        try parley.press("Turn camera off")
        try parley.seeNoMore("Your own picture")
        try parley.press("End the call")
    }

    @Test func `a call without end-to-end encryption asks first`() throws {
        let parley = try fake()
        try parley.press("Call Otto Old-Program")
        try parley.see("Go on without end-to-end encryption?")
        parley.screenshot("question")
        try parley.press("Go on anyway")
        try parley.seeNoMore("Go on anyway")
        try parley.see("0:")
        try parley.see("Not encrypted end to end")
        parley.screenshot("clear-call")
        try parley.press("End the call")
        try parley.seeNoMore("Not encrypted end to end")
        try parley.press("Call again")
        try parley.press("End call")
        try parley.see("You ended the call.")
    }
}
