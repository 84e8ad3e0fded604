import CGStreamer
import GLibKit
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    /// The sound of other programs, against a real sound server.
    @Suite(.needs(ScreenDesktop.obstacle))
    struct SystemSoundTests {
        @Test func `other programs are heard, those that come later too, and this one never`() async throws {
            let desktop = try await ScreenDesktop(withSound: true)
            let early = try play(700, on: desktop)
            // Our own voice, as the call plays it.
            let own = try await MediaQueue.run { [server = desktop.soundServer] in try Tone.play(2_900, server: server)
            }
            let ear = try ToneEar()
            let sound = try await MediaQueue.run { [server = desktop.soundServer] in
                try SystemSound(inlet: ear.inlet, server: server) {}
            }
            try await waitUntil("the program that played before") { ear.strength(of: 700) > 0.02 }
            let late = try play(1_700, on: desktop)
            try await waitUntil("the program that came later") { ear.strength(of: 1_700) > 0.02 }
            #expect(ear.strength(of: 700) > 0.02)
            #expect(ear.strength(of: 2_900) < 0.002)
            late.signal(SIGKILL)
            try await waitUntil("its end") { ear.strength(of: 1_700) < 0.002 }
            await MediaQueue.run {
                sound.close()
                own.close()
            }
            ear.close()
            withExtendedLifetime(early) {}
        }

        @Test func `without a sound server there is an error`() async throws {
            await #expect(throws: MediaError.self) {
                try await MediaQueue.run { try SystemSound(inlet: FrameInlet(), server: "unix:/nonexistent") {} }
            }
        }

        private func play(_ frequency: Int, on desktop: ScreenDesktop) throws -> ChildProcess {
            try desktop.start(
                "gst-launch-1.0",
                ["-q", "audiotestsrc", "is-live=true", "freq=\(frequency)", "volume=0.2", "!", "pulsesink"])
        }
    }
}

/// A tone that this process plays.
enum Tone {
    static func play(_ frequency: Int, server: String) throws -> Pipeline {
        let pipeline = try Pipeline { _ in }
        let chain = try Element.bin(
            "audiotestsrc is-live=true freq=\(frequency) volume=0.2 ! pulsesink server=\(server) name=sink")
        pipeline.element.add(chain)
        pipeline.element.setState(GST_STATE_PLAYING)
        return pipeline
    }
}

/// Hears what goes into an inlet, by frequency.
final class ToneEar: Sendable {
    let inlet = FrameInlet()
    private let pipeline: Pipeline
    private let samples = Mutex<[Double]>([])

    init() throws {
        pipeline = try Pipeline { _ in }
        let chain = try Element.bin(
            """
            appsrc name=inlet format=time is-live=true ! audioconvert ! \
            audio/x-raw,format=F32LE,rate=48000,channels=1 ! appsink name=frames sync=false
            """)
        try chain.child("frames").onSample { [weak self] sample in self?.hear(sample) }
        inlet.connect(to: try chain.child("inlet"))
        pipeline.element.add(chain)
        pipeline.element.setState(GST_STATE_PLAYING)
    }

    func close() {
        inlet.connect(to: nil)
        pipeline.close()
    }

    private func hear(_ sample: Sample) {
        var map = GstMapInfo()
        guard gst_buffer_map(sample.buffer, &map, GST_MAP_READ) != 0 else { return }
        defer { gst_buffer_unmap(sample.buffer, &map) }
        let new = UnsafeRawBufferPointer(start: map.data, count: Int(map.size)).bindMemory(to: Float.self).map(
            Double.init)
        samples.withLock { samples in
            samples += new
            samples.removeFirst(max(0, samples.count - 9_600))
        }
    }

    /// The amplitude of a tone in the last 200 ms.
    func strength(of frequency: Int) -> Double {
        let heard = samples.withLock { $0 }
        guard heard.count == 9_600 else { return 0 }
        let step = 2 * Double.pi * Double(frequency) / 48_000
        let (real, imaginary) = heard.enumerated().reduce((0.0, 0.0)) { sum, next in
            (
                sum.0 + next.element * cos(step * Double(next.offset)),
                sum.1 + next.element * sin(step * Double(next.offset))
            )
        }
        return (real * real + imaginary * imaginary).squareRoot() * 2 / Double(heard.count)
    }
}
