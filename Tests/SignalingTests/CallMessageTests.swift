import Cryptography
import TestSupport
import Testing

@testable import Signaling

@Suite("Call messages", .timeLimit(.minutes(5)))
struct CallMessageTests {
    let id: CallID
    let key: X25519.PublicKey

    init() throws {
        id = try #require(CallID(bytes: Array(0..<16)))
        key = try X25519.PublicKey(rawRepresentation: Array(repeating: 9, count: 32))
    }

    let idText = "AAECAwQFBgcICQoLDA0ODw=="
    let keyText = "MCowBQYDK2VuAyEACQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk="
    let packedEmptyAnswer = "N4IgLgngDgpiBcICGA7AzgdxgJxAGhDQBMoEQA3AXgAYAdbWlEAXyA=="

    func text(_ message: CallMessage) -> String { ChatMessage(.call(message)).json.text }

    func read(_ text: String) throws -> CallMessage {
        let message = try #require(try ChatBody(decoding: Array(text.utf8)).messages.first)
        guard case .call(let call) = message.event else { throw SignalingError.invalidField("event") }
        return call
    }

    func read(event: String, _ parameters: String) throws -> CallMessage {
        try read(#"{"v":"1-9","event":"\#(event)","params":\#(parameters)}"#)
    }

    @Test func `an invitation has the exact JSON of the protocol`() throws {
        let type = CallType(media: .video, encryption: true)
        let message = CallMessage.invitation(id, CallInvitation(callType: type, publicKey: key))
        let expected =
            #"{"v":"1-9","event":"x.call.inv","params":{"callId":"\#(idText)","invitation":{"callType":{"media":"video","#
            + #""capabilities":{"encryption":true}},"callDhPubKey":"\#(keyText)"}}}"#
        #expect(text(message) == expected)
        #expect(try read(expected) == message)
    }

    @Test func `an invitation of a program that settles crossing calls has one more field, which others pass over`()
        throws
    {
        let type = CallType(media: .audio, encryption: true)
        let message = CallMessage.invitation(
            id, CallInvitation(callType: type, publicKey: key, settlesCrossing: true))
        let expected =
            #"{"v":"1-9","event":"x.call.inv","params":{"callId":"\#(idText)","invitation":{"callType":{"media":"audio","#
            + #""capabilities":{"encryption":true}},"callDhPubKey":"\#(keyText)","parleyCrossing":true}}}"#
        #expect(text(message) == expected)
        #expect(try read(expected) == message)
    }

    @Test(arguments: ["false", "1", "\"true\"", "null", "{}"])
    func `whatever else stands in that field is no promise`(value: String) throws {
        let parameters =
            #"{"callId":"\#(idText)","invitation":{"callType":{"media":"audio","capabilities":{"encryption":true}},"#
            + #""callDhPubKey":"\#(keyText)","parleyCrossing":\#(value)}}"#
        guard case .invitation(_, let invitation) = try read(event: "x.call.inv", parameters) else {
            Issue.record("no invitation")
            return
        }
        #expect(!invitation.settlesCrossing)
        #expect(invitation.publicKey == key)
    }

    @Test func `an invitation without encryption has no key`() throws {
        let type = CallType(media: .audio, encryption: false)
        let message = CallMessage.invitation(id, CallInvitation(callType: type, publicKey: nil))
        #expect(!text(message).contains("callDhPubKey"))
        #expect(try read(text(message)) == message)
    }

    @Test func `an offer has the exact JSON of the protocol`() throws {
        let offer = CallOffer(
            callType: CallType(media: .audio, encryption: true),
            description: SessionDescription(kind: .offer, sdp: "v=0\r\n"), candidates: [], publicKey: key)
        let packed = LZString.compressToBase64(#"{"type":"offer","sdp":"v=0\r\n"}"#)
        let expected =
            #"{"v":"1-9","event":"x.call.offer","params":{"callId":"\#(idText)","offer":{"callType":{"media":"audio","#
            + #""capabilities":{"encryption":true}},"rtcSession":{"rtcSession":"\#(packed)","#
            + #""rtcIceCandidates":"NoXSA==="},"callDhPubKey":"\#(keyText)"}}}"#
        #expect(text(.offer(id, offer)) == expected)
        #expect(try read(expected) == .offer(id, offer))
    }

    @Test func `an answer has the exact JSON of the protocol`() throws {
        let answer = CallAnswer(description: SessionDescription(kind: .answer, sdp: "v=0\r\n"), candidates: [])
        let expected =
            #"{"v":"1-9","event":"x.call.answer","params":{"callId":"\#(idText)","answer":{"rtcSession":{"#
            + #""rtcSession":"\#(packedEmptyAnswer)","rtcIceCandidates":"NoXSA==="}}}}"#
        #expect(text(.answer(id, answer)) == expected)
        #expect(try read(expected) == .answer(id, answer))
    }

    @Test func `more candidates have the exact JSON of the protocol`() throws {
        let candidate = ICECandidate(
            candidate: "candidate:1 1 udp 1 10.0.0.1 9 typ host", sdpMid: "0", sdpMLineIndex: 0)
        let packed =
            "NobwRAxghgdgJgSzlALgUzALkrRz2YCMABCQK5wAOppADAHQMMkCcxKAntQBYD2AzijAAaMPyoBZJFjC0RYyQBkEMNAEl4aAB5ZaAXwC6QA="
        let expected =
            #"{"v":"1-9","event":"x.call.extra","params":{"callId":"\#(idText)","extra":{"rtcExtraInfo":{"#
            + #""rtcIceCandidates":"\#(packed)"}}}}"#
        #expect(text(.extra(id, [candidate])) == expected)
        #expect(try read(expected) == .extra(id, [candidate]))
    }

    @Test func `an end has the exact JSON of the protocol`() throws {
        let expected = #"{"v":"1-9","event":"x.call.end","params":{"callId":"\#(idText)"}}"#
        #expect(text(.end(id)) == expected)
        #expect(try read(expected) == .end(id))
    }

    @Test(arguments: [
        (CallEndCause.mediaFailed, "mediaFailed"), (.busy, "busy"), (.encryptionRefused, "encryptionRefused"),
        (.keyAgreementFailed, "keyAgreementFailed"),
    ])
    func `an end with a cause has one more field, which others pass over`(cause: CallEndCause, word: String) throws {
        let expected =
            #"{"v":"1-9","event":"x.call.end","params":{"callId":"\#(idText)","parleyCause":"\#(word)"}}"#
        #expect(text(.end(id, because: cause)) == expected)
        #expect(try read(expected) == .end(id, because: cause))
    }

    @Test(arguments: ["\"rain\"", "7", "null", "{}", "\"\""])
    func `a cause that is unknown or no text leaves an ordinary end`(cause: String) throws {
        #expect(
            try read(event: "x.call.end", #"{"callId":"\#(idText)","parleyCause":\#(cause)}"#) == .end(id))
    }

    @Test(arguments: [
        (CallStanding.waiting, "waiting"), (.ringing, "ringing"), (.held, "held"), (.resumed, "resumed"),
    ])
    func `where a call stands for the other person is an event of Parley's own`(
        standing: CallStanding, word: String
    ) throws {
        let expected = #"{"v":"1-9","event":"x.parley.call","params":{"callId":"\#(idText)","standing":"\#(word)"}}"#
        #expect(text(.standing(id, standing)) == expected)
        #expect(try read(expected) == .standing(id, standing))
        #expect(!CallMessage.standing(id, standing).isNeeded && !CallMessage.standing(id, standing).notifies)
    }

    @Test(arguments: ["\"elsewhere\"", "7", "null", "{}"])
    func `a standing that is unknown or no text is refused`(standing: String) {
        #expect(throws: SignalingError.self) {
            try read(event: "x.parley.call", #"{"callId":"\#(idText)","standing":\#(standing)}"#)
        }
    }

    @Test func `a call id is read with or without padding`() throws {
        #expect(try read(event: "x.call.end", #"{"callId":"AAECAwQFBgcICQoLDA0ODw"}"#) == .end(id))
        #expect(CallID.random().bytes.count == 16)
    }

    @Test func `call ids are compared byte by byte`() throws {
        let ids = try [[0], [0, 255], [1], [1, 0], [255]].map { try #require(CallID(bytes: $0)) }
        #expect(ids.shuffled().sorted() == ids)
    }

    func candidates(_ json: String) throws -> [ICECandidate] {
        let packed = LZString.compressToBase64(json)
        let message = try read(
            event: "x.call.extra", #"{"callId":"AA","extra":{"rtcExtraInfo":{"rtcIceCandidates":"\#(packed)"}}}"#)
        guard case .extra(_, let candidates) = message else { return [] }
        return candidates
    }

    @Test func `candidates are read loosely: unknown and null fields, and one of the two names of the m-line`() throws {
        let read = try candidates(
            #"[{"candidate":"a","sdpMid":"2","sdpMLineIndex":2,"candidateType":null,"protocol":"udp"},"#
                + #"{"candidate":"b","sdpMLineIndex":3},{"candidate":"c","sdpMid":"1","usernameFragment":"u"},"#
                + #"{"candidate":"d","sdpMid":null,"sdpMLineIndex":null},{"sdpMid":"0"},17,"#
                + #"{"candidate":"e","sdpMLineIndex":1e9},{"candidate":"f","sdpMid":"x","sdpMLineIndex":-1}]"#)
        #expect(
            read == [
                ICECandidate(candidate: "a", sdpMid: "2", sdpMLineIndex: 2),
                ICECandidate(candidate: "b", sdpMid: "3", sdpMLineIndex: 3),
                ICECandidate(candidate: "c", sdpMid: "1", sdpMLineIndex: 1, usernameFragment: "u"),
            ])
    }

    @Test(arguments: ["{\"t\":\"restartOffer\"}", "7", "null"])
    func `a proposal in place of the list of candidates holds none`(json: String) throws {
        #expect(try candidates(json).isEmpty)
    }

    @Test func `of very many candidates the first 256 are read`() throws {
        let json = "[" + Array(repeating: #"{"candidate":"","sdpMid":"0"}"#, count: 2_000).joined(separator: ",") + "]"
        #expect(try candidates(json).count == 256)
    }

    static let session = #"{"rtcSession":"\#(LZString.compressToBase64(#"{"type":"offer","sdp":""}"#))","#
    static let malformedMessages: [(event: String, parameters: String, error: SignalingError)] = [
        ("x.call.end", "{}", .missingField("callId")),
        ("x.call.end", #"{"callId":""}"#, .invalidField("callId")),
        ("x.call.end", #"{"callId":"*"}"#, .invalidField("callId")),
        ("x.call.end", #"{"callId":"\#(String(repeating: "A", count: 90))"}"#, .invalidField("callId")),
        ("x.call.inv", #"{"callId":"AA"}"#, .missingField("invitation")),
        ("x.call.inv", #"{"callId":"AA","invitation":{}}"#, .missingField("callType")),
        ("x.call.inv", #"{"callId":"AA","invitation":{"callType":{"media":"smell"}}}"#, .invalidField("media")),
        (
            "x.call.inv", #"{"callId":"AA","invitation":{"callType":{"media":"audio"}}}"#,
            .missingField("capabilities")
        ),
        (
            "x.call.inv",
            #"{"callId":"AA","invitation":{"callType":{"media":"audio","capabilities":{"encryption":"yes"}}}}"#,
            .invalidField("encryption")
        ),
        (
            "x.call.inv",
            #"{"callId":"AA","invitation":{"callType":{"media":"audio","capabilities":{"encryption":true}},"#
                + #""callDhPubKey":"MCow"}}"#,
            .invalidField("callDhPubKey")
        ),
        ("x.call.answer", #"{"callId":"AA","answer":{"rtcSession":"x"}}"#, .invalidField("rtcSession")),
        (
            "x.call.answer", #"{"callId":"AA","answer":{"rtcSession":\#(session)"rtcIceCandidates":"NoXSA==="}}}"#,
            .invalidField("type")
        ),
        (
            "x.call.answer",
            #"{"callId":"AA","answer":{"rtcSession":{"rtcSession":"","rtcIceCandidates":"NoXSA==="}}}"#,
            .invalidPacking(.truncated)
        ),
        (
            "x.call.answer",
            #"{"callId":"AA","answer":{"rtcSession":{"rtcSession":"NoXSA===","rtcIceCandidates":"NoXSA==="}}}"#,
            .invalidField("rtcSession")
        ),
        (
            "x.call.extra", #"{"callId":"AA","extra":{"rtcExtraInfo":{"rtcIceCandidates":"Q==="}}}"#,
            .invalidJSON(.unexpectedEnd)
        ),
        ("x.call.extra", #"{"callId":"AA","extra":{"rtcExtraInfo":{}}}"#, .missingField("rtcIceCandidates")),
    ]

    @Test(arguments: malformedMessages)
    func `a malformed call message is a typed error`(event: String, parameters: String, error: SignalingError) {
        #expect(throws: error) { try read(event: event, parameters) }
    }

    @Test func `session data that unpacks without end is refused`() {
        let bomb = LZString.compressToBase64(String(repeating: " ", count: 2_000_000))
        #expect(bomb.utf8.count < 15_602)
        #expect(throws: SignalingError.invalidPacking(.tooLong(limit: 131_072))) {
            try read(
                event: "x.call.extra",
                #"{"callId":"AA","extra":{"rtcExtraInfo":{"rtcIceCandidates":"\#(bomb)"}}}"#)
        }
    }

    @Test func `2,000 random messages are read back as they were written`() throws {
        var generator = SeededGenerator(seed: 13)
        for _ in 0..<2_000 {
            let message = try Self.random(&generator)
            #expect(try read(text(message)) == message)
        }
    }

    static func random(_ generator: inout SeededGenerator) throws -> CallMessage {
        let id = try #require(CallID(bytes: generator.bytes(16)))
        let type = CallType(
            media: Bool.random(using: &generator) ? .audio : .video, encryption: Bool.random(using: &generator))
        let key = try Bool.random(using: &generator) ? X25519.PublicKey(rawRepresentation: generator.bytes(32)) : nil
        let sdp = String(decoding: generator.bytes(Int.random(in: 0...200, using: &generator)), as: UTF8.self)
        let candidates = (0..<Int.random(in: 0...3, using: &generator)).map {
            ICECandidate(
                candidate: "candidate:\(generator.next())", sdpMid: "\($0)", sdpMLineIndex: $0,
                usernameFragment: Bool.random(using: &generator) ? "u" : nil)
        }
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: return .invitation(id, CallInvitation(callType: type, publicKey: key))
        case 1:
            let description = SessionDescription(kind: .offer, sdp: sdp)
            return .offer(
                id, CallOffer(callType: type, description: description, candidates: candidates, publicKey: key))
        case 2:
            let description = SessionDescription(kind: .answer, sdp: sdp)
            return .answer(id, CallAnswer(description: description, candidates: candidates))
        case 3: return .extra(id, candidates)
        default: return .end(id, because: ([nil] + CallEndCause.allCases).randomElement(using: &generator) ?? nil)
        }
    }
}
