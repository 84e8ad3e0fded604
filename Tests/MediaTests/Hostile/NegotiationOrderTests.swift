import BaseKit
import CGStreamer
import Testing

@testable import Media
@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct PromiseTests {
    @Test func `a promise that nobody keeps is given up`() async throws {
        try MediaRuntime.start()
        let kept = Shared<[UInt]>([])
        let reply = await Promise.reply(within: .milliseconds(30)) { promise in
            // Somebody holds it and never replies.
            gst_promise_ref(promise.assumingMemoryBound(to: GstPromise.self))
            kept.value.append(UInt(bitPattern: promise))
        }
        #expect(reply.error == "no reply in time")
        for address in kept.value {
            if let promise = UnsafeMutablePointer<GstPromise>(bitPattern: address) { gst_promise_unref(promise) }
        }
    }
}

extension RealMedia {
    /// Descriptions and candidates that come too early, too late, twice or never.
    @Suite struct NegotiationOrderTests {
        @Test func `an answer before the offer is refused, and the call can still be made`() async throws {
            let call = try await Loopback()
            await #expect(throws: MediaError.negotiation(.unexpectedAnswer)) {
                try await call.offerer.apply(answer: "v=0", candidates: [])
            }
            try await call.connect()
            try await call.waitForPictures()
            await call.close()
        }

        @Test func `a second offer changes nothing of the call`() async throws {
            let call = try await Loopback()
            let offer = try await call.offerer.makeOffer()
            let answer = try await call.answerer.makeAnswer(to: offer.sdp, candidates: offer.candidates)
            let other = offer.sdp.replacing("a=mid:0", with: "a=mid:x").replacing("BUNDLE 0", with: "BUNDLE x")
            for text in [offer.sdp, other, PeerSecurityTests.withForgedFingerprint(offer.sdp)] {
                await #expect(throws: MediaError.negotiation(.unexpectedOffer)) {
                    try await call.answerer.makeAnswer(to: text, candidates: [])
                }
            }
            try await call.offerer.apply(answer: answer.sdp, candidates: answer.candidates)
            try await call.waitForPictures()
            await call.close()
        }

        @Test func `a second answer, also with another certificate, changes nothing of the call`() async throws {
            let call = try await Loopback()
            let offer = try await call.offerer.makeOffer()
            let answer = try await call.answerer.makeAnswer(to: offer.sdp, candidates: offer.candidates)
            try await call.offerer.apply(answer: answer.sdp, candidates: answer.candidates)
            for text in [answer.sdp, PeerSecurityTests.withForgedFingerprint(answer.sdp)] {
                await #expect(throws: MediaError.negotiation(.unexpectedAnswer)) {
                    try await call.offerer.apply(answer: text, candidates: [])
                }
            }
            try await call.waitForPictures()
            await call.close()
        }

        @Test func `a session that answers makes no offer, and one that offers answers none`() async throws {
            let call = try await Loopback()
            let offer = try await call.offerer.makeOffer()
            await #expect(throws: MediaError.self) { try await call.offerer.makeOffer() }
            await #expect(throws: MediaError.self) {
                try await call.offerer.makeAnswer(to: offer.sdp, candidates: [])
            }
            _ = try await call.answerer.makeAnswer(to: offer.sdp, candidates: [])
            await #expect(throws: MediaError.self) { try await call.answerer.makeOffer() }
            await call.close()
        }

        @Test
        func `candidates before the description wait for it, again and again count once, after the end are nothing`()
            async throws
        {
            let call = try await Loopback()
            let offer = try await call.offerer.makeOffer()
            // The first are kept; of a flood only as many as are used at all.
            let flood = (0..<5_000).map {
                MediaCandidate(
                    candidate: "candidate:1 1 udp 1 192.0.2.\($0 % 250 + 1) \($0 + 1_000) typ host", mid: "0",
                    mLineIndex: 0)
            }
            await call.answerer.add(offer.candidates + offer.candidates + flood)
            let answer = try await call.answerer.makeAnswer(to: offer.sdp, candidates: [])
            try await call.offerer.apply(answer: answer.sdp, candidates: answer.candidates + answer.candidates)
            try await call.waitForPictures()
            await call.answerer.add(offer.candidates)
            #expect(await call.answerer.statistics().candidatesRejected > 0)
            await call.close()
            await call.answerer.add(offer.candidates + flood)
        }

        @Test func `a peer that names our own addresses, names and addresses of nobody is told from one that is there`()
            async throws
        {
            let call = try await Loopback()
            let offer = try await call.offerer.makeOffer()
            let answer = try await call.answerer.makeAnswer(to: offer.sdp, candidates: offer.candidates)
            let nonsense = [
                "attacker.example.org", "x.local", "0.0.0.0", "224.0.0.1", "255.255.255.255", "fe80::1", "ff02::1",
            ].map {
                MediaCandidate(candidate: "candidate:1 1 udp 1 \($0) 9 typ host", mid: "0", mLineIndex: 0)
            }
            // Its own first: checks sent there would come back to the sender.
            try await call.offerer.apply(
                answer: answer.sdp, candidates: offer.candidates + nonsense + answer.candidates)
            #expect(await call.offerer.statistics().candidatesRejected >= nonsense.count + offer.candidates.count)
            try await call.waitForPictures()
            await call.close()
        }
    }
}
