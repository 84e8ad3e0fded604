import Foundation
import TestSupport
import Testing

/// Real calls between real programs: relay, encryption, ICE and media, driven by the buttons of their windows.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class RealCallsDesktopTests: DesktopSuite {
    @Test func `the test call answers with sound and picture`() throws {
        let parley = try real("Ada")
        try parley.press("Video call with Test call")
        try parley.see("0:")
        try parley.see("Picture of the other person")
        try parley.see("Your own picture")
        parley.screenshot("real-test-call")
        try parley.press("Make the call small")
        try parley.see("Contacts")
        try parley.press("Make the call large")
        try parley.seeNoMore("Make the call large")  // or the small window's button is pressed as it goes
        try parley.press("End the call")
        try parley.see("You ended the call.")
    }

    @Test func `two people connect by link and call each other`() throws {
        let relay = try ReachableRelay(of: self)
        let ada = try real("Ada", at: relay)
        let ben = try real("Ben", at: relay)
        try connect(ada, "Ada", to: ben, "Ben")

        try ada.press("Video call with Ben")
        try ada.see("Ringing…")
        try ben.see("Incoming video call")
        #expect(!ben.shows("Your own picture"), "the camera is open before the call is accepted")
        ben.screenshot("real-incoming")
        try ben.press("Accept with video")
        for person in [ada, ben] {
            try person.see("0:")
            try person.see("Picture of the other person")
            try person.see("Your own picture")
        }
        ben.screenshot("real-call")

        try ben.press("Mute microphone")
        try ada.see("Ben’s microphone is off")
        try ben.press("Unmute microphone")
        try ada.seeNoMore("Ben’s microphone is off")
        try ben.press("Turn camera off")
        try ada.see("Ben’s camera is off")
        try ada.seeNoMore("Picture of the other person")
        try ben.press("Turn camera on")
        try ada.see("Picture of the other person")

        try ben.press("End the call")
        try ben.see("You ended the call.")
        try ada.see("The other person ended the call.")

        try ada.press("Back to the contacts")
        try ben.press("Back to the contacts")
        try ben.press("Call Ada")
        try ada.see("Incoming call")
        try ada.press("Decline the call")
        try ada.see("You declined the call.")
        try ben.see("The other person declined the call.")
    }

    @Test func `a video call accepted with sound only shows the camera off, and one press turns it on`() throws {
        let relay = try ReachableRelay(of: self)
        let ada = try real("Ada", at: relay)
        let ben = try real("Ben", at: relay)
        try connect(ada, "Ada", to: ben, "Ben")
        try ada.press("Video call with Ben")
        try ben.press("Accept with sound only")
        for person in [ada, ben] { try person.see("0:") }
        try ben.see("Turn camera on")
        #expect(!(ben.shows("Turn camera off") || ben.shows("Your own picture")))
        #expect(!ada.shows("Picture of the other person"))
        ben.screenshot("real-sound-only")
        try ben.press("Turn camera on")
        try ben.see("Your own picture")
        try ben.see("Turn camera off")
        try ada.see("Picture of the other person")
        try ben.press("End the call")
    }

    @Test func `pictures and a screen are added to an audio call`() throws {
        let relay = try ReachableRelay(of: self)
        let ada = try real("Ada", at: relay)
        let ben = try real("Ben", at: relay)
        try connect(ada, "Ada", to: ben, "Ben")
        try ada.press("Call Ben")
        try ben.press("Accept")
        for person in [ada, ben] { try person.see("0:") }
        #expect(!(ada.shows("Your own picture") || ben.shows("Picture of the other person")))
        try ada.press("Turn camera on")
        try ada.see("Your own picture")
        try ben.see("Picture of the other person")
        try ada.press("Share your screen")
        try ada.press("Share with system sound")
        try ada.see("You are sharing your screen and its sound")
        try ben.see("Screen of the other person")
        try ben.see("Picture of the other person")
        ben.screenshot("real-screen")
        try ada.press("Stop sharing your screen now")
        try ada.seeNoMore("You are sharing your screen")
        try ben.seeNoMore("Screen of the other person")
        try ben.see("Picture of the other person")
        try ben.press("End the call")
        try ada.see("The other person ended the call.")
    }

    @Test func `without a portal, a sentence says that the screen cannot be shared`() throws {
        let parley = try RunningProgram([
            "--profile", try RunningProgram.emptyFolder().path, "--camera", "test", "--microphone", "test",
        ])
        try parley.press("Call Test call")
        try parley.see("0:")
        try parley.press("Share your screen")
        try parley.press("Share without sound")
        try parley.see("The screen can’t be shared.")
        #expect(!parley.shows("You are sharing"))
        try parley.press("End the call")
    }

    @Test(.onlyWhere(!FileManager.default.fileExists(atPath: "/dev/video0"), "This machine has a camera."))
    func `a machine without devices still calls and says what is missing`() throws {
        let parley = try RunningProgram(["--profile", try RunningProgram.emptyFolder().path])
        try parley.press("Video call with Test call")
        try parley.see("No camera was found.")
        try parley.see("0:")
        try parley.press("End the call")
        try parley.see("You ended the call.")
    }

    @Test func `without a display, the same call is made headless`() throws {
        let parley = try RunningProgram([], environment: ["DISPLAY": "", "WAYLAND_DISPLAY": ""])
        #expect(parley.exitStatus() == 0, "\(parley.output)")
        #expect(parley.output.contains("There is no display"))
        #expect(parley.output.contains("frame encryption aes-256-gcm; result: completed."), "\(parley.output)")
    }

    @Test func `sentences are translated by the catalogue beside the program`() throws {
        let prefix = try RunningProgram.emptyFolder()
        defer { try? FileManager.default.removeItem(at: prefix) }
        let sentence = "There is no display, so Parley makes its test call without a window."
        let (copy, language) = try Catalogue([sentence: "Mankas ekrano."]).install(
            with: RunningProgram.program().path, in: prefix.path)
        let environment = language.merging(["DISPLAY": "", "WAYLAND_DISPLAY": ""]) { $1 }
        let parley = try RunningProgram([], environment: environment, program: URL(filePath: copy))
        #expect(parley.exitStatus() == 0, "\(parley.output)")
        #expect(parley.output.contains("Mankas ekrano."), "\(parley.output)")
        #expect(!parley.output.contains("There is no display"), "\(parley.output)")
    }

    @Test func `two programs cannot have one profile`() throws {
        let folder = try RunningProgram.emptyFolder().path
        let first = try RunningProgram(["--profile", folder])
        try first.see("Contacts")
        let second = try RunningProgram(["--profile", folder])
        try second.see("Parley can’t start")
        try second.see("is open in another program")
    }

    /// Starts the program as this person, with test devices.
    private func real(_ name: String, at relay: ReachableRelay? = nil) throws -> RunningProgram {
        try RunningProgram(
            [
                "--profile", try RunningProgram.emptyFolder().path, "--name", name, "--camera", "test", "--microphone",
                "test", "--screen", "test",
            ] + (relay.map { ["--relay", $0.address] } ?? []))
    }
}
