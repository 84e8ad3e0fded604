import BaseKit
import TestSupport
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    /// What the two ends of a call say of their sources.
    @Suite(.timeLimit(.minutes(5))) struct StatementTests {
        @Test func `a peer hears of microphone, camera and hold before their silence could tell`() async throws {
            let call = try await Loopback()
            try await call.connect()
            try await call.waitForPictures()
            let all = PeerMedia(microphone: true, camera: true)
            await call.answererLog.wait { $0.last(where: \.isPeerMedia) == .peerMedia(all) }
            await call.offerer.setMicrophoneEnabled(false)
            // Its silence would take three seconds, in which much else arrives.
            let before = await call.answerer.statistics().received.videoFrames
            await call.answererLog.wait(for: .peerMedia(PeerMedia(microphone: false, camera: true)))
            #expect(await call.answerer.statistics().received.videoFrames - before < 60)
            await call.offerer.setCameraEnabled(false)
            await call.answererLog.wait(for: .peerMedia(PeerMedia(microphone: false, camera: false)))
            #expect(call.answerer.remoteVideo.latest() == nil)
            await call.offerer.setHeld(true)
            await call.answererLog.wait(for: .peerHeld(true))
            await call.offerer.setHeld(false)
            await call.answererLog.wait(for: .peerHeld(false))
            await call.close()
        }

        @Test func `a peer that does not announce it is told nothing, and its silence is noticed`() async throws {
            let call = try await Loopback()
            try await call.connect(answer: { $0.replacing("a=x-parley-state:1\r\n", with: "") })
            try await call.waitForPictures()
            await call.offerer.setHeld(true)
            await call.answererLog.wait(for: .peerMedia(PeerMedia(microphone: false, camera: false)))
            #expect(!call.answererLog.events.contains(.peerHeld(true)))
            await call.close()
        }

        @Test func `what is switched is told on a new transport, too`() async throws {
            let call = try await Loopback()
            try await call.connect()
            try await call.waitForPictures()
            try await call.renew(1)
            try await eventually { await !call.offerer.isRetiring }
            await call.offerer.setHeld(true)
            await call.answererLog.wait(for: .peerHeld(true))
            await call.close()
        }

        @Test func `how loud the peer speaks is measured while somebody looks, and silence says nothing`() async throws
        {
            let call = try await Loopback()
            var steps = call.answerer.speakingSteps().makeAsyncIterator()
            #expect(await steps.next() == 0)
            try await call.connect()
            // The test's tone.
            #expect(try #require(await steps.next()) > 0)
            await call.offerer.setMicrophoneEnabled(false)
            while let step = await steps.next(), step > 0 {}
            await call.close()
            // The stream ends, behind what a sound that was late may still have told.
            while await steps.next() != nil {}
        }

        @Test func `the names of the formats and the version of the path are those of the call`() async throws {
            let call = try await Loopback()
            #expect(await call.offerer.statistics().codecs == MediaStatistics.Codecs())
            try await call.connect()
            try await call.waitForPictures()
            for session in [call.offerer, call.answerer] {
                let codecs = await session.statistics().codecs
                #expect(codecs.sound?.lowercased() == "opus" && codecs.pictures?.lowercased() == "vp8")
                try await eventually { await session.statistics().path?.version != nil }
            }
            await call.close()
        }
    }
}
