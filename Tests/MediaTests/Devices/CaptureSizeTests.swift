import BaseKit
import CGStreamer
import TestSupport
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    /// The size in which a source's pictures come to the call.
    @Suite(.timeLimit(.minutes(5))) struct CaptureSizeTests {
        /// The sizes of a clip's pictures as they enter a call, beside a preview.
        private func captured(_ width: Int, _ height: Int, quality: CameraQuality) async throws -> PictureSize? {
            try MediaRuntime.start()
            let path = try TestClip.make(width: width, height: height)
            defer { TestClip.remove(path) }
            let (size, preview, inlet) = (Shared<PictureSize?>(nil), VideoFeed(), FrameInlet())
            let call = try Pipeline { _ in }
            let chain = try Element.bin("appsrc name=inlet format=time is-live=true ! fakesink name=end sync=false")
            try #require(try chain.child("end").pad("sink")).onBuffer { pad, _ in size.value = PictureSize(of: pad) }
            call.element.add(chain)
            call.element.setState(GST_STATE_PLAYING)
            inlet.connect(to: try chain.child("inlet"))
            let capture = try await MediaQueue.run {
                try Capture(.file(path), kind: .video, size: quality.size, preview: preview, inlet: inlet) { _ in }
            }
            try await eventually { size.value != nil && preview.latest() != nil }
            #expect(preview.latest()?.width == 640)
            await MediaQueue.run {
                capture.close()
                call.close()
            }
            return size.value
        }

        @Test(arguments: [(640, 480), (1_280, 720), (320, 240)])
        func `pictures that are not too large stay as they are`(width: Int, height: Int) async throws {
            #expect(
                try await captured(width, height, quality: .standard) == PictureSize(width: width, height: height))
        }

        @Test func `larger ones are made as large as they may be, in their shape`() async throws {
            #expect(try await captured(1_920, 1_080, quality: .standard) == PictureSize(width: 1_280, height: 720))
            #expect(try await captured(1_600, 1_600, quality: .standard) == PictureSize(width: 720, height: 720))
            #expect(try await captured(1_920, 1_080, quality: .high) == PictureSize(width: 1_920, height: 1_080))
        }

        @Test func `a call begins with pictures as large as its first rate allows, beside a preview`() async throws {
            let call = try await Loopback()
            try await call.connect()
            try await eventually { await call.answerer.statistics().sent.videoFrames > 0 }
            let link = await call.answerer.statistics().link
            #expect(link.size == PictureSize(width: 480, height: 360))
            #expect(link.limit == .network)
            await call.close()
        }
    }
}
