import BaseKit
import CGStreamer
import Foundation
import Media
import Synchronization

/// A sound server of one end's own, with a mouth, whose sound its only microphone hears, and an ear, its only loudspeaker.
final class SoundRoom: Sendable {
    private let program: PipedProgram
    private let folder: String
    private let player = Mutex<GstRun?>(nil)

    /// Starts it. Throws ``BenchError``.
    init(in folder: String) async throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/pulseaudio") else {
            throw BenchError.soundServerMissing
        }
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

    /// Says when beeps begin, in milliseconds of the system's clock, at the mouth of one room and at the ear of another.
    static func listen(mouth: SoundRoom, ear: SoundRoom, seconds: Double) async throws -> (
        spoken: [Double], heard: [Double]
    ) {
        let found = Mutex<[String: [Double]]>([:])
        func source(_ room: SoundRoom, _ name: String) -> String {
            """
            pulsesrc server=\(room.server) device=\(name).monitor buffer-time=40000 latency-time=5000 ! \
            audio/x-raw,format=S16LE,rate=48000,channels=1 ! appsink name=\(name) sync=false max-buffers=100
            """
        }
        let run = try GstRun(source(mouth, "mouth") + " " + source(ear, "ear"))
        // The pipeline's clock is the monotonic one.
        let offset = Date().timeIntervalSince1970 * 1_000 - Instant.now.sinceBoot
        let detectors = Mutex<[String: BeepDetector]>([:])
        for name in ["mouth", "ear"] {
            run.read(name) { samples, time in
                let onsets = detectors.withLock {
                    $0[name, default: BeepDetector()].feed(samples, at: time + offset, rate: 48_000)
                }
                found.withLock { $0[name, default: []] += onsets }
            }
        }
        try await Task.sleep(for: .seconds(seconds))
        run.stop()
        return found.withLock { ($0["mouth"] ?? [], $0["ear"] ?? []) }
    }

    func stop() {
        player.withLock { $0 }?.stop()
        program.stop()
    }
}

/// A running pipeline on the system's clock. Unchecked: GStreamer locks its objects inside.
final class GstRun: @unchecked Sendable {
    private let pipeline: UnsafeMutablePointer<GstElement>
    private let isStopped = Mutex(false)

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

    /// Gives the samples of each piece with its time in milliseconds of the monotonic clock, on a thread of its own.
    func read(_ name: String, _ body: @escaping @Sendable (UnsafeBufferPointer<Int16>, Double) -> Void) {
        let bin = UnsafeMutableRawPointer(pipeline).assumingMemoryBound(to: GstBin.self)
        guard let sink = gst_bin_get_by_name(bin, name) else { return }
        // GStreamer locks its objects inside, and this reference belongs to the thread that gives it back.
        nonisolated(unsafe) let element = UnsafeMutableRawPointer(sink)
        Thread.detachNewThread { [self] in
            defer { gst_object_unref(element) }
            let sink = element.assumingMemoryBound(to: GstAppSink.self)
            while let sample = gst_app_sink_pull_sample(sink) {
                defer { gst_sample_unref(sample) }
                guard let buffer = gst_sample_get_buffer(sample) else { continue }
                var map = GstMapInfo()
                guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { continue }
                let base = gst_element_get_base_time(pipeline)
                let time = Double(buffer.pointee.pts + base) / 1_000_000
                body(UnsafeRawBufferPointer(start: map.data, count: Int(map.size)).bindMemory(to: Int16.self), time)
                gst_buffer_unmap(buffer, &map)
            }
        }
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

extension Instant {
    /// Milliseconds of the monotonic clock.
    fileprivate var sinceBoot: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1_000_000
    }
}
