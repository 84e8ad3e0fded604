import BaseKit
import CGStreamer
import Glibc
import Synchronization

@testable import Media
@testable import MediaRules

/// Records a source of PulseAudio and tells which tone it hears.
final class RecordedTone: Sendable {
    private let pipeline: Pipeline
    private let heard = Shared(Tone())
    private let recent = Shared<[Int16]>([])

    /// What the last piece was.
    struct Tone: Sendable {
        /// Root mean square; 1 is full scale.
        var level = 0.0
        /// Zero crossings as a frequency in Hz.
        var frequency = 0.0
    }

    /// Records what a loudspeaker plays.
    convenience init(of speaker: MediaDevice) throws { try self.init(source: speaker.id + ".monitor") }

    private init(source: String) throws {
        pipeline = try Pipeline { _ in }
        let chain = try Element.bin(
            """
            pulsesrc device=\(source) ! audioconvert ! audioresample ! audio/x-raw,format=S16LE,rate=48000,channels=1 ! \
            appsink name=out sync=false
            """)
        pipeline.element.add(chain)
        try chain.child("out").onSample { [heard, recent] sample in
            recent.value = recent.value.suffix(Self.remembered) + sample.samples
            if let tone = Tone(sample) { heard.value = tone }
        }
        pipeline.element.setState(GST_STATE_PLAYING)
    }

    var tone: Tone { heard.value }

    /// How many samples of before the last piece are kept: a tenth of a second.
    private static let remembered = 4_800

    /// How strong a tone was among others in the last tenth of a second; 1 is full scale.
    func strength(of frequency: Double) -> Double { recent.value.strength(of: frequency) }

    func stop() { pipeline.close() }
}

extension RecordedTone.Tone {
    init?(_ sample: Sample) {
        var map = GstMapInfo()
        guard gst_buffer_map(sample.buffer, &map, GST_MAP_READ) != 0 else { return nil }
        defer { gst_buffer_unmap(sample.buffer, &map) }
        let samples = UnsafeRawBufferPointer(start: map.data, count: Int(map.size)).bindMemory(to: Int16.self)
        guard samples.count > 100 else { return nil }
        let sum = samples.reduce(0.0) { $0 + Double($1) * Double($1) }
        level = (sum / Double(samples.count)).squareRoot() / 32_768
        let crossings = zip(samples, samples.dropFirst()).count { ($0 < 0) != ($1 < 0) }
        frequency = Double(crossings) / 2 / (Double(samples.count) / 48_000)
    }

    /// Whether it is loud enough to be heard and is this tone.
    func isTone(_ wanted: Double) -> Bool { level > 0.005 && abs(frequency - wanted) < wanted / 10 }
}

extension SoundMeter {
    /// Whether it is loud enough to be heard and is this tone.
    func hears(_ wanted: Double) -> Bool { level > 0.005 && abs(frequency - wanted) < wanted / 10 }
}
