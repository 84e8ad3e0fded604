import BaseKit
import CGStreamer
import GLibKit
import Testing

@testable import Media
@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct ScreenQuantizerTests {
    @Test(arguments: [(1_200_000, 44), (800_000, 44), (550_000, 54), (300_000, 63), (50_000, 63)])
    func `a screen stays sharp where there is enough, and becomes coarse where there is not`(bitrate: Int, most: Int) {
        #expect(EncoderRate.coarsest(at: bitrate) == most)
    }

    @Test func `the less there is the coarser it may become`() {
        let all = stride(from: 0, through: 2_000_000, by: 10_000).map(EncoderRate.coarsest)
        #expect(all == all.sorted(by: >))
    }

    @Test func `a budget with a longer interval lets a large key frame cost more time`() {
        var (usual, long) = (KeyFrameBudget(), KeyFrameBudget(longest: .seconds(10)))
        for bytes in [1_000, 200_000] {
            usual.made(bytes: bytes, rate: 300_000, now: Instant(sinceStart: .zero))
            long.made(bytes: bytes, rate: 300_000, now: Instant(sinceStart: .zero))
        }
        #expect(usual.interval == .seconds(4) && long.interval == .seconds(10))
    }
}

extension RealMedia {
    @Suite struct EncoderRateTests {
        @Test(arguments: [(ScreenContent.text, Int32(44)), (.motion, 63)])
        func `what is read stays sharp, and what moves may become soft`(content: ScreenContent, coarsest: Int32)
            async throws
        {
            try MediaRuntime.start()
            let (pipeline, passed) = (try Pipeline { _ in }, Shared(0))
            let chain = try Element.bin(
                """
                videotestsrc is-live=true ! video/x-raw,format=I420,width=64,height=48,framerate=15/1 ! \
                identity name=input ! videoscale ! capsfilter name=size caps=video/x-raw ! \
                \(SendChain.screenEncoder) ! fakesink name=end sync=false
                """)
            let encoder = try chain.child("encoder")
            let rate = try EncoderRate(
                encoder, size: chain.child("size"), input: try #require(try chain.child("input").pad("src")))
            try #require(try chain.child("end").pad("sink")).onBuffer { _, _ in passed.change { $0 += 1 } }
            rate.set(2_000_000)
            rate.set(content)
            pipeline.element.add(chain)
            pipeline.element.setState(GST_STATE_PLAYING)
            try await eventually { passed.value > 2 }
            #expect(encoder[property: "max-quantizer"] as Int32? == coarsest)
            rate.set(.text)
            let seen = passed.value
            try await eventually { passed.value > seen + 2 }
            #expect(encoder[property: "max-quantizer"] as Int32? == 44)
            await MediaQueue.run { pipeline.close() }
            withExtendedLifetime(rate) {}
        }

        @Test func `a peer that asks for key frames of a screen again and again gets few`() async throws {
            try MediaRuntime.start()
            let (ended, pictures, keys) = (Shared(false), Shared(0), Shared(0))
            let pipeline = try Pipeline { message in
                if case .endOfStream = message { ended.value = true }
            }
            let chain = try Element.bin(
                """
                videotestsrc num-buffers=20 pattern=checkers-8 ! video/x-raw,format=I420,width=640,height=480,framerate=15/1 ! \
                identity name=input ! videoscale ! capsfilter name=size caps=video/x-raw ! \
                \(SendChain.screenEncoder) ! fakesink name=end sync=false
                """)
            let encoder = try chain.child("encoder")
            let rate = try EncoderRate(
                encoder, size: chain.child("size"), input: try #require(try chain.child("input").pad("src")))
            rate.set(100_000)
            // So that nothing but the budget holds them back.
            encoder.set("min-force-key-unit-interval", 0)
            try #require(try chain.child("end").pad("sink")).onBuffer { pad, buffer in
                pictures.value += 1
                if buffer.pointee.mini_object.flags & GST_BUFFER_FLAG_DELTA_UNIT.rawValue == 0 { keys.value += 1 }
                if let event = gst_video_event_new_upstream_force_key_unit(GstClockTime.max, 1, 0) {
                    gst_pad_push_event(pad, event)
                }
            }
            pipeline.element.add(chain)
            pipeline.element.setState(GST_STATE_PLAYING)
            try await eventually { ended.value }
            #expect(pictures.value > 1 && keys.value == 1)
            #expect(encoder[property: "max-quantizer"] as Int32? == 63)
            await MediaQueue.run { pipeline.close() }
            withExtendedLifetime(rate) {}
        }
    }
}
