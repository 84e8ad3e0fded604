import BaseKit
import CGStreamer
import GLibKit
import Testing

@testable import Media
@testable import MediaRules

/// A controller that wants little once it has heard anything.
private struct Shrinking: BandwidthController {
    var target = BandwidthTarget(bitrate: 1_500_000, pacingRate: 100_000_000)
    var loss = 0.0
    var good = 1_500_000

    mutating func receive(_ packets: [PacketReport], now: Instant) {
        target = BandwidthTarget(bitrate: 300_000, pacingRate: 100_000_000)
        loss = 0.12
    }

    mutating func limit(to bitrate: Int) {}

    mutating func missFeedback(now: Instant) {}

    mutating func resume(now: Instant) {}
}

/// A controller of a link that is always full.
private struct Full: BandwidthController {
    var target = BandwidthTarget(bitrate: 60_000, pacingRate: 100_000_000)
    var loss = 0.3
    var good = 60_000
    var congestion: Congestion?

    mutating func receive(_ packets: [PacketReport], now: Instant) { congestion = Congestion(at: now, carried: 40_000) }
    mutating func limit(to bitrate: Int) {}
    mutating func missFeedback(now: Instant) {}
    mutating func resume(now: Instant) {}
}

extension RealMedia {
    @Suite struct SendControlTests {
        /// Pictures of a test source on their way to an encoder.
        private static func chain(_ source: String, width: Int, height: Int, encoder: String) throws -> Element {
            try Element.bin(
                """
                \(source) ! video/x-raw,format=I420,width=\(width),height=\(height),framerate=30/1 ! \
                identity name=input ! videoscale ! capsfilter name=size caps=video/x-raw ! \
                vp8enc name=encoder deadline=1 cpu-used=8 \(encoder) ! fakesink name=end sync=false
                """)
        }

        /// What keeps such a chain within what a controller wants.
        private static func control(of chain: Element, by controller: any BandwidthController) throws -> SendControl {
            let encoder = try chain.child("encoder")
            let control = SendControl(
                controller: controller, encoder: encoder, size: try chain.child("size"), pacing: Pacing())
            control.listen(
                input: try #require(try chain.child("input").pad("src")), output: try #require(encoder.pad("src")))
            return control
        }

        @Test func `in a pause no picture is encoded, and the first one after it is a key frame`() async throws {
            try MediaRuntime.start()
            let kinds = Shared<[Bool]>([])
            let pipeline = try Pipeline { _ in }
            let chain = try Self.chain(
                "videotestsrc is-live=true", width: 64, height: 48, encoder: "keyframe-max-dist=3000")
            let control = try Self.control(of: chain, by: Full())
            try #require(try chain.child("end").pad("sink")).onBuffer { _, buffer in
                kinds.change { $0.append(buffer.pointee.mini_object.flags & GST_BUFFER_FLAG_DELTA_UNIT.rawValue == 0) }
                control.receive([])
            }
            pipeline.element.add(chain)
            pipeline.element.setState(GST_STATE_PLAYING)
            try await eventually { control.report.isPaused }
            // The one that was in the encoder then.
            let count = kinds.value.count + 1
            try await Task.sleep(for: .milliseconds(500))
            #expect(kinds.value.count <= count)
            #expect(!kinds.value.dropFirst().contains(true))
            let before = kinds.value.count
            control.setShares(SendShares(isScreenInCamerasPlace: true))
            try await eventually { kinds.value.count > before }
            #expect(kinds.value[before])
            await MediaQueue.run { pipeline.close() }
        }

        @Test func `a key frame that is needed is made of the next picture, and of a later one soon after another`()
            async throws
        {
            try MediaRuntime.start()
            let (ended, kinds) = (Shared(false), Shared<[Bool]>([]))
            let pipeline = try Pipeline { message in
                if case .endOfStream = message { ended.value = true }
            }
            let chain = try Self.chain(
                "videotestsrc num-buffers=40 is-live=true", width: 64, height: 48, encoder: "keyframe-max-dist=3000")
            let control = try Self.control(of: chain, by: Shrinking())
            try #require(try chain.child("end").pad("sink")).onBuffer { _, buffer in
                let isKey = buffer.pointee.mini_object.flags & GST_BUFFER_FLAG_DELTA_UNIT.rawValue == 0
                let count = kinds.value.count + 1
                kinds.value.append(isKey)
                if count == 15 || count == 17 { control.needKeyFrame() }
            }
            pipeline.element.add(chain)
            pipeline.element.setState(GST_STATE_PLAYING)
            try await eventually { ended.value }
            let keyFrames = kinds.value.indices.filter { kinds.value[$0] }
            #expect(keyFrames.count == 3 && keyFrames.first == 0, "\(keyFrames)")
            // The encoder holds no picture back; the second wish waits for the budget.
            #expect(keyFrames.dropFirst().first.map { (15...16).contains($0) } == true, "\(keyFrames)")
            #expect(keyFrames.last.map { (22...34).contains($0) } == true, "\(keyFrames)")
            await MediaQueue.run { pipeline.close() }
        }

        @Test func `what feedback leads to is set on encoders and pictures`() async throws {
            try MediaRuntime.start()
            let (ended, count, widths) = (Shared(false), Shared(0), Shared<[Int]>([]))
            let pipeline = try Pipeline { message in
                if case .endOfStream = message { ended.value = true }
            }
            let chain = try Self.chain("videotestsrc num-buffers=20", width: 640, height: 480, encoder: "end-usage=cbr")
            let speech = try Element.bin(
                "audiotestsrc is-live=true num-buffers=60 ! opusenc name=encoder ! fakesink sync=false")
            let (encoder, sound) = (try chain.child("encoder"), try speech.child("encoder"))
            let control = try Self.control(of: chain, by: Shrinking())
            control.setAudioEncoder(sound)
            try #require(try chain.child("end").pad("sink")).onBuffer { pad, _ in
                count.value += 1
                if let size = PictureSize(of: pad) { widths.value.append(size.width) }
                if count.value == 5 { control.receive([]) }
            }
            pipeline.element.add(chain)
            pipeline.element.add(speech)
            pipeline.element.setState(GST_STATE_PLAYING)
            try await eventually { ended.value }
            let report = control.report
            #expect((report.target, report.good, report.loss) == (300_000, 1_500_000, 0.12))
            #expect(report.size == PictureSize(width: 320, height: 240))
            #expect(report.limit == .network)
            #expect(report.encodeTime > 0 && report.encodeLoad > 0)
            // 12 % of what sound and headers leave is kept for what is sent again.
            let left = Double(300_000 - SendPlan.audioShare - SendPlan.headerShare) * 0.88
            // libvpx counts in whole kilobits.
            #expect(encoder[property: "target-bitrate"] as Int32? == Int32(left) / 1_000 * 1_000)
            #expect(sound[property: "packet-loss-percentage"] as Int32? == 12)
            #expect(widths.value.first == 640 && widths.value.last == 320)
            await MediaQueue.run { pipeline.close() }
        }

        @Test func `a voice goes over to longer pieces while it is spoken, and none of it is lost`() async throws {
            try MediaRuntime.start()
            let (ended, pieces) = (Shared(false), Shared<[(start: Int, length: Int)]>([]))
            let pipeline = try Pipeline { message in
                if case .endOfStream = message { ended.value = true }
            }
            let chain = try Element.bin(
                """
                audiotestsrc num-buffers=400 samplesperbuffer=480 ! audio/x-raw,rate=48000,channels=1 ! \
                opusenc name=encoder bitrate=32000 ! fakesink name=end sync=false
                """)
            let encoder = try chain.child("encoder")
            let control = SendControl(
                controller: Shrinking(), encoder: try Element.make("vp8enc"),
                size: try Element.make("capsfilter"), pacing: Pacing())
            control.setAudioEncoder(encoder)
            try #require(try chain.child("end").pad("sink")).onBuffer { _, buffer in
                let (start, length) = (buffer.pointee.pts / 1_000, buffer.pointee.duration / 1_000)
                pieces.change { $0.append((Int(start), Int(length))) }
                if pieces.value.count == 30 { control.limitSound(to: 1) }
                if pieces.value.count == 60 { control.limitSound(to: 2) }
            }
            pipeline.element.add(chain)
            pipeline.element.setState(GST_STATE_PLAYING)
            try await eventually { ended.value }
            let lengths = pieces.value.map { $0.length / 1_000 }
            // The first one is short by what the encoder looks ahead.
            #expect(lengths[1..<30] == ArraySlice(repeating: 20, count: 29), "\(lengths)")
            #expect(lengths[35..<60] == ArraySlice(repeating: 40, count: 25), "\(lengths)")
            // The end of the sound fills less than a piece.
            #expect(lengths[65...].dropLast(2).allSatisfy { $0 == 60 } && lengths.count > 70, "\(lengths)")
            for (piece, next) in zip(pieces.value, pieces.value.dropFirst()) {
                #expect(abs(piece.start + piece.length - next.start) < 1_000)
            }
            #expect(encoder[property: "bitrate"] as Int32? == 14_000)
            await MediaQueue.run { pipeline.close() }
        }

        @Test func `a screen in the camera's place stays sharp, and the camera behind it need not`() async throws {
            try MediaRuntime.start()
            let (ended, count, coarsest) = (Shared(false), Shared(0), Shared<[Int32]>([]))
            let pipeline = try Pipeline { message in
                if case .endOfStream = message { ended.value = true }
            }
            let chain = try Element.bin(
                """
                videotestsrc num-buffers=20 ! video/x-raw,format=I420,width=640,height=480,framerate=15/1 ! \
                identity name=input ! videoscale ! capsfilter name=size caps=video/x-raw ! \
                vp8enc name=encoder deadline=1 cpu-used=8 end-usage=cbr ! fakesink name=end sync=false
                """)
            let encoder = try chain.child("encoder")
            let control = try Self.control(of: chain, by: Shrinking())
            control.setShares(SendShares(isScreenInCamerasPlace: true))
            // Before the encoder, which keeps its settings locked behind it.
            try #require(try chain.child("size").pad("sink")).onBuffer { _, _ in
                count.value += 1
                if count.value == 10 || count.value == 15 {
                    coarsest.value.append(encoder[property: "max-quantizer"] ?? 0)
                }
                if count.value == 10 { control.setShares(SendShares()) }
            }
            pipeline.element.add(chain)
            pipeline.element.setState(GST_STATE_PLAYING)
            try await eventually { ended.value }
            #expect(coarsest.value == [44, 63])
            await MediaQueue.run { pipeline.close() }
        }
    }
}
