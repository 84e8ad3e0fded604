import Foundation
import TestSupport
import Testing

/// `parley-cli` with the virtual devices of a real PipeWire.
@Suite(
    .serialized, .timeLimit(.minutes(2)),
    .enabled(if: VirtualDevices.obstacle == nil, Comment(rawValue: VirtualDevices.obstacle ?? "")))
struct DeviceProcessTests {
    @Test func devicesAreListedWithNameAndId() async throws {
        let machine = try await VirtualDevices()
        let folder = try TemporaryFolder()
        _ = try await machine.plugSpeaker("Desk-Speaker")
        _ = try await machine.plugMicrophone("Desk-Microphone", tone: nil)
        let camera = try machine.plugCamera("Red-Camera", colour: 0xFF0000)
        let listed = try await machine.devices(in: folder, with: "red-camera")
        let speaker = try #require(listed.first { $0["id"] as? String == "desk-speaker" })
        #expect(speaker["kind"] as? String == "speaker")
        #expect(speaker["name"] as? String == "Desk-Speaker")
        let microphones = listed.filter { $0["kind"] as? String == "microphone" }
        #expect(microphones.map { $0["id"] as? String } == ["desk-microphone"])
        #expect(microphones.map { $0["default"] as? String } == ["yes"])
        let plain = try machine.start(["devices"], folder: folder)
        #expect(try await plain.exitStatus() == 0, "\(plain.errors)")
        #expect(plain.lines.contains("camera (default): Red-Camera"), "\(plain.lines)")
        try await camera.unplug()
    }
}

extension VirtualDevices {
    /// Starts `parley-cli` so that it sees these devices.
    func start(_ arguments: [String], folder: TemporaryFolder) throws -> ChildProcess {
        try ChildProcess(
            "/usr/bin/env", settings + [ChildProcess.built("parley-cli")] + arguments, folder: folder.path)
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
