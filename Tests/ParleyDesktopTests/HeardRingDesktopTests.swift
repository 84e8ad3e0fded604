import FakePortal
import Foundation
import TestSupport
import Testing

/// The windows with pretended calls, at the loudspeakers of a real PipeWire.
@Suite(.windows, .needs(VirtualDevices.obstacle), .serialized, .timeLimit(.minutes(5)))
final class HeardRingDesktopTests: DesktopSuite {
    @Test func `a call is heard until it is declined`() throws {
        try withSpeaker { parley, recording in
            parley.signal(SIGUSR1)
            try parley.see("Incoming video call")
            try recording.wait("the ring") { $0.suffix(4_800).contains { abs(Int($0)) > 300 } }
            try parley.press("Decline the call")
            try parley.see("You declined the call.")
            try expectSilence(in: recording, from: recording.samples.count)
        }
    }

    @Test func `a call that is accepted rings no more`() throws {
        try withSpeaker { parley, recording in
            parley.signal(SIGUSR1)
            try parley.see("Incoming video call")
            try recording.wait("the ring") { $0.suffix(4_800).contains { abs(Int($0)) > 300 } }
            try parley.press("Accept with sound only")
            try parley.see("0:")
            try expectSilence(in: recording, from: recording.samples.count)
        }
    }

    @Test func `a call that its caller gives up rings no more`() throws {
        try withSpeaker(calling: "Gus Gives-Up") { parley, recording in
            parley.signal(SIGUSR1)
            try parley.see("Incoming video call")
            try recording.wait("the ring") { $0.suffix(4_800).contains { abs(Int($0)) > 300 } }
            parley.signal(SIGUSR1)
            try parley.seeNoMore("Incoming video call")
            try expectSilence(in: recording, from: recording.samples.count)
        }
    }

    @Test func `a call whose notification is sent away rings no more and is still there`() throws {
        let manager = try WindowManager()
        defer { withExtendedLifetime(manager) {} }
        try withSpeaker { parley, recording in
            let window = try Keyboard.window(titled: "Parley", onTop: true)
            try Keyboard.minimise(window)
            try wait("the window to be minimised") { try Keyboard.isMinimised(window) }
            let address = ProcessInfo.processInfo.environment["DBUS_SESSION_BUS_ADDRESS"] ?? ""
            let music = try blocking { try await FakePlayer("music", "Playing", at: address) }
            let earlier = notifications.shown.count
            parley.signal(SIGUSR1)
            try wait("the notification") { self.notifications.shown.count > earlier }
            try wait("the music to pause") { music.status == "Paused" }
            // A person looks first: what is sent away within a second was meant for something else.
            let came = recording.samples.count
            try recording.wait("a look at it") { $0.count > came + 62_400 }
            try recording.wait("the ring") { $0.suffix(4_800).contains { abs(Int($0)) > 300 } }
            try notifications.dismiss(try #require(notifications.shown.last).id)
            try wait("the music to go on") { music.status == "Playing" }
            try expectSilence(in: recording, from: recording.samples.count)
            #expect(parley.shows("Incoming video call"))
        }
    }

    @Test func `the speaker is tried`() throws {
        try withSpeaker { parley, recording in
            try parley.choose("Preferences", from: "Main menu")
            try parley.press("Test the speaker")
            try recording.wait("the tone") { $0.suffix(4_800).contains { abs(Int($0)) > 300 } }
        }
    }

    @Test func `a program that is closed while it rings is silent`() throws {
        try withSpeaker { parley, recording in
            parley.signal(SIGUSR1)
            try parley.see("Incoming video call")
            try recording.wait("the ring") { $0.suffix(4_800).contains { abs(Int($0)) > 300 } }
            parley.kill()
            _ = parley.exitStatus()
            try expectSilence(in: recording, from: recording.samples.count)
        }
    }

    /// Nothing is heard in the second that begins 0.2 seconds after a sample.
    private func expectSilence(
        in recording: Recording, from sample: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let begin = sample + 9_600
        try recording.wait("a second more", sourceLocation: sourceLocation) { $0.count > begin + 48_000 }
        let late = recording.samples[begin...].count { $0 != 0 }
        #expect(late == 0, "is heard", sourceLocation: sourceLocation)
    }

    private func withSpeaker(
        calling contact: String = "Cem Calls-Back", _ body: (RunningProgram, Recording) throws -> Void
    ) throws {
        let machine = try blocking { try await VirtualDevices.running() }
        let speaker = try blocking { try await machine.plugSpeaker("Desk-Speaker", isStandard: true) }
        let recording = try Recording("desk-speaker", machine)
        try recording.wait("the recording") { $0.count > 4_800 }
        let parley = try RunningProgram(
            ["--pause", "150", "--calls-wait", "--sounds"], environment: machine.environment,
            program: RunningProgram.fakeCalls())
        // Whoever calls back does so at the signal, once they were called.
        try parley.press("Video call with \(contact)")
        try parley.see("\(contact) declined the call.")
        try parley.press("Back to the contacts")
        #expect(recording.samples.allSatisfy { $0 == 0 })
        try body(parley, recording)
        parley.kill()
        recording.stop()
        try blocking { try await speaker.unplug() }
    }
}

/// What a loudspeaker plays, as another program records it: 48 000 samples a second, one channel.
private final class Recording {
    private let folder: TemporaryFolder
    private let process: ChildProcess

    init(_ speaker: String, _ machine: VirtualDevices) throws {
        folder = try TemporaryFolder()
        process = try ChildProcess(
            "/usr/bin/env",
            machine.settings + [
                "parec", "--raw", "--format=s16le", "--rate=48000", "--channels=1", "--latency-msec=20",
                "--device=\(speaker).monitor", folder.file("samples"),
            ], folder: folder.path)
    }

    /// The samples so far.
    var samples: [Int16] {
        let data = FileManager.default.contents(atPath: folder.file("samples")) ?? Data()
        return data.withUnsafeBytes { bytes in
            (0..<bytes.count / 2).map {
                Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self))
            }
        }
    }

    func wait(
        _ what: String, sourceLocation: SourceLocation = #_sourceLocation, until condition: ([Int16]) -> Bool
    ) throws {
        let end = Date.now + 30
        while !condition(samples) {
            guard Date.now < end else {
                Issue.record("waited in vain for \(what): \(process.errors)", sourceLocation: sourceLocation)
                throw Overdue("Not in time: \(what)")
            }
            usleep(20_000)
        }
    }

    func stop() { process.signal(SIGKILL) }
}
