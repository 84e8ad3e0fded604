import CGStreamer
import MediaRules
import Synchronization

/// Listens to the microphone as it is, before anything is done with its sound: for the level meter, and for silence.
final class MicrophoneMeter: Sendable {
    private struct State {
        var meter = LevelMeter()
        var detector = SilenceDetector()
        var isMuted = false
        var next = 0
        var listeners: [Int: AsyncStream<Double>.Continuation] = [:]
        var isFinished = false
    }

    private let state = Mutex(State())
    private let onSilence: @Sendable (Bool) -> Void

    /// `onSilence` is called, on any thread, when the microphone stays silent and when it no longer does.
    init(onSilence: @escaping @Sendable (Bool) -> Void) { self.onSilence = onSilence }

    /// Levels from 0 to 1, at most 20 a second; a reader that is slow misses some.
    func levels() -> AsyncStream<Double> {
        let (stream, continuation) = AsyncStream<Double>.makeStream(bufferingPolicy: .bufferingNewest(1))
        state.withLock { state in
            guard !state.isFinished else { return continuation.finish() }
            state.next += 1
            let listener = state.next
            state.listeners[listener] = continuation
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { _ = $0.listeners.removeValue(forKey: listener) }
            }
        }
        return stream
    }

    /// Takes 16-bit sound of 48 kHz in one channel. On the streaming thread.
    func take(_ buffer: UnsafeMutablePointer<GstBuffer>) {
        var map = GstMapInfo()
        guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return }
        defer { gst_buffer_unmap(buffer, &map) }
        let samples = UnsafeRawBufferPointer(start: map.data, count: Int(map.size)).bindMemory(to: Int16.self)
        take(samples)
    }

    func take(_ samples: UnsafeBufferPointer<Int16>) {
        nonisolated(unsafe) let samples = samples  // read inside this call only
        let (news, level, listeners) = state.withLock { state -> (Bool?, Double, [AsyncStream<Double>.Continuation]) in
            guard let level = state.meter.add(samples) else { return (nil, 0, []) }
            let news = state.isMuted ? nil : state.detector.add(level, seconds: 0.05)
            return (news, state.isMuted ? 0 : level.fraction, Array(state.listeners.values))
        }
        for listener in listeners { listener.yield(level) }
        if let news { onSilence(news) }
    }

    /// Whether the person has muted the microphone: then silence is what they want.
    func setMuted(_ isMuted: Bool) {
        let (news, listeners) = state.withLock { state in
            state.isMuted = isMuted
            return (state.detector.reset(), Array(state.listeners.values))
        }
        for listener in listeners where isMuted { listener.yield(0) }
        if let news { onSilence(news) }
    }

    /// Begins anew, as with another microphone.
    func reset() {
        if let news = state.withLock({ $0.detector.reset() }) { onSilence(news) }
    }

    /// Ends all streams.
    func finish() {
        let listeners = state.withLock { state in
            defer { (state.listeners, state.isFinished) = ([:], true) }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }
}
