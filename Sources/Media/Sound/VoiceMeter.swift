import BaseKit
import CGStreamer
import MediaRules

/// Listens to the peer's voice as it was decoded, whatever loudspeaker plays it: for the ring around their face. Measures only while
/// somebody looks.
final class VoiceMeter: Sendable {
    private struct State {
        // Two channels of 48 kHz.
        var meter = LevelMeter(rate: 96_000)
        var ring = SpeakingRing()
    }

    private let state = Lock(State())
    private let told = Broadcaster<Int>()

    /// Steps from 0 to 3, each time there is another one; a reader that is slow misses some.
    func steps() -> AsyncStream<Int> {
        let ring = state.withLock { $0.ring.step }
        return told.stream(beginning: [ring], buffering: .bufferingNewest(1))
    }

    /// Measures 16-bit sound of 48 kHz. On the streaming thread.
    func measure(_ buffer: UnsafeMutablePointer<GstBuffer>) {
        guard told.isHeard else { return }
        var map = GstMapInfo()
        guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return }
        defer { gst_buffer_unmap(buffer, &map) }
        nonisolated(unsafe) let samples = UnsafeRawBufferPointer(start: map.data, count: Int(map.size))
            .bindMemory(to: Int16.self)  // read inside this call only
        state.withLock { state in
            guard let level = state.meter.add(samples), let step = state.ring.add(level) else { return }
            told.send(step)
        }
    }

    /// Nothing of the voice comes any more.
    func fallSilent() { state.withLock { state in if let step = state.ring.fallSilent() { told.send(step) } } }

    /// Ends all streams.
    func finish() { told.finish() }
}
