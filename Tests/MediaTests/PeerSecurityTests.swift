import Cryptography
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    @Suite struct PeerSecurityTests {
        /// The text with every fingerprint replaced by one of a certificate that nobody has.
        static func withForgedFingerprint(_ sdp: String) -> String {
            DescriptionText.with(fingerprint: Fingerprint(certificate: [1, 2, 3]), in: sdp)
        }

        @Test func `a forged fingerprint in the offer ends the answerer's session with no frame sent or shown`()
            async throws
        {
            let call = try await Loopback()
            try await call.connect(offer: Self.withForgedFingerprint)
            await call.answererLog.wait(for: .fingerprintMismatch)
            #expect(call.answererLog.events.contains(.fingerprintMismatch))
            #expect(!call.answererLog.events.contains(.fingerprintVerified))
            let statistics = await call.answerer.statistics()
            #expect(statistics.received.hasNoFrames && statistics.sent.hasNoFrames)
            #expect(!statistics.fingerprintVerified)
            #expect(call.answerer.remoteVideo.latest() == nil)
            await call.close()
        }

        @Test func `a forged fingerprint in the answer ends the offerer's session with no frame sent or shown`()
            async throws
        {
            let call = try await Loopback()
            try await call.connect(answer: Self.withForgedFingerprint)
            await call.offererLog.wait(for: .fingerprintMismatch)
            #expect(call.offererLog.events.contains(.fingerprintMismatch))
            let statistics = await call.offerer.statistics()
            #expect(statistics.received.hasNoFrames && statistics.sent.hasNoFrames)
            await call.close()
        }

        @Test func `an offer without fingerprint is refused before anything is contacted`() async throws {
            let call = try await Loopback()
            let offer = try await call.offerer.makeOffer()
            let stripped = offer.sdp.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("a=fingerprint") }
                .joined(separator: "\r\n")
            await #expect(throws: MediaError.description(.missingFingerprint)) {
                try await call.answerer.makeAnswer(to: stripped, candidates: offer.candidates)
            }
            await call.close()
        }

        @Test func `an answer without fingerprint is refused`() async throws {
            let call = try await Loopback()
            await #expect(throws: MediaError.description(.missingFingerprint)) {
                try await call.connect(answer: { text in
                    text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("a=fingerprint") }
                        .joined(separator: "\r\n")
                })
            }
            await call.close()
        }

        @Test func `each call has a certificate of its own`() async throws {
            let first = try await Loopback()
            let second = try await Loopback()
            let one = try PeerDescription(offer: try await first.offerer.makeOffer().sdp)
            let other = try PeerDescription(offer: try await second.offerer.makeOffer().sdp)
            #expect(one.fingerprint != other.fingerprint)
            await first.close()
            await second.close()
        }

        @Test func `a closed session refuses everything with a typed error`() async throws {
            let call = try await Loopback()
            await call.close()
            await #expect(throws: MediaError.closed) { try await call.offerer.makeOffer() }
            await #expect(throws: MediaError.closed) { try await call.answerer.makeAnswer(to: "", candidates: []) }
            await #expect(throws: MediaError.closed) { try await call.offerer.apply(answer: "", candidates: []) }
        }
    }
}

extension MediaStatistics.Direction {
    /// Whether not one frame was counted; bytes there are, those of DTLS.
    fileprivate var hasNoFrames: Bool {
        var others = self
        others.bytes = 0
        return others == MediaStatistics.Direction()
    }
}
