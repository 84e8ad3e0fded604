import Foundation
import TestSupport
import Testing

@testable import MediaRules

/// A description as a browser makes it, with parts that a test may change.
struct OfferText {
    static let fingerprint = "sha-256 " + (0..<32).map { _ in "AB" }.joined(separator: ":")

    var kinds = ["audio", "video", "audio", "video"]
    var mids = ["0", "1", "2", "3"]
    var bundle: [String]? = ["0", "1", "2", "3"]
    var fingerprints = [OfferText.fingerprint]
    var setup: String? = "actpass"
    var fragment: String? = "abcd"
    var password: String? = "0123456789012345678901"
    var transport = "UDP/TLS/RTP/SAVPF"
    var extra: [String] = []

    var text: String {
        var lines = ["v=0", "o=- 1 2 IN IP4 127.0.0.1", "s=-", "t=0 0"]
        if let bundle { lines.append("a=group:BUNDLE " + bundle.joined(separator: " ")) }
        for (index, kind) in kinds.enumerated() {
            let format = kind == "audio" ? "111" : "96"
            lines += ["m=\(kind) 9 \(transport) \(format) 63", "c=IN IP4 0.0.0.0"]
            if mids.indices.contains(index) { lines.append("a=mid:\(mids[index])") }
            lines += fingerprints.map { "a=fingerprint:\($0)" }
            if let fragment { lines.append("a=ice-ufrag:\(fragment)") }
            if let password { lines.append("a=ice-pwd:\(password)") }
            if let setup { lines.append("a=setup:\(setup)") }
            lines += ["a=sendrecv", "a=rtcp-mux", "a=extmap:4 \(HeaderExtension.mid)"]
            lines.append(kind == "audio" ? "a=rtpmap:111 opus/48000/2" : "a=rtpmap:96 VP8/90000")
            lines += extra
        }
        return lines.map { $0 + "\r\n" }.joined()
    }

    /// The offer with some parts changed.
    static func changed(_ change: (inout OfferText) -> Void) -> String {
        var offer = OfferText()
        change(&offer)
        return offer.text
    }
}

@Suite(.timeLimit(.minutes(5))) struct PeerDescriptionTests {
    private func refusal(_ change: (inout OfferText) -> Void) -> DescriptionError? {
        do {
            _ = try PeerDescription(offer: OfferText.changed(change))
            return nil
        } catch {
            return error
        }
    }

    /// What GStreamer would read as a candidate must not reach it past the filter: it passes over blanks behind "=".
    @Test(arguments: [" ", "\t", "  "]) func `a candidate behind a blank is refused`(blank: String) {
        let line = "a=\(blank)candidate:1 1 udp 1 host.example 9 typ host"
        guard case .malformedLine = refusal({ $0.extra = [line] }) else {
            Issue.record("It was not refused.")
            return
        }
    }

    /// Marks that join the character before them: compared as characters, such a line begins with none of our words. GStreamer
    /// compares bytes.
    @Test(arguments: ["\u{301}", "\u{200D}", "\u{FE0F}", "\u{20DD}", "\u{1F3FD}"])
    func `a candidate with a mark that joins its name is refused`(mark: String) {
        for line in ["a=candidate:\(mark)1 1 udp 1 host.local 9 typ host", "a=\(mark)candidate:1 1 udp 1 h 9 typ host"]
        {
            guard case .malformedLine = refusal({ $0.extra = [line] }) else {
                Issue.record("It was not refused.")
                return
            }
        }
    }

    @Test func `only ASCII passes, wherever it is`() {
        for line in ["s=Björn", "i=\u{301}", "a=x-name:é", "a=é", "a=x\u{7F}", "a=x\ty", "c=IN IP4 １"] {
            guard case .malformedLine = refusal({ $0.extra = [line] }) else {
                Issue.record("\(line) was not refused.")
                continue
            }
        }
    }

    @Test func `a session name that is a blank is read`() throws {
        let text = OfferText().text.replacing("s=-", with: "s= ")
        #expect(throws: Never.self) { try PeerDescription(offer: text) }
    }

    @Test func `a browser's offer is read`() throws {
        let peer = try PeerDescription(offer: OfferText().text)
        #expect(peer.mids == ["0", "1", "2", "3"])
        #expect(peer.fingerprint.bytes == [UInt8](repeating: 0xAB, count: 32))
        #expect(peer.description.media[0].payloadType(of: .opus) == 111)
        #expect(peer.description.media[1].payloadType(of: .vp8) == 96)
        #expect(peer.description.media[1].knownExtensions == [4: HeaderExtension.mid])
    }

    @Test func `two m-lines of an older peer are read`() throws {
        let text = OfferText.changed {
            $0.kinds = ["audio", "video"]
            $0.bundle = ["0", "1"]
        }
        #expect(try PeerDescription(offer: text).mids == ["0", "1"])
    }

    @Test func `the one m-line of an older peer's call without pictures is read`() throws {
        let text = OfferText.changed {
            $0.kinds = ["audio"]
            $0.bundle = ["0"]
        }
        let peer = try PeerDescription(offer: text)
        #expect(peer.mids == ["0"])
        #expect(peer.isOlder)
    }

    @Test func `a peer of today is told from an older one`() throws {
        #expect(try !PeerDescription(offer: OfferText().text).isOlder)
        let answer = OfferText.changed { $0.setup = "active" }
        #expect(try !PeerDescription(answer: answer, offeredMids: ["0", "1", "2", "3"]).isOlder)
        let older = answer.replacing("a=mid:2\r\n", with: "a=mid:2\r\na=recvonly\r\n")
        #expect(try PeerDescription(answer: older, offeredMids: ["0", "1", "2", "3"]).isOlder)
    }

    @Test func `an answer with one m-line is refused`() {
        let text = OfferText.changed {
            $0.kinds = ["audio"]
            $0.bundle = ["0"]
            $0.setup = "active"
        }
        #expect(throws: DescriptionError.mediaCount(1)) { try PeerDescription(answer: text, offeredMids: ["0"]) }
    }

    @Test func `no fingerprint, no call`() {
        #expect(refusal { $0.fingerprints = [] } == .missingFingerprint)
    }

    @Test func `several fingerprints are refused unless they are the same`() {
        let other = Fingerprint(certificate: [1]).attribute
        #expect(refusal { $0.fingerprints = [OfferText.fingerprint, other] } == .conflictingFingerprints)
        #expect(refusal { $0.fingerprints = [OfferText.fingerprint, OfferText.fingerprint] } == nil)
    }

    @Test func `only SHA-256 counts as a fingerprint`() {
        #expect(refusal { $0.fingerprints = ["sha-1 AB:CD"] } == .unsupportedFingerprint)
        #expect(refusal { $0.fingerprints = ["sha-1 AB:CD", OfferText.fingerprint] } == nil)
    }

    @Test(arguments: [
        "sha-256", "sha-256 AB", "sha-256 zz" + String(repeating: ":AB", count: 31), "",
        "sha-256 +1" + String(repeating: ":AB", count: 31),
    ])
    func `a malformed fingerprint is refused`(value: String) {
        #expect(refusal { $0.fingerprints = [value] } == .malformedFingerprint)
    }

    @Test func `the number of m-lines is one, two or four`() {
        for count in [0, 3, 5, 50] {
            let error = refusal {
                $0.kinds = (0..<count).map { $0.isMultiple(of: 2) ? "audio" : "video" }
                $0.mids = (0..<count).map(String.init)
                $0.bundle = $0.mids
            }
            #expect(error == .mediaCount(count))
        }
    }

    @Test func `m-lines of another kind or order are refused`() {
        #expect(refusal { $0.kinds = ["video", "audio", "audio", "video"] } == .mediaKind(0))
        #expect(refusal { $0.kinds = ["audio", "video", "audio", "application"] } == .mediaKind(3))
    }

    @Test func `media without DTLS is refused`() {
        #expect(refusal { $0.transport = "RTP/AVP" } == .notEncrypted(0))
    }

    @Test func `mids have to be there, short and different`() {
        #expect(refusal { $0.mids = [] } == .missingMid(0))
        #expect(refusal { $0.mids[2] = String(repeating: "x", count: 33) } == .missingMid(2))
        #expect(refusal { $0.mids[3] = "0" } == .duplicateMid("0"))
    }

    @Test func `everything has to be in one bundle`() {
        #expect(refusal { $0.bundle = nil } == .notBundled)
        #expect(refusal { $0.bundle = ["0", "1"] } == .notBundled)
    }

    @Test func `ICE credentials have to be there and of a sane length`() {
        #expect(refusal { $0.fragment = nil } == .missingICECredentials(0))
        #expect(refusal { $0.fragment = "abc" } == .missingICECredentials(0))
        #expect(refusal { $0.password = "short" } == .missingICECredentials(0))
        #expect(refusal { $0.password = String(repeating: "x", count: 257) } == .missingICECredentials(0))
    }

    @Test func `a peer is told of its size where it says so before its media, in a known version`() throws {
        let plain = OfferText().text
        #expect(try !PeerDescription(offer: plain).takesView)
        #expect(try PeerDescription(offer: ViewAnnouncement.added(to: plain)).takesView)
        #expect(try !PeerDescription(offer: plain + "a=x-parley-view:1\r\n").takesView)
        let later = ViewAnnouncement.added(to: plain).replacing("x-parley-view:1", with: "x-parley-view:2")
        #expect(try !PeerDescription(offer: later).takesView)
    }

    @Test func `a peer gives estimates of the rate where a medium of it says so`() throws {
        let plain = OfferText().text
        #expect(try !PeerDescription(offer: plain).givesEstimates)
        #expect(try PeerDescription(offer: plain + "a=rtcp-fb:96 goog-remb\r\n").givesEstimates)
        #expect(try !PeerDescription(offer: plain + "a=rtcp-fb:96 not-goog-remb\r\n").givesEstimates)
    }

    @Test func `a peer tells of each packet where a medium of it says so and numbers them`() throws {
        let plain = OfferText().text
            .replacing(HeaderExtension.feedback, with: "urn:x:other").replacing(" transport-cc", with: " x-other")
        let (extensionLine, feedbackLine) = (
            "a=extmap:3 \(HeaderExtension.feedback)\r\n", "a=rtcp-fb:96 transport-cc\r\n"
        )
        #expect(try !PeerDescription(offer: plain).givesFeedback)
        #expect(try !PeerDescription(offer: plain + extensionLine).givesFeedback)
        #expect(try !PeerDescription(offer: plain + feedbackLine).givesFeedback)
        #expect(try PeerDescription(offer: plain + extensionLine + feedbackLine).givesFeedback)
    }

    @Test func `a peer is told of sources where it says so, whether or not it is told of sizes`() throws {
        let plain = OfferText().text
        #expect(try !PeerDescription(offer: plain).takesStatements)
        let announced = ViewAnnouncement.added(to: plain)
        #expect(try PeerDescription(offer: announced).takesStatements)
        let only = announced.replacing("a=x-parley-view:1\r\n", with: "")
        #expect(try PeerDescription(offer: only).takesStatements && !PeerDescription(offer: only).takesView)
        let later = announced.replacing("x-parley-state:1", with: "x-parley-state:9")
        #expect(try !PeerDescription(offer: later).takesStatements)
    }

    @Test func `the names of formats are those that it prefers among what a call uses`() throws {
        let codecs = try PeerDescription(offer: OfferText().text).codecs
        #expect(codecs.sound?.lowercased() == "opus" && codecs.pictures?.lowercased() == "vp8")
    }

    @Test func `an answer takes a side and has the offer's m-lines`() throws {
        let answer = OfferText.changed { $0.setup = "active" }
        #expect(try PeerDescription(answer: answer, offeredMids: ["0", "1", "2", "3"]).mids.count == 4)
        #expect(throws: DescriptionError.midsDiffer) {
            try PeerDescription(answer: answer, offeredMids: ["0", "1", "2", "9"])
        }
        #expect(throws: DescriptionError.setupRole) {
            try PeerDescription(answer: OfferText().text, offeredMids: ["0", "1", "2", "3"])
        }
        #expect(refusal { $0.setup = nil } == .setupRole)
        #expect(refusal { $0.setup = "holdconn" } == .setupRole)
    }

    @Test func `candidates in a description are data, and leave its text`() throws {
        let line = "candidate:1 1 udp 2130706431 192.0.2.7 5000 typ host"
        let peer = try PeerDescription(offer: OfferText.changed { $0.extra = ["a=" + line] })
        #expect(peer.candidates.count == 4)
        #expect(peer.candidates[1] == MediaCandidate(candidate: line, mid: "1", mLineIndex: 1))
        #expect(!peer.text.contains("candidate"))
    }

    @Test func `the media engine is told what was understood, in our own words`() throws {
        let text = OfferText.changed {
            $0.kinds = ["audio", "video"]
            $0.bundle = ["0", "1"]
            $0.fingerprints = ["sha-1 AB:CD", OfferText.fingerprint.lowercased()]
            $0.extra = [
                "i=words", "b=AS:5000", "a=rtcp:9 IN IP4 192.0.2.1", "a=rtcp-rsize", "a=msid:a b", "a=x-unknown:1",
                "a=candidate:1 1 udp 1 192.0.2.1 9 typ host", "a=end-of-candidates", "a=rtcp-fb:* nack",
                "a=rtcp-fb:96 nack pli", "a=rtcp-fb:96 goog-remb", "a=rtcp-fb:111 transport-cc", "a=recvonly",
                "a=fmtp:111 minptime=3;useinbandfec=0", "a=fmtp:96 clock-rate=1;payload=7", "a=rtpmap:63 rtx/90000",
                "a=fmtp:63 apt=96", "a=rtpmap:97 rtx/90000", "a=rtpmap:96 H264/90000", "a=extmap:4 urn:other",
                "a=extmap:5/recvonly \(HeaderExtension.feedback) more", "a=ssrc:7 cname:\"x, y=(int)1",
                "a=ssrc:7 msid:q",
                "a=ssrc:8 cname:z", "a=ssrc-group:FID 7 8", "a=ssrc-group:FID 7 9", "a=ssrc-group:SIM 7 8",
            ]
        }
        let ends = [
            "a=ssrc-group:FID 7 8", "a=ssrc:7 cname:peer", "a=ssrc:8 cname:peer",
            "a=fingerprint:" + OfferText.fingerprint,
        ]
        func common(_ mid: Int) -> [String] {
            [
                "c=IN IP4 0.0.0.0", "a=mid:\(mid)", "a=ice-ufrag:abcd", "a=ice-pwd:0123456789012345678901",
                "a=setup:actpass",
                "a=sendrecv", "a=rtcp-mux", "a=rtcp-rsize",
            ]
        }
        let extensions = ["a=extmap:4 \(HeaderExtension.mid)", "a=extmap:5 \(HeaderExtension.feedback)"]
        let start = [
            "v=0", "o=- 1 1 IN IP4 0.0.0.0", "s=-", "t=0 0", "a=group:BUNDLE 0 1", "m=audio 9 UDP/TLS/RTP/SAVPF 111",
        ]
        let audio = ["a=rtpmap:111 opus/48000/2", "a=rtcp-fb:111 nack", "a=rtcp-fb:111 transport-cc"]
        let video = [
            "a=rtpmap:96 VP8/90000", "a=rtcp-fb:96 nack", "a=rtcp-fb:96 nack pli", "a=rtpmap:63 rtx/90000",
            "a=fmtp:63 apt=96",
        ]
        let lines =
            start + common(0) + audio + extensions + ends + ["m=video 9 UDP/TLS/RTP/SAVPF 96 63"] + common(1) + video
            + extensions + ends
        #expect(try PeerDescription(offer: text).text == lines.map { $0 + "\r\n" }.joined())
    }

    @Test func `an m-line that was turned down stays so`() throws {
        let text = OfferText.changed { $0.setup = "active" }.replacing(
            "m=video 9 UDP/TLS/RTP/SAVPF 96 63", with: "m=video 0 UDP/TLS/RTP/SAVPF 0")
        let peer = try PeerDescription(answer: text, offeredMids: ["0", "1", "2", "3"])
        #expect(peer.text.contains("m=video 0 UDP/TLS/RTP/SAVPF 96\r\n") == false)
        #expect(peer.text.components(separatedBy: "m=video 0 UDP/TLS/RTP/SAVPF 0\r\n").count == 3)
    }

    @Test(arguments: [
        ("a=rtpmap:96 VP8/90000", "a=rtpmap:96 VP9/90000", "VP8"), ("opus/48000/2", "opus/48000", "opus"),
    ])
    func `what is sent on an m-line, whichever, has to be of a call`(known: String, other: String, codec: String) {
        let text = OfferText().text
        for options in [String.CompareOptions(), .backwards] {
            guard let place = text.range(of: known, options: options) else { return }
            let changed = text.replacingCharacters(in: place, with: other)
            #expect(throws: DescriptionError.missingCodec(codec)) { try PeerDescription(offer: changed) }
        }
    }

    @Test func `more than sixteen sources are refused, and what is no number is none`() {
        #expect(refusal { $0.extra = (1...17).map { "a=ssrc:\($0) cname:x" } } == .tooManySources(0))
        #expect(
            refusal { $0.extra = (1...16).map { "a=ssrc:\($0) cname:x" } + ["a=ssrc:+1 a:b", "a=ssrc:5000000000 a:b"] }
                == nil)
    }

    @Test func `names and credentials hold only what the standard allows them`() {
        #expect(refusal { $0.mids[0] = "a\"b" } == .missingMid(0))
        #expect(refusal { $0.fragment = "abc=" } == .missingICECredentials(0))
        #expect(refusal { $0.password = "0123456789012345678,;\"" } == .missingICECredentials(0))
    }

    @Test func `an oversized text is refused unread`() {
        let many = OfferText.changed { $0.extra = Array(repeating: "a=x", count: 600) }
        #expect(throws: DescriptionError.tooLarge) { try PeerDescription(offer: many) }
        let long = OfferText().text + "a=" + String(repeating: "x", count: 70_000)
        #expect(throws: DescriptionError.tooLarge) { try PeerDescription(offer: long) }
    }

    @Test(arguments: [
        ("", DescriptionError.notASessionDescription), ("hello", .notASessionDescription),
        ("v=0\r\nnonsense\r\n", .malformedLine(2)), ("v=0\r\nm=audio x UDP/TLS/RTP/SAVPF 1\r\n", .malformedLine(2)),
        ("v=0\r\na=", .malformedLine(2)), ("v=0\r\na=:value\r\n", .malformedLine(2)),
        ("v=0\r\na= candidate:1 1 udp 1 192.0.2.1 9 typ host\r\n", .malformedLine(2)),
        ("v=0\r\na=\tcandidate:1 1 udp 1 192.0.2.1 9 typ host\r\n", .malformedLine(2)),
        ("v=0\r\na=\u{B}candidate:1 1 udp 1 192.0.2.1 9 typ host\r\n", .malformedLine(2)),
        ("v=0\r\na=mid:0\ra=mid:1\r\n", .malformedLine(2)), ("v=0\r\n\ra=mid:1\r\n", .malformedLine(2)),
        ("v=0\r\na=mid:0\u{2028}a=mid:1\r\n", .malformedLine(2)),
        ("v=0\r\nm=audio +9 UDP/TLS/RTP/SAVPF 1\r\n", .malformedLine(2)),
        ("v=0\r\nm=audio 9  UDP/TLS/RTP/SAVPF 1\r\n", .malformedLine(2)),
        ("v=0\r\na=x:" + String(repeating: "y", count: 2_045) + "\r\n", .malformedLine(2)),
        ("v=0\r\nm= audio 9 UDP/TLS/RTP/SAVPF 1\r\n", .malformedLine(2)),
        ("v=0\r\nm=audio\r\n", .malformedLine(2)), ("v=0\r\na=\u{0}\r\n", .malformedLine(2)),
        ("v=0\r\n", .mediaCount(0)),
    ]) func `text that is no description gets a typed error`(text: String, expected: DescriptionError) {
        #expect(throws: expected) { try PeerDescription(offer: text) }
    }

    @Test func `damaged descriptions are read or refused, never trapped on`() {
        var generator = SeededGenerator(seed: 3)
        let bytes = Array(OfferText().text.utf8)
        for _ in 0..<400 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let index = Int.random(in: 0..<changed.count, using: &generator)
                switch Int.random(in: 0...2, using: &generator) {
                case 0: changed[index] = UInt8.random(in: 0...255, using: &generator)
                case 1: changed.remove(at: index)
                default: changed.removeSubrange(index..<min(changed.count, index + 200))
                }
                if changed.isEmpty { changed = [0x76] }
            }
            if let peer = try? PeerDescription(offer: String(decoding: changed, as: UTF8.self)) {
                #expect(peer.fingerprint.bytes.count == 32)
                #expect(peer.mids.count == 2 || peer.mids.count == 4)
            }
        }
    }

    @Test func `our own fingerprint replaces every other`() throws {
        let own = Fingerprint(certificate: [9, 9])
        let peer = try PeerDescription(offer: DescriptionText.with(fingerprint: own, in: OfferText().text))
        #expect(peer.fingerprint == own)
    }
}

@Suite(.timeLimit(.minutes(5))) struct DescriptionAddressTests {
    @Test func `origin, connection and RTCP lines lose their addresses, and nothing else changes`() {
        let text = """
            v=0\r\no=- 1 2 IN IP4 192.0.2.7\r\ns=-\r\nc=IN IP6 fd00::7\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\n\
            c=IN IP4 192.0.2.7\r\na=rtcp:4711 IN IP4 192.0.2.7\r\na=rtcp-mux\r\na=mid:0\r\n
            """
        let expected = """
            v=0\r\no=- 1 2 IN IP4 0.0.0.0\r\ns=-\r\nc=IN IP6 ::\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\n\
            c=IN IP4 0.0.0.0\r\na=rtcp:4711 IN IP4 0.0.0.0\r\na=rtcp-mux\r\na=mid:0\r\n
            """
        #expect(DescriptionText.withoutAddresses(text) == expected)
        #expect(DescriptionText.withoutAddresses(expected) == expected)
    }

    @Test func `lines that are cut short stay as they are`() {
        for line in ["o=", "c=IN", "c=IN IP4", "a=rtcp:9", "o=- 1 2"] {
            #expect(DescriptionText.withoutAddresses(line) == line + "\r\n")
        }
    }
}
