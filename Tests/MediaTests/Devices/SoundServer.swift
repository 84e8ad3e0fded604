import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Media

/// A PipeWire with WirePlumber and PulseAudio's interface, on a bus and in a folder of its own, with virtual devices. Their names must be one word.
///
/// One serves most tests of the process; it ends with the process. Programs of the machine are not seen by it, nor are its
/// devices by others than those that ask here.
final class SoundServer: Sendable {
    private let folder: TemporaryFolder
    private let daemons = Mutex<ChildProcess?>(nil)
    /// Who lists its devices.
    let monitor: DeviceMonitor

    private static let script = """
        trap 'kill $(jobs -p); wait; exit 0' TERM
        mkdir -p -m 700 "$1/run" "$1/home"
        rm -rf "$1/bus" "$1"/run/*
        export XDG_RUNTIME_DIR=$1/run HOME=$1/home XDG_CONFIG_HOME=$1/c XDG_STATE_HOME=$1/s XDG_DATA_HOME=$1/d
        export DBUS_SESSION_BUS_ADDRESS=unix:path=$1/bus
        unset DISPLAY WAYLAND_DISPLAY PULSE_SERVER PIPEWIRE_REMOTE PIPEWIRE_RUNTIME_DIR
        dbus-daemon --session --nofork --nopidfile --address=$DBUS_SESSION_BUS_ADDRESS 2>/dev/null &
        until [ -S $1/bus ]; do sleep 0.02; done
        pipewire & until [ -S $1/run/pipewire-0 ]; do sleep 0.02; done
        wireplumber & pipewire-pulse &
        until pactl info >/dev/null 2>&1; do sleep 0.05; done
        echo ready
        while kill -0 $2 2>/dev/null; do sleep 1 & wait $!; done
        kill $(jobs -p); wait
        """

    private static let started = Task {
        let server = try SoundServer()
        try await server.start()
        return server
    }

    /// Why the tests with it can't run here; nil when they can.
    static var obstacle: String? {
        let missing = ["pipewire", "wireplumber", "pipewire-pulse", "pactl", "gst-launch-1.0"].filter { name in
            !FileManager.default.isExecutableFile(atPath: "/usr/bin/\(name)")
        }
        return missing.isEmpty ? nil : "not installed: \(missing.joined(separator: ", "))"
    }

    /// Nothing runs yet.
    init(monitor: DeviceMonitor = .shared) throws {
        folder = try TemporaryFolder()
        self.monitor = monitor
    }

    /// Starts it. Returns when it can be used.
    func start() async throws {
        let process = try ChildProcess(
            "/bin/bash", ["-c", Self.script, "bash", folder.path, "\(getpid())"], folder: folder.path)
        daemons.withLock { $0 = process }
        _ = try await process.line { $0 == "ready" }
    }

    /// Ends it with all its devices, as a crash or an update does.
    func stop() async throws {
        let process = daemons.withLock { $0 }
        process?.signal(SIGTERM)
        _ = try await process?.exitStatus()
    }

    /// How programs find it.
    var environment: [String: String] {
        ["PIPEWIRE_RUNTIME_DIR": folder.path + "/run", "PULSE_SERVER": "unix:\(folder.path)/run/pulse/native"]
    }

    /// Runs a test with this server as the process's.
    static func use(_ body: (SoundServer) async throws -> Void) async throws {
        let server = try await started.value
        try await server.run(body)
    }

    /// Runs a test with this server as the process's.
    func run(_ body: (SoundServer) async throws -> Void) async throws {
        for (name, value) in environment { setenv(name, value, 1) }
        defer { for name in environment.keys { unsetenv(name) } }
        try MediaRuntime.start()
        try await body(self)
    }

    // MARK: Devices

    /// A virtual device; unplugged when it goes.
    final class Device: Sendable {
        let name: String
        private let parts: [ChildProcess]
        private let modules: [String]
        private let server: SoundServer

        fileprivate init(_ name: String, _ server: SoundServer, parts: [ChildProcess] = [], modules: [String] = []) {
            (self.name, self.server, self.parts, self.modules) = (name, server, parts, modules)
        }

        /// Makes it hang: it stays listed but gives nothing more.
        func freeze() { for part in parts { part.signal(SIGSTOP) } }

        /// Takes the device away.
        func unplug() async throws {
            for module in modules.reversed() { _ = try? await server.pactl("unload-module", module) }
            for part in parts {
                part.signal(SIGKILL)
                _ = try await part.exitStatus()
            }
            try await waitUntil("\(name) is gone") {
                try await !server.monitor.devices().all.contains(name)
            }
        }
    }

    /// Plugs in a camera that shows one colour (0xRRGGBB). Returns when it is listed.
    func plugCamera(_ name: String, colour: UInt32) async throws -> Device {
        let part = try launch(
            [
                "videotestsrc", "is-live=true", "pattern=solid-color", "foreground-color=\(0xFF00_0000 | colour)", "!",
                "video/x-raw,format=YUY2,width=640,height=480,framerate=30/1", "!", "pipewiresink", "mode=provide",
                "stream-properties=props,media.class=Video/Source,media.role=Camera,node.name=\(name.identifier),"
                    + "node.description=\(name)",
            ])
        try await listed(name)
        return Device(name, self, parts: [part])
    }

    /// Plugs in a microphone that hears a tone, or with nil nothing. Returns when it is listed.
    func plugMicrophone(_ name: String, tone: Int?, volume: Double = 0.2) async throws -> Device {
        try await plugMicrophone(name, hearing: tone.map { [Self.tone($0, volume: volume)] } ?? [])
    }

    /// What a microphone hears, as the beginning of a pipeline.
    static func tone(_ frequency: Int, volume: Double) -> [String] {
        ["audiotestsrc", "is-live=true", "freq=\(frequency)", "volume=\(volume)", "samplesperbuffer=480"]
    }

    /// Likewise, steady noise.
    static func noise(volume: Double) -> [String] {
        ["audiotestsrc", "is-live=true", "wave=pink-noise", "volume=\(volume)", "samplesperbuffer=480"]
    }

    /// Plugs in a microphone that hears some sounds, mixed. Returns when it is listed.
    func plugMicrophone(_ name: String, hearing sounds: [[String]]) async throws -> Device {
        let wire = Self.wire(name)
        let modules = [
            try await load("module-null-sink", "sink_name=\(wire)", "sink_properties=device.description=\(wire)"),
            try await load(
                "module-remap-source", "master=\(wire).monitor", "source_name=\(name.identifier)", "channels=1",
                "source_properties=device.description=\(name)"),
        ]
        let parts = try sounds.map { try play($0, to: name) }
        try await listed(name)
        return Device(name, self, parts: parts, modules: modules)
    }

    private func play(_ sound: [String], to microphone: String) throws -> ChildProcess {
        try launch(
            sound + [
                "!", "audioconvert", "!", "audio/x-raw,format=S16LE,rate=48000,channels=1", "!", "pulsesink",
                "device=\(Self.wire(microphone))", "buffer-time=40000", "latency-time=10000",
            ])
    }

    private static func wire(_ microphone: String) -> String { "wire-\(microphone.identifier)" }

    /// Plugs in a loudspeaker. Returns when it is listed.
    func plugSpeaker(_ name: String) async throws -> Device {
        let module = try await load(
            "module-null-sink", "sink_name=\(name.identifier)", "sink_properties=device.description=\(name)")
        try await listed(name)
        return Device(name, self, modules: [module])
    }

    /// Plugs in a microphone that hears a loudspeaker, as in a room, some milliseconds later than both say. Returns when it is
    /// listed.
    func plugMicrophone(_ name: String, in room: Device, delay: Int) async throws -> Device {
        let (wire, source) = (Self.wire(name), "\(room.name.identifier).monitor")
        let modules = [
            try await load("module-null-sink", "sink_name=\(wire)", "sink_properties=device.description=\(wire)"),
            try await load("module-loopback", "source=\(source)", "sink=\(wire)", "latency_msec=\(delay)"),
            try await load(
                "module-remap-source", "master=\(wire).monitor", "source_name=\(name.identifier)", "channels=1",
                "source_properties=device.description=\(name)"),
        ]
        try await listed(name)
        return Device(name, self, modules: modules)
    }

    private func listed(_ name: String) async throws {
        try await waitUntil("\(name) is listed", within: .seconds(10)) {
            try await monitor.devices().all.contains(name)
        }
    }

    /// Looks a device up that is listed.
    func device(_ kind: DeviceKind, _ name: String) async throws -> MediaDevice {
        try #require(try await monitor.devices()[kind].first { $0.name == name })
    }

    private func launch(_ pipeline: [String]) throws -> ChildProcess {
        try run("/usr/bin/gst-launch-1.0", ["-q"] + pipeline)
    }

    private func load(_ arguments: String...) async throws -> String {
        try await pactl(["load-module"] + arguments)
    }

    @discardableResult
    private func pactl(_ arguments: String...) async throws -> String { try await pactl(arguments) }

    private func pactl(_ arguments: [String]) async throws -> String {
        let process = try run("/usr/bin/pactl", arguments)
        let status = try await process.exitStatus()
        guard status == 0 else { throw Overdue("pactl \(arguments): \(process.errors)") }
        return process.lines.first ?? ""
    }

    private func run(_ program: String, _ arguments: [String]) throws -> ChildProcess {
        try ChildProcess(
            "/usr/bin/env",
            environment.map { "\($0)=\($1)" } + ["XDG_RUNTIME_DIR=\(folder.path)/run", program] + arguments,
            folder: folder.path)
    }
}

extension String {
    /// A name for programs.
    fileprivate var identifier: String { lowercased() }
}

extension MediaDevices {
    /// The names of all devices.
    var all: [String] { DeviceKind.allCases.flatMap { self[$0].map(\.name) } }
}
