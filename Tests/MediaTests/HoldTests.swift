import TestSupport
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    @Suite struct HoldTests {
        /// Frames that may still be in the encoders of one line when its valve is shut.
        private static let underway = 2

        @Test func `on hold nothing leaves and nothing is taken, and both go on afterwards`() async throws {
            let call = try await Loopback()
            try await call.connect()
            try await call.waitForPictures()
            await call.offerer.setHeld(true)
            let held = await call.offerer.statistics()
            #expect(held.isHeld)
            #expect(await call.offerer.devices.open.isEmpty)
            #expect(call.offerer.localVideo.latest() == nil && call.offerer.remoteVideo.latest() == nil)
            // The other side is told, and sees nothing any more.
            await call.answererLog.wait(for: .peerMedia(PeerMedia(microphone: false, camera: false)))
            // Meanwhile it sent much, of which nothing was opened.
            try await eventually { await call.offerer.statistics().received.framesHeld > 100 }
            let later = await call.offerer.statistics()
            #expect(later.sent.videoFrames <= held.sent.videoFrames + Self.underway)
            #expect(later.sent.audioFrames <= held.sent.audioFrames + Self.underway)
            #expect(later.received.videoFrames <= held.received.videoFrames + Self.underway)
            #expect(later.received.audioFrames <= held.received.audioFrames + Self.underway)
            #expect(call.offerer.remoteVideo.latest() == nil)

            let before = await call.answerer.statistics().received
            await call.offerer.setHeld(false)
            try await eventually { call.offerer.remoteVideo.latest()?.isTestPicture == true }
            try await eventually {
                let received = await call.answerer.statistics().received
                return received.videoFrames > before.videoFrames && received.audioFrames > before.audioFrames
            }
            try await eventually { call.answerer.remoteVideo.latest()?.isTestPicture == true }
            try await eventually { call.offerer.localVideo.latest() != nil }
            // While it was held nobody was taken to have turned anything off, nor was anybody lost.
            #expect(call.offererLog.events.filter(\.isPeerMedia).count <= 2)
            for log in [call.offererLog, call.answererLog] { #expect(!log.events.contains(.lost)) }
            for session in [call.offerer, call.answerer] {
                #expect(await session.statistics().received.framesRejected == 0)
            }
            await call.close()
        }

        @Test func `a call that both hold is not taken for lost`() async throws {
            let call = try await Loopback()
            try await call.connect()
            try await call.waitForPictures()
            await call.offerer.setHeld(true)
            await call.answerer.setHeld(true)
            // Longer than a loss takes to be noticed; nothing can be waited for.
            try await Task.sleep(for: LossWatchdog.patience + .seconds(2))
            for log in [call.offererLog, call.answererLog] { #expect(!log.events.contains(.lost)) }
            for session in [call.offerer, call.answerer] { await session.setHeld(false) }
            for session in [call.offerer, call.answerer] {
                try await eventually { session.remoteVideo.latest()?.isTestPicture == true }
            }
            await call.close()
        }

        @Test func `a call that is held before it is connected opens its devices only when it goes on`() async throws {
            let call = try await Loopback()
            // While its devices are being opened.
            await call.offerer.setHeld(true)
            #expect(await call.offerer.devices.open.isEmpty)
            try await call.connect()
            for log in [call.offererLog, call.answererLog] { await log.wait(for: .fingerprintVerified) }
            try await eventually { await call.offerer.statistics().received.framesHeld > 50 }
            let statistics = await call.offerer.statistics()
            #expect(statistics.sent.videoFrames == 0 && statistics.sent.audioFrames == 0)
            #expect(statistics.received.videoFrames == 0 && statistics.received.audioFrames == 0)
            #expect(await call.offerer.devices.open.isEmpty)
            #expect(!call.offererLog.events.contains(.firstVideoFrame))
            await call.offerer.setHeld(false)
            try await call.waitForPictures()
            try await call.waitForOfferer()
            await call.close()
        }

        @Test func `what is switched while a call is held counts when it goes on`() async throws {
            let call = try await Loopback()
            try await call.connect()
            try await call.waitForPictures()
            await call.offerer.setHeld(true)
            await call.offerer.setMicrophoneEnabled(false)
            await call.offerer.setCameraEnabled(false)
            await call.offerer.setCameraEnabled(true)
            #expect(await call.offerer.devices.open.isEmpty)
            await call.offerer.setHeld(false)
            let sent = await call.offerer.statistics().sent
            try await eventually { await call.offerer.statistics().sent.videoFrames > sent.videoFrames }
            // What was on its way when the call was held may still go.
            let quiet = await call.offerer.statistics().sent
            try await eventually { await call.offerer.statistics().sent.videoFrames > quiet.videoFrames + 10 }
            #expect(await call.offerer.statistics().sent.audioFrames == quiet.audioFrames)

            await call.offerer.setHeld(true)
            await call.offerer.setMicrophoneEnabled(true)
            await call.offerer.setCameraEnabled(false)
            #expect(await call.offerer.devices.open.isEmpty)
            await call.offerer.setHeld(false)
            let again = await call.offerer.statistics().sent
            try await eventually { await call.offerer.statistics().sent.audioFrames > again.audioFrames + 10 }
            let dark = await call.offerer.statistics().sent
            try await eventually { await call.offerer.statistics().sent.audioFrames > dark.audioFrames + 20 }
            #expect(await call.offerer.statistics().sent.videoFrames == dark.videoFrames)
            #expect(await call.offerer.devices.open == [.microphone])
            await call.close()
        }

        @Test func `however fast it is held and goes on, the last word counts`() async throws {
            let call = try await Loopback()
            try await call.connect()
            try await call.waitForPictures()
            for last in [true, false] {
                await withTaskGroup(of: Void.self) { group in
                    for turn in 0..<20 { group.addTask { await call.offerer.setHeld(turn.isMultiple(of: 2)) } }
                }
                await call.offerer.setHeld(last)
                await call.offerer.setHeld(last)
                try await eventually {
                    await call.offerer.devices.open == (last ? [] : [.camera, .microphone])
                }
            }
            let sent = await call.offerer.statistics().sent
            try await eventually {
                let now = await call.offerer.statistics().sent
                return now.videoFrames > sent.videoFrames + 5 && now.audioFrames > sent.audioFrames + 5
            }
            await call.close()
        }

        @Test func `a shared screen ends with the hold and is not shared while it lasts`() async throws {
            let call = try await Loopback()
            try await call.connect()
            try await call.waitForPictures()
            await call.offerer.startScreen(.test, sound: .test)
            await call.offererLog.wait(for: .screenSharing(.on(withSound: true)))
            await call.offerer.setHeld(true)
            await call.offererLog.wait { $0.last(where: \.isScreenSharing) == .screenSharing(.off) }
            #expect(await call.offerer.screen.running == nil)
            await call.offerer.startScreen(.test)
            await call.offererLog.wait(for: .notice(.screenWhileHeld))
            #expect(await call.offerer.screen.state == .off)
            await call.offerer.setHeld(false)
            let sent = await call.offerer.statistics().sent
            try await eventually { await call.offerer.statistics().sent.videoFrames > sent.videoFrames + 5 }
            #expect(await call.offerer.statistics().sent.screenFrames <= sent.screenFrames + Self.underway)
            await call.offerer.startScreen(.test)
            try await eventually { call.answerer.remoteScreen.latest()?.isTestScreen == true }
            await call.close()
        }

        @Test func `a transport that takes over on hold is held, and carries the call when it goes on`() async throws {
            let call = try await Loopback()
            try await call.connect()
            try await call.waitForPictures()
            await call.offerer.setHeld(true)
            let held = await call.offerer.statistics()
            try await call.renew(1)
            try await eventually { await !call.offerer.isRetiring }
            let passed = await call.offerer.statistics().received.framesHeld
            try await eventually { await call.offerer.statistics().received.framesHeld > passed + 20 }
            let later = await call.offerer.statistics()
            #expect(later.sent.videoFrames <= held.sent.videoFrames + Self.underway)
            #expect(later.received.videoFrames <= held.received.videoFrames + Self.underway)
            await call.offerer.setHeld(false)
            for session in [call.offerer, call.answerer] {
                let before = await session.statistics().received
                try await eventually {
                    let received = await session.statistics().received
                    return received.videoFrames > before.videoFrames + 5
                        && received.audioFrames > before.audioFrames + 5
                }
                try await eventually { session.remoteVideo.latest()?.isTestPicture == true }
            }
            try await call.closeAndCount()
        }

        @Test func `a call that is held can be closed, and is held no more`() async throws {
            let call = try await Loopback()
            try await call.connect()
            try await call.waitForPictures()
            async let isHeld: Void = call.offerer.setHeld(true)
            await call.offerer.close()
            await isHeld
            await call.offerer.setHeld(false)
            #expect(await call.offerer.devices.open.isEmpty)
            await call.close()
        }
    }
}

extension PeerSessionEvent {
    fileprivate var isScreenSharing: Bool { if case .screenSharing = self { true } else { false } }
}
