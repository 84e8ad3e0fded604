import BaseKit
import Foundation
import Synchronization

/// A PipeWire with WirePlumber and PulseAudio's interface, on a bus and in a folder of its own, with virtual devices. Their names must
/// be one word; their ids are the names in small letters. It ends with this object or with the process.
///
/// Programs of the machine are not seen by it, nor are its devices by others than those that ask here.
public final class VirtualDevices: Sendable {
    private let folder: TemporaryFolder
    private let daemons = Mutex<ChildProcess?>(nil)
    /// PulseAudio's interface, where it was started anew.
    private let interface = Mutex<ChildProcess?>(nil)

    private static let script = """
        trap 'kill $(jobs -p); wait; exit 0' TERM
        mkdir -p -m 700 "$1/run" "$1/home"
        rm -rf "$1/bus" "$1"/run/*
        # Made here: the server fails when a client makes it at the same moment.
        mkdir -m 700 "$1/run/pulse"
        export XDG_RUNTIME_DIR=$1/run HOME=$1/home XDG_CONFIG_HOME=$1/c XDG_STATE_HOME=$1/s XDG_DATA_HOME=$1/d
        export DBUS_SESSION_BUS_ADDRESS=unix:path=$1/bus
        unset DISPLAY WAYLAND_DISPLAY PULSE_SERVER PIPEWIRE_REMOTE PIPEWIRE_RUNTIME_DIR
        dbus-daemon --session --nofork --nopidfile --address=$DBUS_SESSION_BUS_ADDRESS 2>/dev/null &
        until [ -S $1/bus ]; do sleep 0.02; done
        pipewire & until [ -S $1/run/pipewire-0 ]; do sleep 0.02; done
        # As systemd does: WirePlumber 0.4 may fail when PulseAudio's interface goes with streams that are under way.
        (while kill -0 $$; do wireplumber; sleep 0.1; done) 2>/dev/null &
        pipewire-pulse & echo $! >$1/pulse.pid
        until pactl info >/dev/null 2>&1; do sleep 0.05; done
        # WirePlumber keeps which devices are the standard ones; before it is there none can be chosen.
        until pw-metadata 2>/dev/null | grep -q '"default" metadata'; do sleep 0.05; done
        servers=$(jobs -p)
        # This shell may be killed without a word, so another one ends the servers, also when the test's process has ended.
        (while kill -0 $$ && kill -0 $2; do sleep 0.2; done; kill $servers) 2>/dev/null &
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

    /// Nothing runs yet.
    public init() throws { folder = try TemporaryFolder() }

    /// Servers that run, without any device.
    public static func running() async throws -> VirtualDevices {
        let devices = try VirtualDevices()
        try await devices.start()
        return devices
    }

    /// Starts the servers. Returns when they can be used.
    public func start() async throws {
        let process = try ChildProcess(
            "/bin/bash", ["-c", Self.script, "bash", folder.path, "\(getpid())"], folder: folder.path)
        daemons.withLock { $0 = process }
        _ = try await process.line { $0 == "ready" }
    }

    /// Ends the servers with all devices, as a crash or an update does.
    public func stop() async throws {
        let process = daemons.withLock { $0 }
        interface.withLock { $0 }?.signal(SIGKILL)
        process?.signal(SIGTERM)
        _ = try await process?.exitStatus()
    }

    /// Starts PulseAudio's interface anew, as an update does. Devices of ``plugLastingDevices()`` stay as they are, and nobody waits.
    public func restartSoundServer() async throws {
        let path = folder.path + "/pulse.pid"
        let before = try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        guard let number = Int32(before) else { throw Overdue("No process: \(before)") }
        kill(number, SIGKILL)
        while kill(number, 0) == 0 { try await Task.sleep(for: .milliseconds(5)) }
        try? FileManager.default.removeItem(atPath: folder.path + "/run/pulse/native")
        interface.withLock { $0 = nil }
        let made = try run("pipewire-pulse", [])
        interface.withLock { $0 = made }
        _ = try await pactlWhenReady(["info"])
    }

    /// What a program must have in its environment to see these devices and no others.
    public var environment: [String: String] {
        ["PIPEWIRE_RUNTIME_DIR": folder.path + "/run", "PULSE_SERVER": "unix:\(folder.path)/run/pulse/native"]
    }

    /// Where PipeWire listens.
    public var socket: String { folder.path + "/run/pipewire-0" }

    /// The same as arguments of `env`.
    public var settings: [String] { environment.map { "\($0)=\($1)" } }

    // MARK: Devices

    /// A device, until it is unplugged or goes.
    public final class Device: Sendable {
        /// Its readable name.
        public let name: String
        private let picture: VirtualPicture?
        private let sound: ChildProcess?
        private let modules: [String]
        private let server: VirtualDevices

        fileprivate init(
            _ name: String, _ server: VirtualDevices, picture: VirtualPicture? = nil, sound: ChildProcess? = nil,
            modules: [String] = []
        ) {
            (self.name, self.server, self.picture, self.sound, self.modules) = (name, server, picture, sound, modules)
        }

        /// Makes it hang: it stays listed but gives nothing more.
        public func freeze() {
            picture?.freeze()
            sound?.signal(SIGSTOP)
        }

        /// Takes the device away.
        public func unplug() async throws {
            for module in modules.reversed() { _ = try? await server.pactl(["unload-module", module]) }
            try await picture?.end()
            sound?.signal(SIGKILL)
            _ = try await sound?.exitStatus()
        }
    }

    /// Everything the server has, in pw-dump's JSON. While objects come and go it may print a second list after the first; then it is
    /// asked again.
    private func dump() async throws -> Any {
        var attempts = 0
        while true {
            let process = try run("pw-dump", [])
            guard try await process.exitStatus() == 0 else { throw Overdue("pw-dump: \(process.errors)") }
            do {
                return try JSONSerialization.jsonObject(with: Data(process.lines.joined(separator: "\n").utf8))
            } catch {
                attempts += 1
                guard attempts < 20 else { throw error }
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    /// What a process records, films and plays now, as the server sees it: classes such as `Stream/Input/Video`, sorted.
    public func streams(of processID: Int32) async throws -> [String] {
        try await streamObjects(of: processID).map(\.kind).sorted()
    }

    /// What a stream of a process is for, as it says itself; nil where there is no such stream, empty where it says nothing.
    ///
    /// - Parameter kind: its class, such as `Stream/Input/Audio`.
    public func role(of kind: String, of processID: Int32) async throws -> String? {
        try await streamObjects(of: processID).first { $0.kind == kind }.map { $0.texts["media.role"] ?? "" }
    }

    /// Ends what a process plays, or what it records, as the server does to a stream that it can't serve any more.
    public func end(_ kind: String = "Stream/Output/Audio", of processID: Int32) async throws {
        for stream in try await streamObjects(of: processID) where stream.kind == kind {
            let process = try run("pw-cli", ["destroy", "\(stream.id)"])
            guard try await process.exitStatus() == 0 else { throw Overdue("pw-cli destroy: \(process.errors)") }
        }
    }

    private func streamObjects(of processID: Int32) async throws -> [(id: Int, kind: String, texts: [String: String])] {
        let objects = (try await dump() as? [[String: Any]] ?? []).compactMap { object in
            (object["id"] as? Int).map { id in
                (id: id, properties: (object["info"] as? [String: Any])?["props"] as? [String: Any] ?? [:])
            }
        }
        // A stream names its process, or its client does.
        let isOurs: ([String: Any]) -> Bool = { properties in
            ["application.process.id", "pipewire.sec.pid"].contains {
                properties[$0] as? Int == Int(processID) || properties[$0] as? String == String(processID)
            }
        }
        let clients = objects.filter { isOurs($0.properties) }.map(\.id)
        return objects.compactMap { object in
            let properties = object.properties
            guard let kind = properties["media.class"] as? String, kind.hasPrefix("Stream/"),
                isOurs(properties) || (properties["client.id"] as? Int).map(clients.contains) == true
            else { return nil }
            return (object.id, kind, properties.compactMapValues { $0 as? String })
        }
    }

    /// The texts among the properties of what a process plays now.
    public func playback(of processID: Int32) async throws -> [[String: String]] {
        try await streamObjects(of: processID).filter { $0.kind == "Stream/Output/Audio" }.map(\.texts)
    }

    /// Plugs in a camera that shows one colour (0xRRGGBB).
    public func plugCamera(_ name: String, colour: UInt32) async throws -> Device {
        try await plugCamera(name, seeing: .colour(colour), width: 640, height: 480)
    }

    /// Plugs in a camera of this many pixels, before which something is held.
    public func plugCamera(_ name: String, seeing subject: VirtualPicture.Subject, width: Int, height: Int)
        async throws -> Device
    {
        let picture = try await VirtualPicture(
            name.lowercased(), of: subject, caps: "format=YUY2,width=\(width),height=\(height)",
            properties: ["media.role=Camera", "node.description=\(name)"], start: run)
        return Device(name, self, picture: picture)
    }

    /// Something that a microphone hears.
    public struct Sound: Sendable {
        fileprivate let pipeline: [String]

        /// A tone in Hz; `volume` 1 is full scale.
        public static func tone(_ frequency: Int, volume: Double = 0.2) -> Sound {
            Sound(["freq=\(frequency)", "volume=\(volume)"])
        }

        /// Steady noise.
        public static func noise(volume: Double) -> Sound { Sound(["wave=pink-noise", "volume=\(volume)"]) }

        private init(_ properties: [String]) {
            pipeline = ["audiotestsrc", "is-live=true", "samplesperbuffer=480"] + properties
        }
    }

    /// Plugs in a microphone that hears a sound, or with nil nothing.
    public func plugMicrophone(_ name: String, hearing sound: Sound?) async throws -> Device {
        var modules = [try await loadSink(wire(name))]
        modules.append(try await loadSource(name, from: wire(name)))
        let playing = try sound.map { sound in
            try run(
                "gst-launch-1.0",
                ["-q"] + sound.pipeline + [
                    "!", "audioconvert", "!", "audio/x-raw,format=S16LE,rate=48000,channels=1", "!", "pulsesink",
                    "device=\(wire(name))", "buffer-time=40000", "latency-time=10000",
                ])
        }
        return Device(name, self, sound: playing, modules: modules)
    }

    /// Plugs in a microphone that hears a loudspeaker, as in a room, some milliseconds later than both say.
    public func plugMicrophone(_ name: String, in room: Device, delay: Int) async throws -> Device {
        var modules = [try await loadSink(wire(name))]
        modules.append(
            try await load(
                "module-loopback", "source=\(room.name.lowercased()).monitor", "sink=\(wire(name))",
                "latency_msec=\(delay)"))
        modules.append(try await loadSource(name, from: wire(name)))
        return Device(name, self, modules: modules)
    }

    /// Plugs in a microphone without sound and a loudspeaker that are PipeWire's own, and stay as they are when PulseAudio's interface goes.
    public func plugLastingDevices(microphone: String, speaker: String) async throws {
        for (name, kind) in [(microphone, "Audio/Source/Virtual"), (speaker, "Audio/Sink")] {
            let properties = """
                { factory.name = support.null-audio-sink node.name = \(name.lowercased()) node.description = \(name) \
                media.class = \(kind) object.linger = true audio.position = [ FL FR ] }
                """
            let process = try run("pw-cli", ["create-node", "adapter", properties])
            guard try await process.exitStatus() == 0 else { throw Overdue("pw-cli: \(process.errors)") }
        }
    }

    /// Takes the devices of ``plugLastingDevices(microphone:speaker:)`` away.
    public func unplugLastingDevices(_ names: [String]) async throws {
        for object in try await dump() as? [[String: Any]] ?? [] {
            let properties = (object["info"] as? [String: Any])?["props"] as? [String: Any]
            guard let id = object["id"] as? Int, let name = properties?["node.name"] as? String,
                names.contains(where: { $0.lowercased() == name })
            else { continue }
            _ = try await run("pw-cli", ["destroy", "\(id)"]).exitStatus()
        }
    }

    /// Plugs in a loudspeaker; with `isStandard` it is the standard one from now on. Otherwise that may be the wire of a
    /// microphone, which then hears the other side.
    public func plugSpeaker(_ name: String, isStandard: Bool) async throws -> Device {
        let module = try await loadSink(name)
        if isStandard { _ = try await pactl(["set-default-sink", name.lowercased()]) }
        return Device(name, self, modules: [module])
    }

    /// The camera is the standard one from now on, as a person says in the desktop's settings. Said again until the session manager has
    /// taken it: once it had not after a minute.
    public func setStandard(camera: String) async throws {
        let choice = "default.configured.video.source"
        try await waitUntil("the session manager takes \(camera)") {
            // The same once more would be no news to it.
            _ = try await metadata(["-d", "0", choice])
            _ = try await metadata(["0", choice, "{ \"name\": \"\(camera.lowercased())\" }", "Spa:String:JSON"])
            let end = Instant.now + .seconds(5)
            while try await !isStandard(camera: camera) {
                guard Instant.now < end else { return false }
                try await Task.sleep(for: .milliseconds(20))
            }
            return true
        }
    }

    /// Whether the session manager has this camera as the standard one now.
    public func isStandard(camera: String) async throws -> Bool {
        try await metadata(["0", "default.video.source"]).contains("\"\(camera.lowercased())\"")
    }

    private func metadata(_ words: [String]) async throws -> String {
        let process = try run("pw-metadata", words)
        guard try await process.exitStatus() == 0 else { throw Overdue("pw-metadata: \(process.errors)") }
        return process.lines.joined(separator: "\n")
    }

    /// Mutes a microphone, or no longer, as the desktop's mixer does.
    public func setMuted(_ isMuted: Bool, microphone: String) async throws {
        _ = try await pactl(["set-source-mute", microphone.lowercased(), isMuted ? "1" : "0"])
    }

    /// Whether a microphone is muted.
    public func isMuted(microphone: String) async throws -> Bool {
        try await pactl(["get-source-mute", microphone.lowercased()]).hasSuffix("yes")
    }

    private func wire(_ microphone: String) -> String { "wire-\(microphone.lowercased())" }

    private func loadSink(_ name: String) async throws -> String {
        try await load(
            "module-null-sink", "sink_name=\(name.lowercased())", "sink_properties=device.description=\(name)")
    }

    private func loadSource(_ name: String, from sink: String) async throws -> String {
        try await load(
            "module-remap-source", "master=\(sink).monitor", "source_name=\(name.lowercased())", "channels=1",
            "source_properties=device.description=\(name)")
    }

    private func load(_ arguments: String...) async throws -> String { try await pactl(["load-module"] + arguments) }

    fileprivate func pactl(_ arguments: [String]) async throws -> String {
        let process = try run("pactl", arguments)
        guard try await process.exitStatus() == 0 else { throw Overdue("pactl \(arguments): \(process.errors)") }
        return process.lines.first ?? ""
    }

    private func pactlWhenReady(_ arguments: [String]) async throws -> String {
        for _ in 0..<600 {
            if let answer = try? await pactl(arguments) { return answer }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw Overdue("PulseAudio's interface does not come back")
    }

    private func run(_ program: String, _ arguments: [String]) throws -> ChildProcess {
        try ChildProcess(
            "/usr/bin/env", settings + ["XDG_RUNTIME_DIR=\(folder.path)/run", program] + arguments,
            folder: folder.path)
    }
}
