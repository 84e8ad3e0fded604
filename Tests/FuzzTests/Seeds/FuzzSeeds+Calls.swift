import Cryptography
import TestSupport

@testable import MediaRules
@testable import Signaling

extension FuzzSeeds {
    mutating func addSignaling() throws {
        add("profile-picture", SamplePictures.jpeg)
        add("profile-picture", SamplePictures.png)
        add("profile-picture", try ProfilePicture(decoding: SamplePictures.png).text)
        let candidate = ICECandidate(
            candidate: "candidate:1 1 udp 2130706431 192.0.2.1 50000 typ host", sdpMid: "0", sdpMLineIndex: 0,
            usernameFragment: "abcd")
        let description = Signaling.SessionDescription(kind: .offer, sdp: "v=0\r\n")
        let id = CallID.random()
        let type = CallType(media: .video, encryption: true)
        let calls: [CallMessage] = [
            .invitation(id, CallInvitation(callType: type, publicKey: fixedKey(1).publicKey)),
            .offer(id, CallOffer(callType: type, description: description, candidates: [candidate], publicKey: nil)),
            .answer(
                id, CallAnswer(description: .init(kind: .answer, sdp: "v=0\r\n"), candidates: [candidate, candidate])),
            .extra(id, [candidate]), .end(id), .end(id, because: .mediaFailed),
            .end(id, because: .keyAgreementFailed), .renew(id, after: 1),
            .standing(id, .waiting), .standing(id, .resumed),
        ]
        let profile = Profile(displayName: "Anna", fullName: "Anna Á 😀", abilities: .own)
        var written = WrittenMessage(
            MessageContent(.voice(seconds: 12), text: "é\n😀"), file: FileAnnouncement(name: "a.ogg", size: 2_100_000),
            timeToLive: 3_600)
        (written.isReply, written.isForwarded, written.isLive) = (true, true, true)
        let events: [ChatEvent] =
            calls.map(ChatEvent.call) + [
                .information(profile), .unknown(name: "x.msg.new", parameters: .string("\u{1}\"\\ \n")),
                .written(WrittenMessage(text: "\u{1}\"\\ \n")), .written(written),
                .messageUpdated(MessageUpdate(identifier: "YWJj", content: written.content, timeToLive: 1)),
                .messageDeleted(identifier: "YWJj"),
                .contactDeleted,
                .contactRequest(ContactRequest(profile: profile)),
                .unknown(name: "x.new", parameters: .array([.null, .bool(true), .integer(-1), .string("é")])),
            ]
        for event in events {
            let message = ChatMessage.identified(event).json
            add("chat-body", message.encoded)
            add("json", message.encoded)
            let text = message.encoded
            add("chat-body", JSONValue.array([message, message, .null]).encoded)
            if text.count < 256 {
                add("chat-body", Array("X".utf8) + [1, UInt8(ascii: "0"), UInt8(text.count)] + text)
            }
        }
        addGroupMessages(candidate)
        let plain = ChatMessage(.contactDeleted).json.encoded
        if let body = ChatBody.compressed(plain) {
            add("chat-body", body)
            add("zstandard", Array(body.dropFirst(5)))
        }
        add("zstandard", [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x58, 0x55, 0, 0, 0x10, 0, 0, 1, 0, 0x6B, 0x11, 0x39, 0xC0, 2])
        add("json", "[1e3,-0.5,\"\\ud83d\\ude00\\u00e9\\n\",{\"a\":{},\"a\":[]},true,false,null]")
        add("json", String(repeating: "[", count: 70))
        for text in ["", "a", "aaaaaaaaaaaaaaaa", "v=0\r\nv=0\r\nm=audio", "é😀é😀"] {
            add("lz-string", LZString.compressToBase64(text))
        }
        add("packed-session", "{\"type\":\"offer\",\"sdp\":\"v=0\\r\\n\"}")
        add("packed-session", JSONValue.array([candidate.json, .null, .object(["candidate": .string("")])]).text)
        add("packed-session", "[{\"candidate\":\"\",\"sdpMid\":\"3\"}]")
    }

    /// One of each, as an event and as a whole message.
    private mutating func addGroupMessages(_ candidate: ICECandidate) {
        let secret = SecretBytes(Array(repeating: 9, count: GroupKey.count))
        guard let id = CallID(bytes: Array(repeating: 7, count: GroupEvent.callCount)), let second = MemberNumber(2),
            let name = MemberName(parsing: "Anna Á 😀"), let link = GroupLink(parsing: "simplex:/invitation#/?v=2-7"),
            let tag = MemberTag(bytes: Array(0..<12)), let nonce = RejoinNonce(bytes: Array(0..<16))
        else { return }
        let roster = GroupRoster(
            number: 7, host: .first, lastGiven: second,
            members: [
                GroupMember(number: .first, name: name, standing: .isIn),
                GroupMember(number: second, name: name, standing: .inviting, inviter: .first),
            ], hasServer: true)
        let room = GroupRoom(
            number: 1, address: "wss://sfu.example/", room: 48, pin: SecretText("1"), token: SecretText("2"),
            feeds: secret)
        let messages: [GroupMessage] = [
            .invitation(
                GroupInvitation(
                    own: second, inviter: .first, host: .first, media: .video,
                    members: [.init(number: .first, name: name)])),
            .join(
                GroupJoin(
                    member: second, media: .audio, links: [LinkForMember(member: .first, link: link)])),
            .line(GroupLine(maker: second, user: .first, link: link)), .roster(roster),
            .key(GroupKey(epoch: 2, step: 0, secret: secret)),
            .offer(
                GroupDescription(path: 0, description: .init(kind: .offer, sdp: "v=0\r\n"), candidates: [candidate])),
            .answer(GroupDescription(path: 1, description: .init(kind: .answer, sdp: ""), candidates: [])),
            .extra(GroupCandidates(path: 2, candidates: [candidate])), .wantKey,
            .hello(GroupHello(second, tags: [tag])),
            .decline(GroupDecline(member: second, reason: .busy)), .ask(name), .remove(second), .leave, .over(nil),
            .over(.invitation),
            .rejoin(GroupRejoin(member: second, nonce: nonce)),
            .rejoined(GroupRejoined(nonce: nonce, roster: roster, room: room)), .room(room), .heir(room),
            .state(GroupState(microphone: true)),
        ]
        for message in messages {
            let word = GroupEvent.name(of: message).dropFirst(GroupEvent.prefix.count)
            add("group-message", "\(word)\n\(JSONValue.object(GroupEvent.parameters(id, message)).text)")
            add("chat-body", ChatMessage(.group(id, message)).json.encoded)
        }
    }

    mutating func addMedia() throws {
        add("description", Self.description(kinds: ["audio", "video", "audio", "video"]))
        add("description", Self.description(kinds: ["audio", "video"], setup: "active"))
        add("description", Self.description(kinds: ["audio", "video", "audio"]))
        for line in [
            "candidate:1 1 udp 2130706431 192.0.2.1 50000 typ host generation 0 ufrag abcd network-id 1",
            "candidate:2 1 UDP 1677729535 198.51.100.7 50001 typ srflx raddr 10.0.0.1 rport 50000",
            "a=candidate:3 1 udp 1 2001:db8::1 9 typ relay raddr :: rport 0",
            "candidate:4 1 udp 1 0b5c9c0e-1111-2222-3333-444455556666.local 9 typ host",
            "candidate:5 1 tcp 1 192.0.2.1 9 typ host tcptype active\ncandidate:6 2 udp 1 ::ffff:127.0.0.1 9 typ prflx",
        ] { add("candidate", line) }
        add("fingerprint", Self.fingerprint)
        add("fingerprint", "sha-1 AB:CD")
        add("fingerprint", "-----BEGIN CERTIFICATE-----\nMIIBcTCC\n-----END CERTIFICATE-----\n")
        for first in [0, 1] as [UInt8] {
            add("frame", [first] + [UInt8](repeating: 0, count: 60))
            add("frame", [first] + [UInt8](repeating: 0, count: 14))
        }
        for vector in try Vectors.group("group_frames")["frames"].items {
            add("group-frame", vector["sealed"].bytes ?? [])
        }
        add("fragments", [0x7F, 0xFF, 0x10, 0x00, 0x04, 0xB0, 0x00, 0x01, 0x00, 0x05])
        // RTP with an extension; a report with a description; feedback about three packets; a key frame.
        add("packets", [0x90, 96, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0xBE, 0xDE, 0, 1, 0x10, 0x30, 0, 0, 0x10, 1, 2])
        add("packets", [0x80, 201, 0, 1, 0, 0, 0, 1, 0x81, 202, 0, 3, 0, 0, 0, 1, 1, 3, 97, 98, 99, 0, 0, 0])
        add("packets", [0x8F, 205, 0, 5, 0, 0, 0, 1, 0, 0, 0, 2, 0, 5, 0, 3, 0, 0, 0, 0, 0xB0, 0, 9, 9])
        add("packets", [0x10, 2, 0, 0x9D, 0x01, 0x2A, 0x80, 2, 0xE0, 1, 0, 0])
        // A report and two wishes; a wish alone; a packet that tells when it left.
        add(
            "server-feedback",
            [0x81, 201, 0, 7, 0, 0, 0, 7, 0, 0, 0, 2] + [UInt8](repeating: 1, count: 20)
                + [0x81, 206, 0, 2, 0, 0, 0, 7, 0, 0, 0, 2, 0x81, 205, 0, 3, 0, 0, 0, 7, 0, 0, 0, 3, 0, 1, 0, 0])
        add("server-feedback", [0x84, 206, 0, 4, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0])
        add("server-feedback", [0x90, 96, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0xBE, 0xDE, 0, 1, 0x32, 1, 2, 3, 1])
        // Fifty packets a second, even, then late.
        add("congestion", (0..<40).flatMap { [20, 0, 200, UInt8($0), 10, 1, 4, 0xB0] as [UInt8] })
    }

    private static let fingerprint = "sha-256 " + (0..<32).map { _ in "AB" }.joined(separator: ":")

    /// A description in the form of browsers.
    private static func description(kinds: [String], setup: String = "actpass") -> String {
        var lines = ["v=0", "o=- 1 2 IN IP4 127.0.0.1", "s=-", "t=0 0"]
        lines.append("a=group:BUNDLE " + kinds.indices.map(String.init).joined(separator: " "))
        for (index, kind) in kinds.enumerated() {
            let format = kind == "audio" ? "111" : "96"
            lines += [
                "m=\(kind) 9 UDP/TLS/RTP/SAVPF \(format) 63", "c=IN IP4 0.0.0.0", "a=mid:\(index)",
                "a=fingerprint:\(fingerprint)", "a=ice-ufrag:abcd", "a=ice-pwd:0123456789012345678901",
                "a=setup:\(setup)", "a=sendrecv", "a=rtcp-mux", "a=extmap:4 urn:ietf:params:rtp-hdrext:sdes:mid",
                kind == "audio" ? "a=rtpmap:111 opus/48000/2" : "a=rtpmap:96 VP8/90000",
                "a=candidate:1 1 udp 2130706431 192.0.2.1 50000 typ host",
            ]
        }
        return lines.map { $0 + "\r\n" }.joined()
    }

    /// Scripts for the machines: each step once, then mixed.
    mutating func addScripts() {
        let steps = (0..<20).map(UInt8.init)
        add("relay-commands", [0, 0, 0] + steps.dropFirst(2).flatMap { [0, $0, 0, 1, 1, 1] as [UInt8] })
        add("relay-commands", [2, 0, 7, 2, 0, 4] + steps.dropFirst(2).flatMap { [2, $0, 0, 1, 2, 3] as [UInt8] })
        // Make, subscribe, secure, send four times, acknowledge them.
        let send: [UInt8] = [0, 11, 0, 1, 0, 5]
        let acknowledge: [UInt8] = [0, 6, 0, 1, 1]
        add(
            "relay-commands",
            [0, 0, 0, 0, 3, 0, 1, 0, 10, 0, 1] + (0..<6).flatMap { _ in send } + (0..<7).flatMap { _ in acknowledge })
        add("ratchet-conversation", [0, 0, 0, 0, 0, 2, 0, 1, 0, 1, 0, 0, 2, 2, 0, 4, 1, 4, 0, 3, 1, 0, 9, 1, 0, 2, 1])
        add("ratchet-conversation", (0..<12).flatMap { [UInt8($0 % 2), 0, 0, 2, UInt8($0 / 2)] })
    }
}
