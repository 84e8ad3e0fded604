import BaseKit
import Cryptography
import Dispatch
import GLibKit
import TestSupport
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    @Suite struct PeerSourcesTests {
        @Test func `a muted microphone stops RTP and the peer notices`() async throws {
            let call = try await Loopback()
            try await call.connect()
            try await call.waitForPictures()
            await call.answererLog.wait(for: .peerMedia(PeerMedia(microphone: true, camera: true)))
            await call.offerer.setMicrophoneEnabled(false)
            await call.answererLog.wait(for: .peerMedia(PeerMedia(microphone: false, camera: true)))
            let sent = await call.offerer.statistics().sent.audioFrames
            await call.offerer.setMicrophoneEnabled(true)
            try await eventually { await call.offerer.statistics().sent.audioFrames > sent }
            await call.close()
        }

        @Test func `a camera that is off is closed, and comes back on`() async throws {
            let call = try await Loopback()
            try await call.connect()
            try await call.waitForPictures()
            let open = Capture.live
            await call.offerer.setCameraEnabled(false)
            #expect(Capture.live == open - 1)
            #expect(call.offerer.localVideo.latest() == nil)
            let sent = await call.offerer.statistics().sent.videoFrames
            await call.offerer.setCameraEnabled(true)
            try await eventually { await call.offerer.statistics().sent.videoFrames > sent }
            try await eventually { call.offerer.localVideo.latest() != nil }
            let decoded = await call.answerer.statistics().received.videoFrames
            try await eventually { await call.answerer.statistics().received.videoFrames > decoded }
            await call.close()
        }

        @Test func `a camera that is turned off before its turn came is not opened`() async throws {
            let call = try await Loopback()
            await call.offerer.setCameraEnabled(false)
            try await call.connect()
            await call.answererLog.wait(for: .firstAudioFrame)
            await call.offererLog.wait(for: .firstVideoFrame)
            #expect(await call.offerer.statistics().sent.videoFrames == 0)
            #expect(call.offerer.localVideo.latest() == nil)
            // Two tones and the other side's camera.
            #expect(Capture.live == 3)
            await call.close()
        }

        @Test func `what a source gives too late is refused, and the one before goes on`() async throws {
            try MediaRuntime.start()
            let inlet = FrameInlet()
            let sample = try await Self.sample()
            let (old, new) = (inlet.makeEntry(), inlet.makeEntry())
            #expect(old.push(sample))
            #expect(new.push(sample) && new.isNewest && !old.isNewest)
            #expect(!old.push(sample))
            new.revoke()
            #expect(!new.push(sample) && !new.isNewest)
            #expect(old.push(sample) && old.isNewest)
            // Given up before it gave anything.
            let late = inlet.makeEntry()
            late.revoke()
            #expect(!late.push(sample))
            #expect(old.push(sample))
        }

        private static func sample() async throws -> Sample {
            let taken = Shared<Sample?>(nil)
            let pipeline = try Pipeline { _ in }
            let chain = try Element.bin(
                "videotestsrc num-buffers=1 ! video/x-raw,width=16,height=16 ! appsink name=out sync=false")
            try chain.child("out").onSample { taken.value = $0 }
            pipeline.element.add(chain)
            #expect(pipeline.play(within: .seconds(30)))
            // It plays as soon as the picture is there, which may be before anybody was told.
            try await eventually { taken.value != nil }
            await MediaQueue.run { pipeline.close() }
            return try #require(taken.value)
        }

        @Test func `a camera opens although somebody asks meanwhile how many there are`() async throws {
            try MediaRuntime.start()
            let (asked, gate) = (Shared(false), DispatchSemaphore(value: 0))
            let preview = VideoFeed()
            let camera = CaptureController(
                kind: .video, inlet: FrameInlet(), preview: preview, onNotice: { _ in },
                resolve: {
                    await MediaQueue.run(giving: {
                        asked.value = true
                        gate.wait()
                        return SourceChoice(CameraSource.test).fixed
                    })
                })
            async let count = camera.count()
            try await eventually { asked.value }
            async let opened: Void = camera.setEnabled(true)
            try await Task.sleep(for: .milliseconds(20))  // lets the second question come while the first is open
            gate.signal()
            #expect(await count == 2)
            await opened
            try await eventually { preview.latest() != nil }
            await camera.close()
        }

        @Test func `flipping the camera changes the peer's picture without a new negotiation`() async throws {
            let call = try await Loopback()
            try await call.connect()
            try await eventually { call.answerer.remoteVideo.latest()?.isTestPicture == true }
            #expect(await call.offerer.cameraCount == 2)
            await call.offerer.flipCamera()
            try await eventually {
                guard let colour = call.answerer.remoteVideo.latest()?.meanColour else { return false }
                return colour.green > colour.blue + 40
            }
            await call.close()
        }

        @Test func `an audio call opens its camera only when it is turned on`() async throws {
            let call = try await Loopback { offerer, answerer in
                offerer.media = .audio
                answerer.media = .audio
            }
            try await call.connect()
            await call.answererLog.wait(for: .firstAudioFrame)
            #expect(Capture.live == 2)
            #expect(await call.answerer.statistics().received.videoFrames == 0)
            await call.offerer.setCameraEnabled(true)
            await call.answererLog.wait(for: .firstVideoFrame)
            await call.close()
        }

        @Test func `a session without devices works and says what is missing`() async throws {
            let call = try await Loopback { offerer, _ in
                offerer.camera = .named("a camera that nobody has")
                offerer.microphone = .named("a microphone that nobody has")
                offerer.speaker = .named("a speaker that nobody has")
            }
            try await call.connect()
            await call.offererLog.wait(for: .firstVideoFrame)
            for kind in DeviceKind.allCases {
                let name = "a \(kind.rawValue) that nobody has"
                await call.offererLog.wait(for: .notice(.device(.notFound(kind, name, instead: nil))))
            }
            #expect(await call.answerer.statistics().received.videoFrames == 0)
            await call.close()
        }

        @Test func `a file that does not exist is a notice`() async throws {
            let call = try await Loopback { offerer, _ in offerer.camera = .file("/nonexistent.webm") }
            try await call.connect()
            await call.answererLog.wait(for: .firstAudioFrame)
            await call.offererLog.wait { events in
                events.contains { event in
                    event.fault.map { if case .filmLacks(.camera, "/nonexistent.webm", _) = $0 { true } else { false } }
                        == true
                }
            }
            await call.close()
        }

        @Test func `a file is shown over and over`() async throws {
            let path = try TestClip.make()
            defer { TestClip.remove(path) }
            let call = try await Loopback { offerer, _ in offerer.camera = .file(path) }
            try await call.connect()
            // The clip has 10 pictures.
            try await eventually { await call.answerer.statistics().received.videoFrames > 25 }
            let colour = try #require(call.answerer.remoteVideo.latest()?.meanColour)
            #expect(colour.red > 150 && colour.green < 60 && colour.blue < 60)
            await call.close()
        }

        @Test func `most pictures of a file are shown`() async throws {
            let path = try TestClip.make(pictures: 60)
            defer { TestClip.remove(path) }
            let inlet = FrameInlet()
            let shown = Shared(0)
            let preview = VideoFeed()
            preview.setHandler { shown.value += 1 }
            let capture = try await MediaQueue.run {
                try Capture(.file(path), kind: .video, preview: preview, inlet: inlet) { _ in }
            }
            // A film that rushes past its queues shows a picture or two each time it goes round.
            try await waitUntil("the pictures of a film", within: .seconds(60)) { shown.value >= 45 }
            await MediaQueue.run { capture.close() }
        }

        @Test func `an echo sends the picture and sound back`() async throws {
            let call = try await Loopback { _, answerer in
                answerer.camera = .echo
                answerer.microphone = .echo
            }
            try await call.connect()
            try await call.waitForOfferer()
            try await eventually { call.offerer.remoteVideo.latest()?.isTestPicture == true }
            #expect(await call.answerer.statistics().received.videoFrames > 0)
            await call.close()
        }

        @Test func `nothing is captured before a session is opened`() async throws {
            try await eventually { PeerSession.live == 0 && Pipeline.live == 0 }
            _ = PeerSessionConfiguration(role: .offerer)
            _ = try? await DeviceMonitor.shared.devices()
            #expect(Capture.live == 0 && PeerSession.live == 0 && Pipeline.live == 0)
        }
    }
}

extension Loopback {
    /// Waits until the offerer has decoded picture and sound.
    func waitForOfferer() async throws {
        await offererLog.wait(for: .firstVideoFrame)
        await offererLog.wait(for: .firstAudioFrame)
    }
}
