import Foundation
import Testing

/// What a call looks like in its states, in the windows of the real program with pretended calls behind them.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class FakeCallStatesDesktopTests: DesktopSuite {
    @Test func `their picture is shown whole or fills the window and the own one takes its place`() throws {
        let manager = try WindowManager()
        defer { withExtendedLifetime(manager) {} }
        let parley = try fake()
        let heard = try HeardAnnouncements()
        try parley.press("Video call with Test call")
        try parley.see("Picture of the other person")
        try parley.see("Your own picture")
        let window = try Keyboard.window(titled: "Parley")
        // Higher than wide, so that their picture leaves room above and below.
        try parley.windows.setSize(560, 760)
        try Keyboard.activate(window)
        parley.screenshot("call-fitted")
        try Keyboard.press("f")
        try heard.hear("The picture fills the window")
        parley.screenshot("call-filled")
        let own = parley.accessible.first { $0.name.contains("Your own picture") && $0.middle != nil }
        let place = try #require(own?.middle)
        try Keyboard.click(x: place.x, y: place.y, in: window)
        try heard.hear("Your own picture is shown large")
        parley.screenshot("call-swapped")
    }

    @Test func `a microphone that is off is seen, and a call that is on hold`() throws {
        let parley = try fake()
        try parley.press("Video call with Test call")
        try parley.see("Your own picture")
        try parley.press("Mute microphone")
        try parley.see("Unmute microphone")
        parley.screenshot("call-muted")
        try parley.press("Put the call on hold")
        try parley.see("You have put the call on hold")
        try parley.seeNoMore("Your own picture")
        parley.screenshot("call-held")
        #expect(parley.accessible.namelessButtons == [])
        try parley.press("Resume")
        try parley.see("Your own picture")
    }

    @Test func `the figures of a call name the screen that is shared`() throws {
        let parley = try fake()
        try parley.press("Video call with Sven Shares")
        try parley.see("Screen of the other person")
        try parley.press("Connection: Good")
        try parley.see("Their screen")
        parley.screenshot("connection-screen")
    }

    @Test(.onlyWhere(ScreenCamera.isOn, "PARLEY_SCREENSHOTS names no folder"))
    func `a picture without the controls has its own picture`() throws {
        let parley = try fake()
        try parley.press("Video call with Test call")
        try parley.see("Your own picture")
        // Assistive tools go on seeing them, so that nothing tells of it.
        usleep(4_500_000)
        parley.screenshot("controls-hidden")
    }
}
