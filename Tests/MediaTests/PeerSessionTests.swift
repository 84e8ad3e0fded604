import Cryptography
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    @Suite struct PeerSessionTests {
        @Test func `two sessions show each other's encrypted pictures`() async throws {
            let call = try await Loopback()
            try await call.connect()
            try await call.waitForPictures()
            for session in [call.offerer, call.answerer] {
                try await eventually { session.remoteVideo.latest()?.isTestPicture == true }
                let statistics = await session.statistics()
                #expect(statistics.frameEncryption == "aes-256-gcm")
                #expect(statistics.fingerprintVerified)
                #expect(statistics.received.framesRejected == 0)
                #expect(statistics.sent.videoFrames > 0 && statistics.sent.audioFrames > 0)
                #expect(statistics.received.videoFrames > 0 && statistics.received.audioFrames > 0)
            }
            await call.close()
        }

        @Test func `a side that draws nothing keeps the sizes of pictures alone, and the other sees its own`()
            async throws
        {
            let call = try await Loopback { offerer, _ in offerer.drawsPictures = false }
            try await call.connect()
            try await call.waitForPictures()
            try await eventually { call.offerer.remoteVideo.latest() != nil }
            let picture = try #require(call.offerer.remoteVideo.latest())
            #expect(picture.width > 0 && picture.height > 0 && picture.pixels.isEmpty)
            #expect(call.offerer.localVideo.latest() == nil)
            try await eventually { call.answerer.remoteVideo.latest()?.isTestPicture == true }
            try await eventually { call.answerer.localVideo.latest()?.pixels.isEmpty == false }
            await call.close()
        }

        @Test func `offer and answer ask for sound that repairs single losses`() async throws {
            let call = try await Loopback()
            let offer = try await call.offerer.makeOffer()
            let answer = try await call.answerer.makeAnswer(to: offer.sdp, candidates: offer.candidates)
            for sdp in [offer.sdp, answer.sdp] {
                let media = try SessionDescription(parsing: sdp).media
                for medium in media where medium.kind == "audio" {
                    let parameters = try #require(medium["fmtp"])
                    #expect(parameters.hasPrefix("111 "))
                    #expect(
                        parameters.contains("minptime=10") && parameters.contains("useinbandfec=1"), "\(parameters)")
                }
            }
            await call.close()
        }

        @Test func `bytes and path are told, also after the end`() async throws {
            let call = try await Loopback()
            #expect(await call.offerer.statistics().path == nil)
            try await call.connect()
            try await call.waitForPictures()
            await call.close()
            let (here, there) = (await call.offerer.statistics(), await call.answerer.statistics())
            for (one, other) in [(here, there), (there, here)] {
                // What one got the other had sent: the picture that was waited for, and at the end a few packets were on their way.
                #expect(one.received.bytes > 1_000 && one.received.bytes <= other.sent.bytes)
                let path = try #require(one.path)
                #expect(!path.isRelayed && path.transport == .udp)
            }
        }

        @Test func `events come in the order of a set-up`() async throws {
            let call = try await Loopback()
            try await call.connect()
            try await call.waitForPictures()
            await call.close()
            for log in [call.offererLog, call.answererLog] {
                let events = log.events
                let order: [PeerSessionEvent] = [.iceConnected, .dtlsConnected, .fingerprintVerified, .firstVideoFrame]
                let places = order.map { events.firstIndex(of: $0) ?? .max }
                #expect(places == places.sorted() && !places.contains(.max))
            }
        }

        @Test func `no library complains of how it is used during a call`() async throws {
            let complaints = LibraryComplaints.counted
            let call = try await Loopback()
            try await call.connect()
            try await call.waitForPictures()
            await call.close()
            #expect(LibraryComplaints.counted == complaints)
        }

        @Test func `a call without frame encryption works where both agreed to it`() async throws {
            let call = try await Loopback(key: nil)
            try await call.connect()
            try await call.waitForPictures()
            #expect(await call.offerer.statistics().frameEncryption == "none")
            #expect(await call.answerer.statistics().received.framesRejected == 0)
            await call.close()
        }

        @Test func `frames flow once the key is decided, not before`() async throws {
            let call = try await Loopback { offerer, _ in offerer.frameEncryption = .undecided }
            try await call.connect()
            await call.offererLog.wait(for: .fingerprintVerified)
            await call.answererLog.wait(for: .fingerprintVerified)
            #expect(await call.offerer.statistics().sent.videoFrames == 0)
            #expect(await call.offerer.statistics().received.videoFrames == 0)
            await call.offerer.setFrameEncryption(.aes256GCM(SecretBytes([UInt8](repeating: 7, count: 32))))
            try await call.waitForPictures()
            await call.close()
        }

        @Test func `with another key nothing is shown and every frame is counted`() async throws {
            let call = try await Loopback(offererKey: SecretBytes([UInt8](repeating: 8, count: 32)))
            try await call.connect()
            try await eventually { await call.offerer.statistics().received.framesRejected > 5 }
            try await eventually { await call.answerer.statistics().received.framesRejected > 5 }
            for session in [call.offerer, call.answerer] {
                let received = await session.statistics().received
                #expect(received.videoFrames == 0 && received.audioFrames == 0)
                #expect(session.remoteVideo.latest() == nil)
            }
            await call.close()
        }

        @Test func `encrypted frames are not shown by a side that expects none`() async throws {
            let call = try await Loopback(offererKey: .some(nil))
            try await call.connect()
            // The answerer sees clear frames where it wants sealed ones.
            try await eventually { await call.answerer.statistics().received.framesRejected > 5 }
            #expect(await call.answerer.statistics().received.videoFrames == 0)
            await call.close()
        }
    }
}

/// Tests that run GStreamer, one after the other: two cores carry one call at a time.
@Suite(.serialized, .timeLimit(.minutes(5)), .closing) struct RealMedia {}

extension Loopback {
    /// Waits until each side has decoded the other's picture and sound.
    func waitForPictures() async throws {
        for log in [offererLog, answererLog] {
            await log.wait(for: .firstVideoFrame)
            await log.wait(for: .firstAudioFrame)
        }
    }
}
