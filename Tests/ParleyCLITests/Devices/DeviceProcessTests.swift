import Foundation
import TestSupport
import Testing

/// `parley-cli` with the virtual devices of a real PipeWire.
@Suite(
    .serialized, .timeLimit(.minutes(5)),
    .needs(VirtualDevices.obstacle))
struct DeviceProcessTests {
    @Test func `devices are listed with name and id`() async throws {
        let machine = try await VirtualDevices.running()
        let folder = try TemporaryFolder()
        _ = try await machine.plugSpeaker("Desk-Speaker", isStandard: true)
        _ = try await machine.plugMicrophone("Desk-Microphone", hearing: nil)
        let camera = try await machine.plugCamera("Red-Camera", colour: 0xFF0000)
        let listed = try await machine.devices(in: folder, with: "red-camera")
        let speaker = try #require(listed.first { $0["id"] as? String == "desk-speaker" })
        #expect(speaker["kind"] as? String == "speaker")
        #expect(speaker["name"] as? String == "Desk-Speaker")
        let microphones = listed.filter { $0["kind"] as? String == "microphone" }
        #expect(microphones.map { $0["id"] as? String } == ["desk-microphone"])
        #expect(microphones.map { $0["default"] as? Bool } == [true])
        let plain = try machine.start(["devices"], folder: folder)
        #expect(try await plain.exitStatus() == 0, "\(plain.errors)")
        #expect(plain.lines.contains("camera (default): Red-Camera"), "\(plain.lines)")
        try await camera.unplug()
    }

    @Test func `devices are chosen and changed in a call`() async throws {
        let machine = try await VirtualDevices.running()
        let folder = try TemporaryFolder()
        _ = try await machine.plugMicrophone("Dead-Microphone", hearing: nil)
        let live = try await machine.plugMicrophone("Live-Microphone", hearing: .tone(440))
        _ = try await machine.plugSpeaker("Desk-Speaker", isStandard: true)
        let red = try await machine.plugCamera("Red-Camera", colour: 0xFF0000)
        _ = try await machine.devices(in: folder, with: "red-camera")
        let green = try await machine.plugCamera("Green-Camera", colour: 0x00FF00)
        _ = try await machine.devices(in: folder, with: "green-camera")
        let commands = try Commands(folder.file("commands"))
        let call = try machine.start(
            [
                "test-call", "--for", "60", "--commands", "--json", "--camera", "Red-Camera", "--microphone",
                "dead-microphone", "--speaker", "Desk-Speaker", "--no-echo-cancellation", "--no-noise-suppression",
                "--no-gain",
            ], commands: commands, folder: folder)
        try await call.device("camera", "red-camera")
        try await call.device("microphone", "dead-microphone")
        try await call.device("speaker", "desk-speaker")
        try await call.event("firstFrame")
        _ = try await call.line { $0.contains(#""event":"microphone""#) && $0.contains(#""state":"silent""#) }
        try commands.say("microphone Live-Microphone")
        try await call.device("microphone", "live-microphone")
        _ = try await call.line { $0.contains(#""event":"microphone""#) && $0.contains(#""state":"heard""#) }
        try commands.say("flip")
        try await call.device("camera", "green-camera")
        try commands.say("camera No-Camera")
        try await call.notice("The camera “No-Camera” was not found.")
        try await green.unplug()
        try await call.notice("The camera “Green-Camera” was unplugged: “Red-Camera” is used now.")
        try commands.say("hangup")
        #expect(try await call.exitStatus() == 0, "\(call.errors)")
        let summary = try #require(try call.events().last)
        #expect(summary.name == "summary")
        #expect(summary["result"] as? String == "completed")
        for device in [live, red] { try await device.unplug() }
    }
}

extension VirtualDevices {
    /// Starts `parley-cli` so that it sees these devices.
    func start(_ arguments: [String], folder: TemporaryFolder) throws -> ChildProcess {
        try ChildProcess(
            "/usr/bin/env", settings + [ChildProcess.built("parley-cli")] + arguments, folder: folder.path)
    }

    /// Starts it with a pipe that it reads commands from.
    func start(_ arguments: [String], commands: Commands, folder: TemporaryFolder) throws -> ChildProcess {
        let program = ["-c", "exec \"$0\" \"$@\" <\"\(commands.path)\"", ChildProcess.built("parley-cli")]
        return try ChildProcess(
            "/usr/bin/env", settings + ["/bin/bash"] + program + arguments, folder: folder.path)
    }

    /// What `parley-cli devices` lists as soon as that has this id.
    func devices(in folder: TemporaryFolder, with id: String) async throws -> [Event] {
        for _ in 1...50 {
            let process = try start(["devices", "--json"], folder: folder)
            guard try await process.exitStatus() == 0 else { throw Overdue(process.errors) }
            let events = try process.events()
            if events.contains(where: { $0["id"] as? String == id }) { return events }
        }
        throw Overdue("\(id) is not listed")
    }
}

extension ChildProcess {
    /// Waits until a device of this kind and id is in use.
    fileprivate func device(_ kind: String, _ id: String) async throws {
        _ = try await line {
            $0.contains(#""event":"device""#) && $0.contains("\"kind\":\"\(kind)\"") && $0.contains("\"id\":\"\(id)\"")
        }
    }

    /// Waits for a sentence.
    fileprivate func notice(_ sentence: String) async throws {
        _ = try await line { $0.contains(#""event":"notice""#) && $0.contains(sentence) }
    }
}
