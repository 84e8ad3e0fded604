import CPulse
import Foundation
import GLibKit

/// Hears what comes to a source of a sound server.
///
/// Each piece has the time at which it is to be heard at the loudspeaker, or was at the microphone, as the server reckons it: that of its
/// arrival alone would be wrong by the length of buffers, and that of a loudspeaker's monitor comes before anybody hears it.
///
/// Unchecked: everything of the sound server's is touched under the lock of its loop only.
final class MonitorListener: @unchecked Sendable {
    /// Gets a piece of one channel, and the time of its first sample in milliseconds of the system's clock.
    typealias Handler = @Sendable (UnsafeBufferPointer<Int16>, Double) -> Void

    static let rate = 48_000
    private let loop: OpaquePointer
    private let context: OpaquePointer
    private var stream: OpaquePointer?
    private let handler: UnsafeMutableRawPointer

    /// Listens from now on, on a thread of its own. Throws ``BenchError/call(_:)``.
    init(server: String, source: String, body: @escaping Handler) throws {
        guard let loop = pa_threaded_mainloop_new(),
            let context = pa_context_new(pa_threaded_mainloop_get_api(loop), "Parley bench")
        else { throw BenchError.call("no connection to the sound server can be made") }
        (self.loop, self.context) = (loop, context)
        handler = CallbackData.keeping(body)
        guard pa_context_connect(context, server, PA_CONTEXT_NOAUTOSPAWN, nil) >= 0,
            pa_threaded_mainloop_start(loop) >= 0
        else { throw BenchError.call("the sound server can't be reached") }
        try wait { pa_context_get_state(context) == PA_CONTEXT_READY }
        pa_threaded_mainloop_lock(loop)
        var format = pa_sample_spec(format: PA_SAMPLE_S16LE, rate: UInt32(Self.rate), channels: 1)
        stream = pa_stream_new(context, "monitor", &format, nil)
        if let stream {
            pa_stream_set_read_callback(
                stream, { stream, _, data in MonitorListener.read(stream, data) }, handler)
            let whole = UInt32.max
            var buffers = pa_buffer_attr(
                maxlength: whole, tlength: whole, prebuf: whole, minreq: whole, fragsize: UInt32(Self.rate / 100))
            let flags =
                PA_STREAM_ADJUST_LATENCY.rawValue | PA_STREAM_INTERPOLATE_TIMING.rawValue
                | PA_STREAM_AUTO_TIMING_UPDATE.rawValue
            pa_stream_connect_record(stream, source, &buffers, pa_stream_flags_t(rawValue: flags))
        }
        pa_threaded_mainloop_unlock(loop)
        try wait { [stream] in stream.map { pa_stream_get_state($0) == PA_STREAM_READY } ?? false }
    }

    /// Nothing is heard any more.
    func stop() {
        pa_threaded_mainloop_lock(loop)
        if let stream {
            pa_stream_set_read_callback(stream, nil, nil)
            pa_stream_disconnect(stream)
            pa_stream_unref(stream)
        }
        stream = nil
        pa_context_disconnect(context)
        pa_threaded_mainloop_unlock(loop)
        pa_threaded_mainloop_stop(loop)
    }

    deinit {
        // What could not be made whole was not stopped.
        stop()
        pa_context_unref(context)
        pa_threaded_mainloop_free(loop)
        CallbackData.release(handler)
    }

    private func wait(until condition: () -> Bool) throws {
        for _ in 0..<1_000 {
            pa_threaded_mainloop_lock(loop)
            let isMet = condition()
            pa_threaded_mainloop_unlock(loop)
            if isMet { return }
            usleep(5_000)
        }
        throw BenchError.call("the sound server does not answer")
    }

    private static func read(_ stream: OpaquePointer?, _ data: UnsafeMutableRawPointer?) {
        guard let stream, let data else { return }
        let handler = CallbackData.value(Handler.self, at: data)
        while pa_stream_readable_size(stream) > 0 {
            var (bytes, count, latency, isNegative) = (UnsafeRawPointer?.none, 0, pa_usec_t(0), Int32(0))
            guard pa_stream_peek(stream, &bytes, &count) >= 0, count > 0 else { return }
            defer { pa_stream_drop(stream) }
            // Neither holes nor what comes before the server has told its times.
            guard let bytes, pa_stream_get_latency(stream, &latency, &isNegative) >= 0 else { continue }
            let age = Double(latency) / 1_000 * (isNegative != 0 ? -1 : 1)
            handler(
                UnsafeRawBufferPointer(start: bytes, count: count).bindMemory(to: Int16.self),
                Date().timeIntervalSince1970 * 1_000 - age)
        }
    }
}
