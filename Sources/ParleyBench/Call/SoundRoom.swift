import BaseKit
import CGStreamer
import Foundation
import Media

/// A sound server of one end's own, with a mouth, whose sound its only microphone hears, and an ear, its only loudspeaker.
final class SoundRoom: Sendable {
    private let program: PipedProgram
    private let folder: String
    private let player = Lock<GstRun?>(nil)

    /// Whether the sound server is installed.
    static var isPossible: Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/pulseaudio") }

    /// Starts it. Throws ``BenchError``.
    init(in folder: String) async throws {
        guard Self.isPossible else { throw BenchError.soundServerMissing }
        self.folder = folder
        let settings = folder + "/sound.pa"
        try """
        load-module module-native-protocol-unix auth-anonymous=1 socket=\(folder)/sound
        load-module module-null-sink sink_name=mouth
        load-module module-null-sink sink_name=ear
        load-module module-remap-source master=mouth.monitor source_name=microphone
        set-default-sink ear
        set-default-source microphone

        """.write(toFile: settings, atomically: true, encoding: .utf8)
        program = try PipedProgram(
            [
                "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--disable-shm=yes",
                "--log-level=error", "-F", settings,
            ], environment: ["HOME": folder, "XDG_RUNTIME_DIR": folder, "PATH": "/usr/bin:/bin"],
            separator: UInt8(ascii: "\n")
        ) { _ in }
        let limit = Instant.now + .seconds(20)
        while !FileManager.default.fileExists(atPath: folder + "/sound") {
            guard Instant.now < limit else { throw BenchError.call("PulseAudio does not start") }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// What a program must have in its environment to hear this room and no other.
    func environment(home: String) -> [String: String] {
        var environment = ProcessInfo.processInfo.environment
        for name in ["DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "PIPEWIRE_REMOTE"] {
            environment[name] = nil
        }
        environment["HOME"] = home
        environment["XDG_RUNTIME_DIR"] = folder
        environment["PIPEWIRE_RUNTIME_DIR"] = folder
        environment["PULSE_SERVER"] = server
        // The list of elements is read anew for each empty home otherwise.
        environment["GST_REGISTRY"] = URL(filePath: folder).deletingLastPathComponent().path + "/elements"
        return environment
    }

    private var server: String { "unix:\(folder)/sound" }

    /// Has the mouth beep from now on.
    func speak() throws {
        let made = try GstRun(
            """
            \(CallFilm.beeps(isLive: true)) ! audio/x-raw,rate=48000,channels=1 ! \
            pulsesink server=\(server) device=mouth buffer-time=40000 latency-time=10000
            """)
        player.withLock { $0 = made }
    }

    /// Says when beeps are heard, in milliseconds of the system's clock, at the mouth of one room and at the ear of another.
    static func listen(mouth: SoundRoom, ear: SoundRoom, seconds: Double) async throws -> (
        spoken: [Double], heard: [Double]
    ) {
        func listener(_ room: SoundRoom, _ sink: String, _ found: Shared<(BeepDetector, [Double])>) throws
            -> MonitorListener
        {
            try MonitorListener(server: room.server, source: sink + ".monitor") { samples, time in
                found.change { $0.1 += $0.0.feed(samples, at: time, rate: MonitorListener.rate) }
            }
        }
        let (spoken, heard) = (Shared((BeepDetector(), [Double]())), Shared((BeepDetector(), [Double]())))
        let listeners = [try listener(mouth, "mouth", spoken), try listener(ear, "ear", heard)]
        defer { for listener in listeners { listener.stop() } }
        try await Task.sleep(for: .seconds(seconds))
        return (spoken.value.1, heard.value.1)
    }

    func stop() {
        player.withLock { $0 }?.stop()
        program.stop()
    }
}

/// A running pipeline on the system's clock. Unchecked: GStreamer locks its objects inside.
final class GstRun: @unchecked Sendable {
    private let pipeline: UnsafeMutablePointer<GstElement>
    private let isStopped = Lock(false)

    /// Starts it. Throws ``BenchError/call(_:)``.
    init(_ text: String) throws {
        try MediaRuntime.start()
        var error: UnsafeMutablePointer<GError>?
        let made = gst_parse_launch(text, &error)
        let reason = error.map { String(cString: $0.pointee.message) }
        g_clear_error(&error)
        guard let made, reason == nil, let clock = gst_system_clock_obtain() else {
            throw BenchError.call(reason ?? "no pipeline can be made")
        }
        pipeline = made
        gst_pipeline_use_clock(UnsafeMutableRawPointer(made).assumingMemoryBound(to: GstPipeline.self), clock)
        gst_object_unref(clock)
        gst_element_set_state(made, GST_STATE_PLAYING)
    }

    /// Ends it.
    func stop() {
        let wasStopped = isStopped.withLock { isStopped in
            defer { isStopped = true }
            return isStopped
        }
        guard !wasStopped else { return }
        gst_element_set_state(pipeline, GST_STATE_NULL)
    }

    deinit {
        stop()
        gst_object_unref(pipeline)
    }
}
