import Foundation

/// A PipeWire with WirePlumber and PulseAudio's interface, on a bus and in a folder of its own, with virtual devices for programs
/// that a test starts. Names of devices must be one word. It ends with this object or with the process.
public final class VirtualDevices: Sendable {
    private let folder: TemporaryFolder
    private let daemons: ChildProcess

    private static let script = """
        mkdir -p -m 700 "$1/run" "$1/home"
        export XDG_RUNTIME_DIR=$1/run HOME=$1/home XDG_CONFIG_HOME=$1/c XDG_STATE_HOME=$1/s XDG_DATA_HOME=$1/d
        export DBUS_SESSION_BUS_ADDRESS=unix:path=$1/bus
        unset DISPLAY WAYLAND_DISPLAY PULSE_SERVER PIPEWIRE_REMOTE PIPEWIRE_RUNTIME_DIR
        dbus-daemon --session --nofork --nopidfile --address=$DBUS_SESSION_BUS_ADDRESS 2>/dev/null &
        until [ -S $1/bus ]; do sleep 0.02; done
        pipewire & until [ -S $1/run/pipewire-0 ]; do sleep 0.02; done
        wireplumber & pipewire-pulse &
        until pactl info >/dev/null 2>&1; do sleep 0.05; done
        servers=$(jobs -p)
        # This shell is killed without a word, so another one ends the servers.
        (while kill -0 $$ $2 2>/dev/null; do sleep 0.2; done; kill $servers) &
        echo ready
        wait
        """

    /// Why they can't be had here; nil when they can.
    public static var obstacle: String? {
        let missing = ["pipewire", "wireplumber", "pipewire-pulse", "pactl", "gst-launch-1.0"].filter { name in
            !FileManager.default.isExecutableFile(atPath: "/usr/bin/\(name)")
        }
        return missing.isEmpty ? nil : "not installed: \(missing.joined(separator: ", "))"
    }

    /// Starts the servers, without any device.
    public init() async throws {
        folder = try TemporaryFolder()
        daemons = try ChildProcess(
            "/bin/bash", ["-c", Self.script, "bash", folder.path, "\(getpid())"], folder: folder.path)
        _ = try await daemons.line { $0 == "ready" }
    }

    /// What a program must have in its environment to see these devices and no others.
    public var environment: [String: String] {
        ["PIPEWIRE_RUNTIME_DIR": folder.path + "/run", "PULSE_SERVER": "unix:\(folder.path)/run/pulse/native"]
    }

    /// The same as arguments of `env`.
    public var settings: [String] { environment.map { "\($0)=\($1)" } }

    /// A device, until it is unplugged or goes.
    public final class Device: Sendable {
        private let parts: [ChildProcess]
        private let modules: [String]
        private let server: VirtualDevices

        fileprivate init(_ server: VirtualDevices, parts: [ChildProcess] = [], modules: [String] = []) {
            (self.server, self.parts, self.modules) = (server, parts, modules)
        }

        /// Takes the device away.
        public func unplug() async throws {
            for module in modules.reversed() { _ = try await server.pactl(["unload-module", module]) }
            for part in parts {
                part.signal(SIGKILL)
                _ = try await part.exitStatus()
            }
        }
    }

    /// Plugs in a camera that shows one colour (0xRRGGBB). Its id is its name in small letters, as with the others.
    public func plugCamera(_ name: String, colour: UInt32) throws -> Device {
        let part = try run(
            "/usr/bin/gst-launch-1.0",
            [
                "-q", "videotestsrc", "is-live=true", "pattern=solid-color",
                "foreground-color=\(0xFF00_0000 | colour)", "!",
                "video/x-raw,format=YUY2,width=640,height=480,framerate=30/1", "!", "pipewiresink", "mode=provide",
                "stream-properties=props,media.class=Video/Source,media.role=Camera,node.name=\(name.lowercased()),"
                    + "node.description=\(name)",
            ])
        return Device(self, parts: [part])
    }

    /// Plugs in a microphone that hears a tone, or with nil nothing.
    public func plugMicrophone(_ name: String, tone: Int?) async throws -> Device {
        let id = name.lowercased()
        let wire = "wire-\(id)"
        let modules = [
            try await load("module-null-sink", "sink_name=\(wire)", "sink_properties=device.description=\(wire)"),
            try await load(
                "module-remap-source", "master=\(wire).monitor", "source_name=\(id)", "channels=1",
                "source_properties=device.description=\(name)"),
        ]
        let parts = try tone.map { tone in
            [
                try run(
                    "/usr/bin/gst-launch-1.0",
                    [
                        "-q", "audiotestsrc", "is-live=true", "freq=\(tone)", "volume=0.2", "samplesperbuffer=480", "!",
                        "audio/x-raw,format=S16LE,rate=48000,channels=1", "!", "pulsesink", "device=\(wire)",
                    ])
            ]
        }
        return Device(self, parts: parts ?? [], modules: modules)
    }

    /// Plugs in a loudspeaker, the standard one from now on.
    public func plugSpeaker(_ name: String) async throws -> Device {
        let module = try await load(
            "module-null-sink", "sink_name=\(name.lowercased())", "sink_properties=device.description=\(name)")
        // Otherwise the wires of microphones might be taken for it, which then hear the other side.
        _ = try await pactl(["set-default-sink", name.lowercased()])
        return Device(self, modules: [module])
    }

    private func load(_ arguments: String...) async throws -> String { try await pactl(["load-module"] + arguments) }

    fileprivate func pactl(_ arguments: [String]) async throws -> String {
        let process = try run("/usr/bin/pactl", arguments)
        guard try await process.exitStatus() == 0 else { throw Overdue("pactl \(arguments): \(process.errors)") }
        return process.lines.first ?? ""
    }

    private func run(_ program: String, _ arguments: [String]) throws -> ChildProcess {
        try ChildProcess(
            "/usr/bin/env", settings + ["XDG_RUNTIME_DIR=\(folder.path)/run", program] + arguments,
            folder: folder.path)
    }
}
