import Cryptography
import Testing

@testable import Media

extension RealMedia {
    @Suite struct PeerSessionTests {
        @Test func `two sessions show each other's encrypted pictures`() async throws {
            let call = try await Loopback()
            do { try await call.connect() } catch {
                print(call.offererLog.events, call.answererLog.events)
                throw error
            }
            await call.offererLog.wait(for: .firstVideoFrame)
            await call.answererLog.wait(for: .firstVideoFrame)
            await call.offererLog.wait(for: .firstAudioFrame)
            await call.answererLog.wait(for: .firstAudioFrame)
            for session in [call.offerer, call.answerer] {
                try await eventually { session.remoteVideo.latest()?.isTestPicture == true }
                let statistics = await session.statistics()
                #expect(statistics.frameEncryption == "aes-256-gcm")
                #expect(statistics.fingerprintVerified)
                #expect(statistics.received.framesRejected == 0)
            }
            await call.close()
        }
    }
}

/// Tests that run GStreamer, one after the other: two cores carry one call at a time.
@Suite(.serialized, .timeLimit(.minutes(1))) struct RealMedia {}
