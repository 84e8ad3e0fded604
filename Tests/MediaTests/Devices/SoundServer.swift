import Foundation
import TestSupport
import Testing

@testable import Media
@testable import MediaRules

/// Virtual devices as this process's own, listed by a monitor.
///
/// One serves most tests of the process; it ends with the process.
final class SoundServer: Sendable {
    private let machine: VirtualDevices
    /// Who lists its devices.
    let monitor: DeviceMonitor

    private static let started = Task {
        let server = try SoundServer()
        try await server.start()
        return server
    }

    /// Why the tests with it can't run here; nil when they can.
    static var obstacle: String? { VirtualDevices.obstacle }

    /// Nothing runs yet.
    init(monitor: DeviceMonitor = .shared) throws {
        machine = try VirtualDevices()
        self.monitor = monitor
    }

    /// Starts it. Returns when it can be used.
    func start() async throws { try await machine.start() }

    /// Ends it with all its devices, as a crash or an update does.
    func stop() async throws { try await machine.stop() }

    /// Ends what this process plays, as the server does to a stream that it can't serve any more.
    func endPlayback() async throws { try await machine.end(of: getpid()) }

    /// Ends what this process records.
    func endRecording() async throws { try await machine.end("Stream/Input/Audio", of: getpid()) }

    /// Starts PulseAudio's interface anew, so soon that the devices stay listed.
    func restartInterface() async throws { try await machine.restartSoundServer() }

    /// Takes those two away.
    func unplugLastingDevices(_ names: String...) async throws { try await machine.unplugLastingDevices(names) }

    /// Plugs in a microphone and a loudspeaker that stay when PulseAudio's interface goes. Returns when they are listed.
    func plugLastingDevices(microphone: String, speaker: String) async throws {
        try await machine.plugLastingDevices(microphone: microphone, speaker: speaker)
        try await waitUntil("both are listed", within: .seconds(60)) {
            try await Set(monitor.devices().all).isSuperset(of: [microphone, speaker])
        }
    }

    /// The properties of what this process plays now.
    func playback() async throws -> [[String: String]] { try await machine.playback(of: getpid()) }

    /// The kinds of this process's streams, such as `Stream/Input/Audio`, in order; one that it has twice twice.
    func streams() async throws -> [String] { try await machine.streams(of: getpid()) }

    /// What this process's recording is for, as the server sees it; nil where there is none.
    func recordingRole() async throws -> String? { try await machine.role(of: "Stream/Input/Audio", of: getpid()) }

    /// Runs a test with this server as the process's.
    static func use(_ body: (SoundServer) async throws -> Void) async throws {
        let server = try await started.value
        try await server.run(body)
    }

    /// Runs a test with this server as the process's, and starts it anew afterwards, whatever happened.
    ///
    /// For tests that restart PulseAudio's interface: WirePlumber 0.4 may crash some seconds after that, and the next one leaves streams that
    /// it finds without a link.
    static func useUp(_ body: (SoundServer) async throws -> Void) async throws {
        try await use { server in
            let outcome: Result<Void, any Error>
            do { outcome = .success(try await body(server)) } catch { outcome = .failure(error) }
            try await server.stop()
            try await server.start()
            try outcome.get()
        }
    }

    /// Runs a test with this server as the process's.
    func run(_ body: (SoundServer) async throws -> Void) async throws {
        for (name, value) in machine.environment { setenv(name, value, 1) }
        defer { for name in machine.environment.keys { unsetenv(name) } }
        try MediaRuntime.start()
        try await body(self)
    }

    // MARK: Devices

    /// A virtual device; unplugged when it goes.
    final class Device: Sendable {
        fileprivate let device: VirtualDevices.Device
        private let server: SoundServer

        fileprivate init(_ device: VirtualDevices.Device, _ server: SoundServer) {
            (self.device, self.server) = (device, server)
        }

        var name: String { device.name }

        /// Makes it hang: it stays listed but gives nothing more.
        func freeze() { device.freeze() }

        /// Takes the device away. Returns when it is no longer listed.
        func unplug() async throws {
            try await device.unplug()
            try await waitUntil("\(name) is gone") {
                try await !server.monitor.devices().all.contains(name)
            }
        }
    }

    /// Plugs in a camera that shows one colour (0xRRGGBB). Returns when it is listed.
    func plugCamera(_ name: String, colour: UInt32) async throws -> Device {
        try await listed(try await machine.plugCamera(name, colour: colour))
    }

    /// Plugs in a microphone that hears a sound, or with nil nothing. Returns when it is listed.
    func plugMicrophone(_ name: String, hearing sound: VirtualDevices.Sound?) async throws -> Device {
        try await listed(machine.plugMicrophone(name, hearing: sound))
    }

    /// Plugs in a microphone that hears a loudspeaker, some milliseconds later than both say. Returns when it is listed.
    func plugMicrophone(_ name: String, in room: Device, delay: Int) async throws -> Device {
        try await listed(machine.plugMicrophone(name, in: room.device, delay: delay))
    }

    /// Plugs in a loudspeaker. Returns when it is listed.
    func plugSpeaker(_ name: String) async throws -> Device {
        try await listed(machine.plugSpeaker(name, isStandard: false))
    }

    /// A loudspeaker comes and goes at once; nobody waits for it to be listed.
    func plugForAMoment(_ name: String) async throws {
        try await machine.plugSpeaker(name, isStandard: false).unplug()
    }

    /// The camera is the standard one from now on, as a person says in the desktop's settings.
    func setStandard(camera: String) async throws { try await machine.setStandard(camera: camera) }

    /// Whether the session manager has this camera as the standard one now.
    func isStandard(camera: String) async throws -> Bool { try await machine.isStandard(camera: camera) }

    /// Where PipeWire listens.
    var socket: String { machine.socket }

    /// Mutes a microphone, or no longer, as the desktop's mixer does.
    func setMuted(_ isMuted: Bool, microphone: String) async throws {
        try await machine.setMuted(isMuted, microphone: microphone)
    }

    /// Whether a microphone is muted.
    func isMuted(microphone: String) async throws -> Bool { try await machine.isMuted(microphone: microphone) }

    private func listed(_ device: VirtualDevices.Device) async throws -> Device {
        try await waitUntil("\(device.name) is listed", within: .seconds(60)) {
            try await monitor.devices().all.contains(device.name)
        }
        return Device(device, self)
    }

    /// Looks a device up that is listed.
    func device(_ kind: DeviceKind, _ name: String) async throws -> MediaDevice {
        try #require(try await monitor.devices()[kind].first { $0.name == name })
    }
}

extension MediaDevices {
    /// The names of all devices.
    var all: [String] { DeviceKind.allCases.flatMap { self[$0].map(\.name) } }
}
