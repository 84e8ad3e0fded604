import Testing

@testable import Signaling

@Suite("Numbers of transports in messages", .timeLimit(.minutes(5)))
struct TransportNumberTests {
    private let sdp =
        "v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\na=group:BUNDLE 0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=mid:0\r\na=ice-ufrag:abcd\r\n"

    @Test func `the number stands at the end of the session level and nothing else changes`() {
        let numbered = SessionDescription(kind: .offer, sdp: sdp).numbered(3)
        #expect(numbered.transportNumber == 3)
        #expect(numbered.sdp == sdp.replacing("m=audio", with: "a=x-parley-transport:3\r\nm=audio"))
        #expect(numbered.usernameFragment == "abcd")
    }

    @Test func `a description of others has none, nor has one with a number that is none`() {
        #expect(SessionDescription(kind: .offer, sdp: sdp).transportNumber == nil)
        for value in ["", "-1", "+1", "70000", "1x", " 1", "000001", "١"] {
            let text = sdp.replacing("m=audio", with: "a=x-parley-transport:\(value)\r\nm=audio")
            #expect(SessionDescription(kind: .answer, sdp: text).transportNumber == nil, "\(value)")
        }
        let ofMedium = SessionDescription(kind: .answer, sdp: sdp + "a=x-parley-transport:1\r\n")
        #expect(ofMedium.transportNumber == nil)
    }

    @Test func `what is no session description stays as it is`() {
        for text in ["", "offer", "v=0", "v=0\r\ns=-\r\n"] {
            let description = SessionDescription(kind: .offer, sdp: text)
            #expect(description.numbered(1) == description)
        }
    }

    @Test func `a request for a new transport comes back as it was, and holds no candidates for others`() throws {
        let id = try #require(CallID(bytes: Array(repeating: 7, count: 16)))
        let message = CallMessage.renew(id, after: 2)
        #expect(message.event == "x.call.extra")
        #expect(try CallMessage(event: message.event, parameters: message.parameters) == message)
        let packed = try message.parameters.object("extra").object("rtcExtraInfo").string("rtcIceCandidates")
        #expect(try PackedSession.candidates(packed) == [])
        #expect(try LZString.decompress(packed) == "{\"parleyTransport\":2}")
    }

    @Test func `objects of others in the place of candidates are no request`() throws {
        let id = CallID.random()
        for text in ["{}", "{\"parleyTransport\":-1}", "{\"parleyTransport\":\"1\"}", "{\"t\":\"restartOffer\"}", "7"] {
            let info: JSONObject = ["rtcIceCandidates": .string(LZString.compressToBase64(text))]
            let parameters: JSONObject = [
                "callId": .string(id.text), "extra": .object(["rtcExtraInfo": .object(info)]),
            ]
            #expect(try CallMessage(event: "x.call.extra", parameters: parameters) == .extra(id, []))
        }
    }

    @Test func `offers and answers for a later transport may be missed, the first may not`() {
        let id = CallID.random()
        let type = CallType(media: .video, encryption: true)
        for (number, isNeeded) in [(0, true), (1, false)] {
            let offer = SessionDescription(kind: .offer, sdp: sdp).numbered(number)
            let answer = SessionDescription(kind: .answer, sdp: sdp).numbered(number)
            #expect(
                CallMessage.offer(id, CallOffer(callType: type, description: offer, candidates: [], publicKey: nil))
                    .isNeeded == isNeeded)
            #expect(CallMessage.answer(id, CallAnswer(description: answer, candidates: [])).isNeeded == isNeeded)
        }
        #expect(!CallMessage.renew(id, after: 0).isNeeded && !CallMessage.end(id).isNeeded)
    }
}
