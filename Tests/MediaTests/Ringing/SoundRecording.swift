import BaseKit
import CGStreamer
import Synchronization
import TestSupport

@testable import Media
@testable import MediaRules

/// Records all that a loudspeaker plays: 48 000 samples a second, of two channels the left one.
///
/// Not one channel: the sound server would mix both, and louder than they are.
final class SoundRecording: Sendable {
    private struct State: Sendable {
        var samples: [Int16] = []
        /// The number of the sample that was played when the clock began, as the piece that came fastest tells it.
        var origin = -Double.infinity
    }

    private let pipeline: Pipeline
    private let state: Mutex<State>

    /// Begins; returns once the recording runs.
    init(of speaker: MediaDevice) async throws {
        state = Mutex(State())
        pipeline = try Pipeline { _ in }
        let chain = try Element.bin(
            """
            pulsesrc device=\(speaker.id).monitor latency-time=10000 buffer-time=200000 ! audioconvert ! audioresample ! \
            audio/x-raw,format=S16LE,rate=48000,channels=2 ! appsink name=out sync=false
            """)
        pipeline.element.add(chain)
        try chain.child("out").onSample { [weak self] in self?.hear($0) }
        pipeline.element.setState(GST_STATE_PLAYING)
        try await waitUntil("something is recorded") { self.count > 4_800 }
    }

    deinit { pipeline.close() }

    /// How many samples there are so far.
    var count: Int { state.withLock { $0.samples.count } }

    /// The samples so far.
    var samples: [Int16] { state.withLock { $0.samples } }

    /// The number of the sample that is played now. By the fastest of all pieces: others came late because the machine is busy.
    var now: Int { Int(Instant.now.sinceStart.inSeconds * 48_000 + state.withLock { $0.origin }) }

    /// The root mean square of the last tenth of a second; 1 is full scale.
    var level: Double { Self.level(samples.suffix(4_800)) }

    /// The root mean square of the last tenths of a second, once it has been the same in three of them.
    var steadyLevel: Double? {
        let last = samples.suffix(14_400)
        let levels = stride(from: last.startIndex, to: last.endIndex, by: 4_800).map { begin in
            Self.level(last[begin..<min(begin + 4_800, last.endIndex)])
        }
        guard let least = levels.min(), let most = levels.max(), most - least < 0.003 else { return nil }
        return most
    }

    /// The root mean square of samples; 1 is full scale.
    static func level(_ samples: some Collection<Int16>) -> Double {
        (samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(samples.count, 1))).squareRoot() / 32_768
    }

    /// Waits until so much has been recorded after a sample.
    func wait(_ time: Duration, after sample: Int) async throws {
        let end = sample + Int(time.inSeconds * 48_000)
        try await waitUntil("sample \(end) is recorded") { count >= end }
    }

    /// Waits until something is heard.
    func waitForSound(above level: Double = 0.005) async throws {
        try await waitUntil("a sound is heard", within: .seconds(60)) { self.level > level }
    }

    func stop() { pipeline.close() }

    private func hear(_ sample: Sample) {
        var map = GstMapInfo()
        guard gst_buffer_map(sample.buffer, &map, GST_MAP_READ) != 0 else { return }
        defer { gst_buffer_unmap(sample.buffer, &map) }
        let piece = UnsafeRawBufferPointer(start: map.data, count: Int(map.size)).bindMemory(to: Int16.self)
        state.withLock { state in
            state.samples += stride(from: 0, to: piece.count, by: 2).map { piece[$0] }
            let origin = Double(state.samples.count) - Instant.now.sinceStart.inSeconds * 48_000
            state.origin = max(state.origin, origin)
        }
    }
}
