import BaseKit
import CGStreamer
import GLibKit
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    /// Packets of 20 ms that Opus's encoder made, one by one through a decoder.
    @Suite struct SoundDecoderTests {
        private static let packetTime: UInt = 20_000_000
        private let packets: [Sample]
        private let pipeline: Pipeline
        private let inlet: Element
        private let recovers = Shared(true)
        /// When each piece of decoded sound is to be heard, in nanoseconds, in the order in which they came.
        private let times = Shared<[UInt]>([])
        /// How loud each is.
        private let levels = Shared<[Double]>([])

        init() async throws {
            try MediaRuntime.start()
            packets = try await Self.encode(count: 60)
            pipeline = try Pipeline { _ in }
            let chain = try Element.bin(
                """
                appsrc name=inlet format=time is-live=true ! identity name=protect ! \
                \(SoundDecoder.description) name=decoder ! appsink name=frames sync=false async=false
                """)
            inlet = try chain.child("inlet")
            try chain.child("frames").onSample { [times, levels] sample in
                let sum = sample.samples.reduce(0.0) { $0 + Double($1) * Double($1) }
                levels.change { $0.append((sum / Double(max(sample.samples.count, 1))).squareRoot()) }
                times.change { $0.append(sample.buffer.pointee.pts) }
            }
            let decoder = SoundDecoder(try chain.child("decoder"), recovers: recovers)
            try chain.child("protect").pad("src")?.onBuffer { decoder.follow($0, $1) }
            pipeline.element.add(chain)
            pipeline.element.setState(GST_STATE_PLAYING)
        }

        private static func encode(count: Int) async throws -> [Sample] {
            let pipeline = try Pipeline { _ in }
            defer { pipeline.close() }
            let chain = try Element.bin(
                """
                audiotestsrc num-buffers=\(count) samplesperbuffer=960 ! audio/x-raw,rate=48000,channels=2 ! \
                opusenc frame-size=20 audio-type=voice bitrate=32000 inband-fec=true packet-loss-percentage=5 ! appsink name=packets sync=false
                """)
            let packets = Shared<[Sample]>([])
            try chain.child("packets").onSample { sample in packets.change { $0.append(sample) } }
            pipeline.element.add(chain)
            pipeline.element.setState(GST_STATE_PLAYING)
            try await waitUntil("all is encoded") { packets.value.count >= count }
            return packets.value
        }

        /// Gives these packets to the decoder, and waits until so many pieces have come of all so far.
        private func decode(_ numbers: Range<Int>, until count: Int) async throws {
            for number in numbers {
                inlet.setSourceFormat(packets[number].caps)
                let copy = gst_buffer_copy(packets[number].buffer)
                copy?.pointee.pts = UInt(number) * Self.packetTime
                copy?.pointee.duration = Self.packetTime
                gst_app_src_push_buffer(inlet.pointer(), copy)
            }
            try await waitUntil("\(count) pieces have come, now \(times.value.count)") { times.value.count >= count }
        }

        /// The times of the first pieces where none is missing and none comes twice.
        private func steady(_ count: Int) -> [UInt] { (0..<count).map { UInt($0) * Self.packetTime } }

        @Test func `a packet is kept until the next has come, or is decoded at once`() async throws {
            try await decode(0..<10, until: 9)
            #expect(times.value == steady(9))
            recovers.value = false
            try await decode(10..<11, until: 11)
            #expect(times.value == steady(11), "the packet that was kept, and the one that came")
            try await decode(11..<20, until: 20)
            #expect(times.value == steady(20))
            pipeline.close()
        }

        @Test func `no sound is missing, comes twice or at another time where decoders are exchanged`() async throws {
            var count = 0
            for number in 0..<60 {
                recovers.value = number / 7 % 2 == 0
                count = recovers.value ? number : number + 1
                try await decode(number..<number + 1, until: count)
            }
            #expect(times.value == steady(count))
            #expect(pipeline.element.all(factory: "opusdec").count == 1)
            pipeline.close()
        }

        @Test(arguments: [true, false])
        func `what is lost of one packet is made up for by either`(isKept: Bool) async throws {
            let kept = isKept ? 1 : 0
            try await decode(0..<1, until: 0)
            recovers.value = isKept
            try await decode(1..<5, until: 5 - kept)
            inlet.pad("src").map {
                _ = gst_pad_push_event($0.pointer(), gst_event_new_gap(5 * Self.packetTime, Self.packetTime))
            }
            try await decode(6..<12, until: 12 - kept)
            #expect(times.value == steady(12 - kept))
            pipeline.close()
        }

        @Test func `a tone is as loud where decoders are exchanged`() async throws {
            for number in 0..<60 {
                recovers.value = number < 20 || number >= 40
                try await decode(number..<number + 1, until: recovers.value ? number : number + 1)
            }
            let loudness = levels.value
            let usual = loudness.sorted()[loudness.count / 2]
            #expect(loudness.dropFirst(5).allSatisfy { abs(20 * log10($0 / usual)) < 3 }, "\(loudness)")
            pipeline.close()
        }
    }
}
