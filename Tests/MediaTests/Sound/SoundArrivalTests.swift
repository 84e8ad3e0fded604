import BaseKit
import CGStreamer
import TestSupport
import Testing

@testable import Media

extension RealMedia {
    @Suite struct SoundArrivalTests {
        /// Lets live sound through an element that holds up each piece, in a pipeline with 60 ms of latency. Gives how early late pieces came, once
        /// `count` pieces have come.
        private func late(heldUp microseconds: Int, count: Int) async throws -> [Int] {
            try MediaRuntime.start()
            let pipeline = try Pipeline { _ in }
            defer { pipeline.close() }
            let chain = try Element.bin(
                """
                audiotestsrc is-live=true samplesperbuffer=441 ! identity sleep-time=\(microseconds) ! volume name=out ! \
                fakesink sync=false
                """)
            let (late, all) = (Shared<[Int]>([]), Shared(0))
            let out = try #require(try chain.child("out").pad("src"))
            SoundArrival.watch(out, atLeast: 10) { ahead in late.change { $0.append(ahead) } }
            out.onBuffer { _, _ in all.change { $0 += 1 } }
            pipeline.element.add(chain)
            gst_pipeline_set_latency(pipeline.element.pointer(), 60_000_000)
            pipeline.element.setState(GST_STATE_PLAYING)
            try await waitUntil("pieces have come") { all.value >= count }
            return late.value
        }

        @Test func `sound that is held up for longer than the loudspeaker has is late`() async throws {
            let late = try await late(heldUp: 100_000, count: 10)
            #expect(late.count >= 8)
            #expect(late.allSatisfy { $0 < 10 })
            #expect(late.contains { $0 < 0 })
        }

        @Test func `sound that comes at once is in time`() async throws {
            // A busy machine may hold up some.
            let late = try await late(heldUp: 0, count: 100)
            #expect(late.count < 50, "\(late)")
        }
    }
}
