import BaseKit
import CGStreamer
import CPulse
import GLibKit
import Glibc
import MediaRules
import Synchronization

/// What the other programs of this machine play, each taken by itself from the sound server, and mixed.
///
/// Taking the loudspeaker's monitor instead would send the peer its own voice back. The server is spoken to in the protocol
/// of PulseAudio, which PipeWire speaks too: there each playing program is a "sink input" that can be recorded alone.
///
/// Unchecked: everything of the sound server's is touched under the lock of its loop only.
final class SystemSound: @unchecked Sendable {
    /// Milliseconds of sound that are passed on at a time.
    static let piece = 20

    private let loop: OpaquePointer
    private let context: OpaquePointer
    private let ownProcess: Int32
    private let mix = Lock(SoundMix())
    private var streams: [UInt32: (stream: OpaquePointer, reader: UnsafeMutableRawPointer)] = [:]
    private var isClosed = false
    private let isFreed = Atomic(false)
    private var pace: Task<Void, Never>?
    private let onEnd: @Sendable () -> Void

    /// What a stream's callback calls with the stream.
    private typealias Reader = @Sendable (OpaquePointer) -> Void

    /// Connects to the sound server, nil for the person's own, and listens. Blocks. `ownProcess` is left out; `onEnd` is called
    /// when the server goes.
    /// Throws ``MediaError/device(_:)``.
    init(
        inlet: FrameInlet, server: String? = nil, ownProcess: Int32 = getpid(), onEnd: @escaping @Sendable () -> Void
    ) throws(MediaError) {
        guard let loop = pa_threaded_mainloop_new() else { throw Self.missing }
        guard let context = pa_context_new(pa_threaded_mainloop_get_api(loop), "Parley screen sound") else {
            pa_threaded_mainloop_free(loop)
            throw Self.missing
        }
        (self.loop, self.context, self.ownProcess, self.onEnd) = (loop, context, ownProcess, onEnd)
        guard connect(to: server) else {
            close()
            throw Self.missing
        }
        let caps = Caps("audio/x-raw,format=S16LE,rate=48000,channels=2,layout=interleaved")
        let pace = Task { [weak self] in
            var next = Instant.now
            while !Task.isCancelled {
                next += .milliseconds(Self.piece)
                try? await Task.sleep(for: next - .now)
                guard let self, let caps else { return }
                pass(to: inlet, caps)
            }
        }
        pa_threaded_mainloop_lock(loop)
        self.pace = pace
        pa_threaded_mainloop_unlock(loop)
    }

    private static let missing = MediaError.device(.systemSound)

    deinit { close() }

    /// Ends it.
    func close() {
        // Once: the loop is gone afterwards.
        guard !isFreed.exchange(true, ordering: .relaxed) else { return }
        pa_threaded_mainloop_lock(loop)
        isClosed = true
        pace?.cancel()
        for program in Array(streams.keys) { forget(program) }
        pa_context_set_state_callback(context, nil, nil)
        pa_context_set_subscribe_callback(context, nil, nil)
        pa_context_disconnect(context)
        pa_context_unref(context)
        pa_threaded_mainloop_unlock(loop)
        pa_threaded_mainloop_stop(loop)
        pa_threaded_mainloop_free(loop)
    }

    /// Passes the next piece on.
    private func pass(to inlet: FrameInlet, _ caps: Caps) {
        guard let samples = mix.withLock({ $0.take(frames: 48 * Self.piece) }) else { return }
        let made = samples.withUnsafeBytes { gst_buffer_new_memdup($0.baseAddress, gsize($0.count)) }
        guard let made else { return }
        made.pointee.duration = GstClockTime(Self.piece * 1_000_000)
        inlet.push(made, caps: caps.boxed.pointer())
        gst_buffer_unref(made)
    }

    // MARK: The sound server

    private func connect(to server: String?) -> Bool {
        let itself = Unmanaged.passUnretained(self).toOpaque()
        pa_context_set_state_callback(
            context, { @Sendable _, data in data.map { SystemSound.of($0).stateChanged() } }, itself)
        guard pa_context_connect(context, server, PA_CONTEXT_NOAUTOSPAWN, nil) >= 0,
            pa_threaded_mainloop_start(loop) >= 0
        else { return false }
        pa_threaded_mainloop_lock(loop)
        defer { pa_threaded_mainloop_unlock(loop) }
        while !Self.isOver(pa_context_get_state(context)) {
            if pa_context_get_state(context) == PA_CONTEXT_READY { return listen(itself) }
            pa_threaded_mainloop_wait(loop)
        }
        return false
    }

    private func listen(_ itself: UnsafeMutableRawPointer) -> Bool {
        pa_context_set_subscribe_callback(
            context,
            { @Sendable _, event, program, data in
                data.map {
                    SystemSound.of($0).changed(program, event.rawValue & PA_SUBSCRIPTION_EVENT_TYPE_MASK.rawValue)
                }
            }, itself)
        SoundServerWatch.forget(pa_context_subscribe(context, PA_SUBSCRIPTION_MASK_SINK_INPUT, nil, nil))
        SoundServerWatch.forget(pa_context_get_sink_input_info_list(context, Self.found, itself))
        return true
    }

    private static let found: pa_sink_input_info_cb_t = { @Sendable _, info, _, data in
        guard let data, let info = info?.pointee else { return }
        let process = pa_proplist_gets(info.proplist, "application.process.id").flatMap { Int32(String(cString: $0)) }
        SystemSound.of(data).record(info.index, process: process)
    }

    private static func of(_ data: UnsafeMutableRawPointer) -> SystemSound {
        Unmanaged<SystemSound>.fromOpaque(data).takeUnretainedValue()
    }

    private static func isOver(_ state: pa_context_state_t) -> Bool {
        state == PA_CONTEXT_FAILED || state == PA_CONTEXT_TERMINATED
    }

    private func stateChanged() {
        pa_threaded_mainloop_signal(loop, 0)
        if !isClosed, pace != nil, Self.isOver(pa_context_get_state(context)) { onEnd() }
    }

    private func changed(_ program: UInt32, _ event: UInt32) {
        switch event {
        case PA_SUBSCRIPTION_EVENT_NEW.rawValue:
            let itself = Unmanaged.passUnretained(self).toOpaque()
            SoundServerWatch.forget(pa_context_get_sink_input_info(context, program, Self.found, itself))
        case PA_SUBSCRIPTION_EVENT_REMOVE.rawValue: forget(program)
        default: break
        }
    }

    private func record(_ program: UInt32, process: Int32?) {
        guard !isClosed, process != ownProcess, streams[program] == nil else { return }
        var format = pa_sample_spec(format: PA_SAMPLE_S16LE, rate: 48_000, channels: UInt8(SoundMix.channels))
        guard let stream = pa_stream_new(context, "Shared sound", &format, nil) else { return }
        let read: Reader = { [weak self] in self?.read($0, of: program) }
        let reader = CallbackData.keeping(read)
        pa_stream_set_monitor_stream(stream, program)
        pa_stream_set_read_callback(
            stream,
            { @Sendable stream, _, data in
                guard let stream, let data else { return }
                CallbackData.value(Reader.self, at: data)(stream)
            }, reader)
        var buffering = pa_buffer_attr(
            maxlength: .max, tlength: .max, prebuf: .max, minreq: .max,
            fragsize: UInt32(48 * Self.piece * SoundMix.channels * 2))
        let flags = pa_stream_flags_t(PA_STREAM_ADJUST_LATENCY.rawValue | PA_STREAM_DONT_MOVE.rawValue)
        guard pa_stream_connect_record(stream, nil, &buffering, flags) >= 0 else {
            pa_stream_unref(stream)
            return CallbackData.release(reader)
        }
        streams[program] = (stream, reader)
        mix.withLock { $0.add(program) }
    }

    private func read(_ stream: OpaquePointer, of program: UInt32) {
        while pa_stream_readable_size(stream) > 0 {
            var (data, count): (UnsafeRawPointer?, Int) = (nil, 0)
            guard pa_stream_peek(stream, &data, &count) >= 0, count > 0 else { return }
            if let data {
                let samples = UnsafeRawBufferPointer(start: data, count: count / 4 * 4).bindMemory(to: Int16.self)
                mix.withLock { $0.append(samples, of: program) }
            }
            pa_stream_drop(stream)
        }
    }

    private func forget(_ program: UInt32) {
        guard let (stream, reader) = streams.removeValue(forKey: program) else { return }
        pa_stream_set_read_callback(stream, nil, nil)
        pa_stream_disconnect(stream)
        pa_stream_unref(stream)
        CallbackData.release(reader)
        mix.withLock { $0.remove(program) }
    }
}
