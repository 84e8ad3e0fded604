import BaseKit
import Cryptography
import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct FeedNameTests {
    private static let key = SecretBytes([UInt8](repeating: 3, count: 32))

    @Test func `a name says whose feed it is`() {
        let name = FeedName(of: 200, feed: FeedID(4_871_200_913_377), key: Self.key)
        #expect(name.display.hasPrefix("200.") && name.display.utf8.count == 47)
        #expect(FeedName(name.display, feed: FeedID(4_871_200_913_377), key: Self.key) == name)
    }

    @Test func `its code is that of RFC 2104 over label, member and feed`() {
        // Made with Python's hmac.
        let name = FeedName(of: 3, feed: FeedID(1), key: Self.key)
        #expect(name.display == "3.FUtC49DUaqLdH95L3oQepszikiHG2xyewmk3gPUtUoU")
    }

    @Test func `who does not know the key, another feed and another number are strangers`() {
        let name = FeedName(of: 3, feed: FeedID(1), key: Self.key).display
        let other = SecretBytes([UInt8](repeating: 4, count: 32))
        #expect(FeedName(name, feed: FeedID(1), key: other) == nil)
        #expect(FeedName(name, feed: FeedID(2), key: Self.key) == nil)
        let code = name.dropFirst(2)
        for text in [
            "4.\(code)", "03.\(code)", "0.\(code)", "3.\(code)=", "3.", "", ".", "3", "\(code)", "3.\(code.dropLast())",
        ] {
            #expect(FeedName(text, feed: FeedID(1), key: Self.key) == nil)
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct PlausibleFeedbackTests {
    @Test func `feedback about more than was sent is no feedback`() {
        var feedback = PlausibleFeedback()
        for _ in 0..<100 { feedback.sent() }
        let verdicts = [13_662, 100, 100, 65, 64].map { feedback.admits(count: $0) }
        #expect(verdicts == [false, true, false, false, true])
    }

    @Test func `what was sent long before counts for no more than what feedback may be about`() {
        var feedback = PlausibleFeedback()
        for _ in 0..<20_000 { feedback.sent() }
        let isTaken = feedback.admits(count: 13_662)
        #expect(!isTaken)
    }
}

@Suite(.timeLimit(.minutes(5))) struct FeedProofTests {
    private func at(_ milliseconds: Int) -> Instant { Instant(sinceStart: .milliseconds(milliseconds)) }

    @Test func `a feed of which nothing is opened fails after three seconds`() {
        var proof = FeedProof()
        let fails = [0, 900, 1_800, 2_700, 3_600, 3_900, 4_000].map {
            proof.fails(opened: 0, refused: $0, now: at($0))
        }
        #expect(fails == [false, false, false, false, false, true, true])
    }

    @Test func `one opened frame is enough, and silence is no fault`() {
        var proof = FeedProof()
        let fails = [(0, 5, 0), (1, 9, 2_000), (1, 9, 9_000), (1, 12, 10_000), (2, 30, 12_900), (2, 30, 99_000)].map {
            proof.fails(opened: $0.0, refused: $0.1, now: at($0.2))
        }
        #expect(fails == [false, false, false, false, false, false])
    }

    @Test func `a few frames around a change of keys prove nothing`() {
        var proof = FeedProof()
        let fails = [(0, 0), (3, 100), (3, 2_000), (4, 3_200), (4, 9_000), (5, 9_100)].map {
            proof.fails(opened: 0, refused: $0.0, now: at($0.1))
        }
        #expect(fails == [false, false, false, false, false, false])
    }

    @Test
    func `a server is lost when what is sent stays without a word for four seconds, and not while nothing is sent`() {
        var hearing = ServerHearing()
        let changes = [(9, 1, 0), (9, 1, 60_000), (10, 1, 61_000), (20, 1, 64_900), (25, 1, 65_000), (30, 2, 65_100)]
            .map {
                hearing.update(sent: $0.0, packets: $0.1, now: at($0.2))
            }
        #expect(changes == [nil, nil, nil, nil, true, false])
    }

    @Test func `a way is broken when nothing at all comes for eight seconds, once something came`() {
        var (feed, server) = (FeedHearing(), ServerHearing())
        let broken = [(0, 5, 0), (0, 5, 20_000), (1, 9, 21_000), (1, 10, 25_000), (1, 10, 32_900), (1, 10, 33_000)].map
        {
            (opened, packets, time) -> Bool in
            _ = feed.update(opened: opened, packets: packets, now: at(time))
            return feed.isBroken
        }
        #expect(broken == [false, false, false, false, false, true])
        let lost = [(1, 1, 0), (2, 1, 100), (3, 1, 4_100), (3, 1, 8_000), (3, 1, 8_100), (3, 2, 8_200)].map {
            (sent, packets, time) -> Bool in
            _ = server.update(sent: sent, packets: packets, now: at(time))
            return server.isBroken
        }
        #expect(lost == [false, false, false, false, true, false])
    }

    @Test func `sound that does not come for a second is off`() {
        var hearing = FeedHearing()
        let heard = [(0, 0), (1, 100), (1, 1_100), (1, 1_101), (2, 1_200)].map { (sounds, time) -> Bool in
            hearing.hear(sounds: sounds, now: at(time))
            return hearing.hasSound(now: at(time))
        }
        #expect(heard == [false, true, true, false, true])
    }

    @Test func `a voice and the sound of a screen come and go each for itself`() {
        var hearing = FeedHearing()
        let heard = [(1, 0, 0), (1, 3, 1_100), (2, 3, 1_200), (3, 3, 2_150)].map {
            (voice, screen, time) -> [Bool] in
            hearing.hear(sounds: voice, ofScreen: screen, now: at(time))
            return [hearing.hasSound(now: at(time)), hearing.hasScreenSound(now: at(time))]
        }
        #expect(heard == [[true, false], [false, true], [true, true], [true, false]])
    }

    @Test func `who is not opened for four seconds is silent`() {
        var hearing = FeedHearing()
        let changes = [(0, 0), (3, 100), (3, 4_000), (3, 4_100), (4, 5_000)].map {
            hearing.update(opened: $0.0, packets: $0.0, now: at($0.1))
        }
        #expect(changes == [nil, true, nil, false, true])
    }
}

/// What a forwarding server says.
@Suite(.timeLimit(.minutes(5))) struct ServerDescriptionTests {
    private static let offer = """
        v=0
        o=- 1 1 IN IP4 10.0.0.2
        s=VideoRoom 1
        t=0 0
        a=group:BUNDLE 0 1
        a=ice-options:trickle
        a=fingerprint:\(OfferText.fingerprint)
        a=extmap-allow-mixed
        a=msid-semantic: WMS *
        m=audio 9 UDP/TLS/RTP/SAVPF 111
        c=IN IP4 10.0.0.2
        a=sendonly
        a=mid:0
        a=rtcp-mux
        a=ice-ufrag:abcd
        a=ice-pwd:abcdefghijklmnopqrstuv
        a=setup:actpass
        a=rtpmap:111 opus/48000/2
        a=extmap:1 urn:ietf:params:rtp-hdrext:sdes:mid
        a=ssrc:11 cname:janus
        a=candidate:1 1 udp 2015363327 10.0.0.2 20001 typ host
        m=video 9 UDP/TLS/RTP/SAVPF 96 97
        c=IN IP4 10.0.0.2
        a=sendrecv
        a=mid:1
        a=rtcp-mux
        a=ice-ufrag:abcd
        a=ice-pwd:abcdefghijklmnopqrstuv
        a=setup:actpass
        a=rtpmap:96 VP8/90000
        a=rtcp-fb:96 ccm fir
        a=rtcp-fb:96 nack
        a=rtcp-fb:96 nack pli
        a=rtcp-fb:96 transport-cc
        a=extmap:1 urn:ietf:params:rtp-hdrext:sdes:mid
        a=extmap:2 http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time
        a=extmap:3 http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01
        a=rtpmap:97 rtx/90000
        a=fmtp:97 apt=96
        a=ssrc:12 cname:janus

        """

    /// The same of a feed that has a line for its screen's sound.
    private static let offerWithScreenSound =
        offer.replacing("BUNDLE 0 1", with: "BUNDLE 0 1 2")
        + "m=audio"
        + offer.split(separator: "m=audio")[1].split(separator: "m=video")[0].replacing("a=mid:0", with: "a=mid:2")
        .replacing("a=ssrc:11", with: "a=ssrc:13")

    private func lines(_ text: String, _ start: String) -> [String] {
        text.split(separator: "\r\n").map(String.init).filter { $0.hasPrefix(start) }
    }

    @Test func `its offer is written so that we are the server of DTLS, and it only sends`() throws {
        let peer = try PeerDescription(offerOfServer: Self.offer)
        #expect(lines(peer.text, "a=setup:") == ["a=setup:active", "a=setup:active"])
        #expect(lines(peer.text, "a=send") == ["a=sendonly", "a=sendonly"])
        #expect(peer.candidates.count == 1 && lines(peer.text, "a=candidate").isEmpty)
    }

    @Test func `it may have a line for the sound of a screen, and no further one`() throws {
        let peer = try PeerDescription(offerOfServer: Self.offerWithScreenSound)
        #expect(lines(peer.text, "a=sendonly").count == 3 && peer.mids == ["0", "1", "2"])
        let sound = try #require(MediaLabel(receiving: .screenSound, of: peer))
        #expect(sound.mid == "2" && sound.payloadType == 111)
        // An older peer's feed has none.
        #expect(MediaLabel(receiving: .screenSound, of: try PeerDescription(offerOfServer: Self.offer)) == nil)
        let second = Self.offer.split(separator: "m=video")[1].replacing("a=mid:1", with: "a=mid:3")
        let four =
            Self.offerWithScreenSound.replacing("BUNDLE 0 1 2", with: "BUNDLE 0 1 2 3") + "m=video" + second
        #expect(throws: DescriptionError.mediaCount(4)) { try PeerDescription(offerOfServer: four) }
        let swapped = Self.offerWithScreenSound.replacing(
            "m=video 9 UDP/TLS/RTP/SAVPF 96 97", with: "m=audio 9 UDP/TLS/RTP/SAVPF 111")
        #expect(throws: DescriptionError.mediaKind(1)) { try PeerDescription(offerOfServer: swapped) }
    }

    @Test func `when packets left is taken from it, feedback on each packet is not`() throws {
        let peer = try PeerDescription(offerOfServer: Self.offer)
        let camera = try #require(MediaLabel(receiving: .camera, of: peer))
        #expect(camera.sendTimeExtension == 2 && camera.payloadType == 96)
        #expect(try #require(MediaLabel(receiving: .microphone, of: peer)).sendTimeExtension == nil)
        #expect(!peer.text.contains("transport-cc") && !peer.text.contains("transport-wide"))
        #expect(!camera.receivingCaps.contains("ssrc"))
    }

    @Test func `what is said of a member's description stays as it was`() throws {
        let offer = OfferText.changed { _ in }
        let peer = try PeerDescription(offer: offer)
        #expect(lines(peer.text, "a=setup:").allSatisfy { $0 == "a=setup:actpass" })
    }

    @Test func `without fingerprint, encryption or one of the two media there is no feed`() throws {
        let broken: [(String, DescriptionError)] = [
            (Self.offer.replacing("a=fingerprint:", with: "a=nothing:"), .missingFingerprint),
            (Self.offer.replacing("UDP/TLS/RTP/SAVPF 96", with: "RTP/AVPF 96"), .notEncrypted(1)),
            (Self.offer.replacing("VP8/90000", with: "H264/90000"), .missingCodec("VP8")),
            (Self.offer.replacing("BUNDLE 0 1", with: "BUNDLE 0"), .notBundled),
            (String(Self.offer.split(separator: "m=video")[0]), .mediaCount(1)),
        ]
        for (text, error) in broken {
            #expect(throws: error) { try PeerDescription(offerOfServer: text) }
        }
    }

    @Test func `its answer only takes, and has our lines`() throws {
        let answer = Self.offer.replacing("a=setup:actpass", with: "a=setup:active")
        let peer = try PeerDescription(answerOfServer: answer, offeredMids: ["0", "1"])
        #expect(lines(peer.text, "a=recvonly").count == 2 && peer.text.contains("transport-cc"))
        #expect(throws: DescriptionError.midsDiffer) {
            try PeerDescription(answerOfServer: answer, offeredMids: ["0", "2"])
        }
        #expect(throws: DescriptionError.setupRole) {
            try PeerDescription(answerOfServer: Self.offer, offeredMids: ["0", "1"])
        }
    }
}
