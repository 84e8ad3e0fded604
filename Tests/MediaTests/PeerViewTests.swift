import TestSupport
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    /// The size at which a peer shows our camera.
    @Suite(.timeLimit(.minutes(5))) struct PeerViewTests {
        private static let small = PictureSize(width: 320, height: 240)

        @Test func `no larger pictures are sent than the peer shows, until it shows them larger`() async throws {
            let call = try await Loopback()
            try await call.connect()
            try await eventually { await call.answerer.statistics().received.videoFrames > 0 }
            call.offerer.remoteVideo.setShownSize(Self.small)
            try await eventually { await call.answerer.statistics().link.limit == .view }
            try await eventually { await call.answerer.statistics().link.size == Self.small }
            #expect(await call.offerer.statistics().link.limit != .view, "the other direction is none of its business")
            call.offerer.remoteVideo.setShownSize(PictureSize(width: 640, height: 480))
            try await eventually { await call.answerer.statistics().link.limit != .view }
            await call.close()
        }

        @Test func `a screen is sent smaller where it is shown small, and as large as it is once it is shown large`()
            async throws
        {
            let call = try await Loopback()
            try await call.connect()
            try await call.waitForPictures()
            await call.offerer.startScreen(.test)
            try await eventually { call.answerer.remoteScreen.latest()?.isTestScreen == true }
            let full = PictureSize(width: 1_280, height: 720)
            #expect(await call.offerer.statistics().link.screenSize == full)
            call.answerer.remoteScreen.setShownSize(Self.small)
            let less = full.reduced(to: 640 * 400)
            try await eventually { await call.offerer.statistics().link.screenSize == less }
            try await eventually { call.answerer.remoteScreen.latest()?.width == less.width }
            #expect(await call.offerer.statistics().link.limit != .view, "the camera is none of its business")
            call.answerer.remoteScreen.setShownSize(full)
            try await eventually { call.answerer.remoteScreen.latest()?.width == full.width }
            #expect(call.answerer.remoteScreen.latest()?.isTestScreen == true)
            await call.close()
        }

        @Test func `a peer that does not announce it is not told`() async throws {
            let call = try await Loopback()
            try await call.connect(answer: { $0.replacing("a=x-parley-view:1\r\n", with: "") })
            try await eventually { await call.answerer.statistics().received.videoFrames > 0 }
            call.offerer.remoteVideo.setShownSize(Self.small)
            call.answerer.remoteVideo.setShownSize(Self.small)
            // The way there and the way back take as long.
            try await eventually { await call.offerer.statistics().link.limit == .view }
            #expect(await call.answerer.statistics().link.limit != .view)
            await call.close()
        }
    }
}
