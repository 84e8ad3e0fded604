import Foundation
import TestSupport
import Testing

/// The real program with the virtual devices of a real PipeWire.
@Suite(.windows, .needs(VirtualDevices.obstacle), .serialized, .timeLimit(.minutes(5)))
final class RealDevicesDesktopTests: DesktopSuite {
    @Test func `devices come, go and are changed in a call`() throws {
        let machine = try blocking { try await VirtualDevices.running() }
        let dead = try blocking { try await machine.plugMicrophone("Dead-Microphone", hearing: nil) }
        let speaker = try blocking { try await machine.plugSpeaker("Desk-Speaker", isStandard: true) }
        let red = try blocking { try await machine.plugCamera("Red-Camera", colour: 0xFF0000) }
        let parley = try start(machine)
        try parley.press("Video call with Test call")
        try parley.see("0:")
        try parley.see("Your own picture")
        try parley.see("Your microphone gives no sound.")
        #expect(!parley.shows("Use the other camera"))
        let live = try blocking { try await machine.plugMicrophone("Live-Microphone", hearing: .tone(440)) }
        try parley.open("Camera, microphone and speaker")
        try parley.see("Red-Camera")
        try parley.chooseItem("Live-Microphone")
        try parley.seeNoMore("Your microphone gives no sound.")
        let green = try blocking { try await machine.plugCamera("Green-Camera", colour: 0x00FF00) }
        try parley.see("Use the other camera")
        parley.screenshot("real-devices")
        try blocking { try await red.unplug() }
        try parley.see("The camera “Red-Camera” was unplugged: “Green-Camera” is used now.")
        try parley.seeNoMore("Use the other camera")
        try parley.press("End the call")
        try parley.see("You ended the call.")
        try blocking { for device in [dead, live, green, speaker] { try await device.unplug() } }
    }

    @Test func `a chosen device is remembered while it is not there`() throws {
        let machine = try blocking { try await VirtualDevices.running() }
        let desk = try blocking { try await machine.plugMicrophone("Desk-Microphone", hearing: nil) }
        let folder = try RunningProgram.emptyFolder().path
        let first = try start(machine, profile: folder)
        try first.press("Call Test call")
        try first.see("0:")
        let headset = try blocking { try await machine.plugMicrophone("Headset", hearing: .tone(440)) }
        try first.choose("Headset", from: "Camera, microphone and speaker")
        try first.press("End the call")
        try first.see("You ended the call.")
        try first.press("Back to the contacts")
        try first.choose("Preferences", from: "Main menu")
        try first.see("Headset")
        first.kill()
        _ = first.exitStatus()
        try blocking { try await headset.unplug() }
        let again = try start(machine, profile: folder)
        try again.see("Video call with Test call")
        try again.choose("Preferences", from: "Main menu")
        try again.see("Headset (not connected)")
        again.screenshot("not-connected")
        try blocking { try await desk.unplug() }
    }

    private func start(_ machine: VirtualDevices, profile: String? = nil) throws -> RunningProgram {
        try RunningProgram(
            ["--profile", try profile ?? RunningProgram.emptyFolder().path], environment: machine.environment)
    }
}
