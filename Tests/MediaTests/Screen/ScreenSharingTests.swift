import CGStreamer
import GLibKit
import TestSupport
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    @Suite struct ScreenSharingTests {
        @Test(arguments: [true, false])
        func `a screen is shown beside the camera and goes without a negotiation`(isOfferer: Bool) async throws {
            let call = try await Loopback()
            try await call.connect()
            try await call.waitForPictures()
            let (sharer, watcher) = isOfferer ? (call.offerer, call.answerer) : (call.answerer, call.offerer)
            let (own, other) =
                isOfferer ? (call.offererLog, call.answererLog) : (call.answererLog, call.offererLog)
            #expect(await sharer.statistics().sent.screenFrames == 0)
            await sharer.startScreen(.test)
            try await eventually { watcher.remoteScreen.latest()?.isTestScreen == true }
            await own.wait(for: .screenSharing(.on(withSound: false)))
            #expect(await sharer.statistics().link.screenSize == PictureSize(width: 1_280, height: 720))
            #expect(await watcher.statistics().link.screenSize == nil)
            await other.wait(for: .peerMedia(PeerMedia(microphone: true, camera: true, screen: true)))
            try await eventually { watcher.remoteVideo.latest()?.isTestPicture == true }
            await sharer.stopScreen()
            await own.wait(for: .screenSharing(.off))
            await other.wait { $0.last(where: \.isPeerMedia) == .peerMedia(PeerMedia(microphone: true, camera: true)) }
            try await eventually { watcher.remoteScreen.latest() == nil }
            #expect(await sharer.statistics().link.screenSize == nil, "none is shared any more")
            #expect(await watcher.statistics().received.framesRejected == 0)
            await call.close()
        }

        @Test(arguments: [(ScreenContent.text, 15), (.motion, 30)])
        func `a screen comes with as many pictures a second as its content is worth`(content: ScreenContent, rate: Int)
            async throws
        {
            let call = try await Loopback()
            try await call.connect()
            try await call.waitForPictures()
            await call.offerer.startScreen(.test, content: content)
            try await eventually { call.answerer.remoteScreen.latest()?.isTestScreen == true }
            let formats = await call.offerer.encodedFormats
            #expect(formats.contains { $0.contains("width=(int)1280") && $0.contains("framerate=(fraction)\(rate)/1") })
            await call.close()
        }

        @Test func `the two show each other their screens, twice`() async throws {
            let call = try await Loopback()
            try await call.connect()
            try await call.waitForPictures()
            for _ in 0..<2 {
                await call.offerer.startScreen(.test)
                await call.answerer.startScreen(.test)
                for session in [call.offerer, call.answerer] {
                    try await eventually { session.remoteScreen.latest()?.isTestScreen == true }
                }
                await call.offerer.stopScreen()
                await call.answerer.stopScreen()
                for session in [call.offerer, call.answerer] {
                    try await eventually { session.remoteScreen.latest() == nil }
                }
            }
            await call.close()
        }

        @Test func `the sound of a screen arrives beside the voice`() async throws {
            let call = try await Loopback()
            try await call.connect()
            try await call.waitForPictures()
            await call.offerer.startScreen(.test, sound: .test)
            await call.offererLog.wait(for: .screenSharing(.on(withSound: true)))
            await call.answererLog.wait(
                for: .peerMedia(PeerMedia(microphone: true, camera: true, screen: true, screenSound: true)))
            var frequencies: Set<Int> = []
            // What is on is told before it arrives.
            var meters: [SoundMeter] = []
            try await eventually {
                meters = await SoundMeter.all(call.answerer)
                return meters.count == 2
            }
            try await eventually {
                for meter in meters where meter.level > 0.02 {
                    if let known = [440, 1_320].first(where: { abs(Double($0) - meter.frequency) < 60 }) {
                        frequencies.insert(known)
                    }
                }
                return frequencies == [440, 1_320]
            }
            await call.offerer.stopScreen()
            await call.answererLog.wait {
                $0.last(where: \.isPeerMedia) == .peerMedia(PeerMedia(microphone: true, camera: true))
            }
            await call.close()
        }

        @Test func `a screen on which nothing moves stays shared`() async throws {
            let call = try await Loopback()
            try await call.connect()
            try await call.waitForPictures()
            await call.offerer.startScreen(.test)
            try await eventually { call.answerer.remoteScreen.latest()?.isTestScreen == true }
            // The source falls silent, as a desktop's does; what repeats its last picture goes on.
            let source = try #require(await call.offerer.screen.running?.picture.pipeline.element)
            await MediaQueue.run { _ = source.setState(GST_STATE_PAUSED) }
            let seen = await call.answerer.statistics().received.screenFrames
            try await eventually { await call.answerer.statistics().received.screenFrames >= seen + 8 }
            #expect(call.answererLog.events.last(where: \.isPeerMedia)?.isScreenOn == true)
            await call.close()
        }

        @Test func `a screen may be large, and keeps its shape`() async throws {
            let path = try TestClip.make(pictures: 10, width: 2_560, height: 1_080)
            defer { TestClip.remove(path) }
            let call = try await Loopback()
            try await call.connect()
            try await call.waitForPictures()
            await call.offerer.startScreen(.file(path))
            try await eventually { call.answerer.remoteScreen.latest() != nil }
            let picture = try #require(call.answerer.remoteScreen.latest())
            #expect((picture.width, picture.height) == (1_920, 810))
            await call.close()
        }

        @Test func `a screen is not shared before the call is connected or after it`() async throws {
            let call = try await Loopback()
            await call.offerer.startScreen(.test)
            await call.offererLog.wait(for: .notice(.screenTooEarly))
            try await call.connect()
            try await call.waitForPictures()
            await call.offerer.startScreen(.test)
            await call.close()
            await call.offerer.startScreen(.test)
            #expect(await call.offerer.screen.running == nil)
            #expect(await call.offerer.screen.state == .off)
        }

        @Test func `a film that is not there is said and nothing is shared`() async throws {
            let call = try await Loopback()
            try await call.connect()
            try await call.waitForPictures()
            await call.offerer.startScreen(.file("/nonexistent.webm"))
            await call.offererLog.wait { events in
                // Which of the two is told depends on what comes first, the error or the end of the wait.
                events.contains { event in
                    if case .notice(.screenEnded(.failed)) = event { return true }
                    return event.fault == .screenNotCaptured
                }
            }
            await call.offererLog.wait { $0.last(where: \.isSharing) == .screenSharing(.off) }
            #expect(await call.offerer.statistics().sent.screenFrames == 0)
            await call.close()
        }
    }
}

extension PeerSessionEvent {
    var isPeerMedia: Bool { if case .peerMedia = self { true } else { false } }
    var isScreenOn: Bool { if case .peerMedia(let media) = self { media.screen } else { false } }
    var isSharing: Bool { if case .screenSharing = self { true } else { false } }
}

extension VideoFrame {
    /// Whether the picture is mostly of the test screen's background, red 0xA0, green 0x20, blue 0x80.
    var isTestScreen: Bool {
        let colour = meanColour
        return abs(colour.red - 0xA0) < 24 && abs(colour.green - 0x20) < 24 && abs(colour.blue - 0x80) < 24
    }

    /// Whether it is the test screen in its own shape, larger than pictures of a camera that are small: a machine that is busy sends less than
    /// its 1280 x 720 pixels.
    var isLargeTestScreen: Bool { isTestScreen && width > 640 && abs(width * 9 - height * 16) <= 32 }
}

extension PeerSession {
    /// The formats of the pictures that go to the encoders.
    fileprivate var encodedFormats: [String] {
        transports.current.pipeline.element.all(madeBy: "vp8enc").compactMap { encoder in
            guard let pad = encoder.pad("sink"), let caps = gst_pad_get_current_caps(pad.pointer()) else { return nil }
            defer { gst_caps_unref(caps) }
            guard let text = gst_caps_to_string(caps) else { return nil }
            defer { g_free(text) }
            return String(cString: text)
        }
    }
}
