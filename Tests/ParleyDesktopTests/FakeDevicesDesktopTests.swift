import Foundation
import Testing

/// Devices in the windows of the real program, with pretended ones behind them.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class FakeDevicesDesktopTests: DesktopSuite {
    @Test func `devices are shown in the preferences`() throws {
        let parley = try fake()
        try parley.choose("Preferences", from: "Main menu")
        for title in ["Camera", "Microphone", "Speaker", "Test the microphone", "Echo cancellation"] {
            try parley.see(title)
        }
        parley.screenshot("devices")
        #expect(parley.accessible.namelessButtons == [])
        try parley.turn(to: "Notifications")
        try parley.see("Ring all the same")
        parley.screenshot("preferences-notifications")
        #expect(parley.accessible.namelessButtons == [])
    }

    @Test func `devices are changed in a call`() throws {
        let parley = try fake()
        try parley.press("Video call with Test call")
        try parley.see("Your own picture")
        try parley.see("Microphone level")
        try parley.open("Camera, microphone and speaker")
        try parley.see("Travel Camera")
        try parley.see("Built-in Speakers")
        parley.screenshot("devices-menu")
        #expect(parley.accessible.namelessButtons == [])
        try parley.chooseItem("Travel Camera")
        try parley.choose("Preferences", from: "Camera, microphone and speaker")
        try parley.see("How loud you are in this call")
        parley.screenshot("devices-in-call")
    }

    @Test func `a silent microphone is told until it is heard`() throws {
        let parley = try fake()
        try parley.press("Call Sia Silent")
        try parley.see("Your microphone gives no sound.")
        parley.screenshot("silent")
        try parley.choose("Headset", from: "Camera, microphone and speaker")
        try parley.seeNoMore("Your microphone gives no sound.")
    }

    @Test func `a microphone that the system has muted is unmuted by its button`() throws {
        let parley = try fake()
        try parley.press("Call Max Muted")
        try parley.see("The system has muted the microphone")
        parley.screenshot("muted-by-system")
        #expect(parley.accessible.namelessButtons == [])
        try parley.press("Unmute the microphone in the whole system")
        try parley.seeNoMore("The system has muted the microphone")
        try parley.press("End the call")
    }

    @Test func `another call is told during a call`() throws {
        let parley = try fake()
        try parley.press("Video call with Paula Popular")
        try parley.see("Cem Calls-Back")
        try parley.see("End and accept")
        try parley.press("End the call")
        try parley.see("Incoming video call")
        try parley.seeUsable("Decline the call")
        try parley.press("Decline the call")
        try parley.see("You declined the call.")
    }
}
