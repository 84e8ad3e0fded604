import BaseKit
import CGStreamer
import MediaRules

/// Listens to the microphone as it is, before anything is done with its sound: for the level meter, and for silence.
final class MicrophoneMeter: Sendable {
    private struct State {
        var meter = LevelMeter()
        var detector = SilenceDetector()
        var isMuted = false
    }

    private let state = Lock(State())
    private let told = Broadcaster<Double>()
    private let onSilence: @Sendable (Bool) -> Void

    /// `onSilence` is called, on any thread, when the microphone stays silent and when it no longer does.
    init(onSilence: @escaping @Sendable (Bool) -> Void) { self.onSilence = onSilence }

    /// Levels from 0 to 1, at most 20 a second; a reader that is slow misses some.
    func levels() -> AsyncStream<Double> { told.stream(buffering: .bufferingNewest(1)) }

    /// Measures 16-bit sound of 48 kHz in one channel. On the streaming thread.
    func measure(_ buffer: UnsafeMutablePointer<GstBuffer>) {
        var map = GstMapInfo()
        guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return }
        defer { gst_buffer_unmap(buffer, &map) }
        let samples = UnsafeRawBufferPointer(start: map.data, count: Int(map.size)).bindMemory(to: Int16.self)
        measure(samples)
    }

    func measure(_ samples: UnsafeBufferPointer<Int16>) {
        nonisolated(unsafe) let samples = samples  // read inside this call only
        let news = state.withLock { state -> Bool? in
            guard let level = state.meter.add(samples) else { return nil }
            told.send(state.isMuted ? 0 : level.fraction)
            return state.isMuted ? nil : state.detector.add(level, seconds: 0.05)
        }
        if let news { onSilence(news) }
    }

    /// Whether the person has muted the microphone: then silence is what they want.
    func setMuted(_ isMuted: Bool) {
        let news = state.withLock { state in
            state.isMuted = isMuted
            if isMuted { told.send(0) }
            return state.detector.reset()
        }
        if let news { onSilence(news) }
    }

    /// Begins anew, as with another microphone.
    func reset() {
        if let news = state.withLock({ $0.detector.reset() }) { onSilence(news) }
    }

    /// Ends all streams.
    func finish() { told.finish() }
}
