import Cryptography
import Signaling
import TestSupport
import Testing

@Suite("Chat messages", .timeLimit(.minutes(5)))
struct ChatMessageTests {
    func read(_ text: String) throws -> ChatMessage {
        let body = try ChatBody(decoding: Array(text.utf8))
        #expect(body.refused.isEmpty)
        return try #require(body.messages.first)
    }

    @Test func `a profile is introduced with the exact JSON of the handshake`() throws {
        let message = ChatMessage(.information(Profile(displayName: "Ada", calls: .always)), identifier: "bm90aGVyZQ==")
        let expected =
            #"{"v":"1-9","event":"x.info","params":{"profile":{"displayName":"Ada","fullName":"","#
            + #""preferences":{"calls":{"allow":"always"}}}}}"#
        #expect(String(decoding: try message.encodedConnectionInformation(), as: UTF8.self) == expected)
    }

    @Test func `a message carries version, identifier, event and parameters in this order`() throws {
        let message = ChatMessage(.contactDeleted, identifier: "YWJj")
        #expect(message.json.text == #"{"v":"1-9","msgId":"YWJj","event":"x.direct.del","params":{}}"#)
    }

    @Test func `a message of no use here is kept as it came`() throws {
        let text =
            #"{"v":"1","event":"x.msg.react","params":{"msgId":"a","reaction":{"type":"emoji","z":1},"add":true}}"#
        let message = try read(text)
        #expect(message.event.name == "x.msg.react")
        #expect(message.json.text == text)
    }

    @Test func `a contact request is read and written`() throws {
        let profile = Profile(displayName: "Bo", fullName: "Bo B")
        let message = ChatMessage(.contactRequest(ContactRequest(profile: profile, requestIdentifier: "eA==")))
        #expect(try read(message.json.text) == message)
    }

    @Test func `each event is read back as it was written`() throws {
        let events: [ChatEvent] = [
            .information(Profile(displayName: "Ada")), .contactDeleted, .note("“quoted”\n"),
            .unknown(name: "x.grp.leave", parameters: .object(["a": .array([.null])])),
        ]
        for event in events {
            let message = ChatMessage.identified(event)
            #expect(try read(message.json.text) == message)
        }
    }

    @Test func `unknown events are kept, unknown fields are ignored`() throws {
        let message = try read(#"{"v":"1-18","scope":{"x":1},"event":"x.member.new","params":[1,2]}"#)
        #expect(message.event == .unknown(name: "x.member.new", parameters: .array([.integer(1), .integer(2)])))
        #expect(message.versions.maximum == 18)
    }

    @Test func `a profile keeps the fields and preferences it does not know`() throws {
        let text =
            #"{"displayName":"Ada","fullName":"","shortDescr":"s","image":"data:image/jpg;base64,AA","contactLink":"l","#
            + #""preferences":{"voice":{"allow":"no"},"calls":{"allow":"no"}},"peerType":"bot"}"#
        let profile = try Profile(json: try #require(try JSONValue(parsing: Array(text.utf8)).object))
        #expect(profile.calls == .no)
        #expect(JSONValue.object(profile.json).text == text)
    }

    @Test(
        arguments: [
            (#"{"can":["call.standing","call.tones","call.later"]}"#, [.callStanding, .tones]),
            (#"{"can":[7,"call.standing",null]}"#, .callStanding), (#"{"can":"call.standing"}"#, []), (#"{}"#, []),
            ("null", []), (#"["call.standing"]"#, []),
        ] as [(String, PeerAbilities)])
    func `what a program understands beyond the protocol is read from its profile, as far as it is known here`(
        member: String, expected: PeerAbilities
    ) throws {
        let text = #"{"displayName":"a","fullName":"","parley":\#(member)}"#
        #expect(try Profile(json: try #require(try JSONValue(parsing: Array(text.utf8)).object)).abilities == expected)
    }

    @Test func `a profile says what its program understands beyond the protocol, and nothing where that is nothing`() {
        #expect(
            JSONValue.object(Profile(displayName: "a", abilities: .callStanding).json).text
                == #"{"displayName":"a","fullName":"","preferences":{"calls":{"allow":"yes"}},"#
                + #""parley":{"can":["call.standing"]}}"#)
        #expect(Profile(displayName: "a").json["parley"] == nil)
    }

    @Test func `a profile carries what one contact is to recognise the person by, beside what the program can`() throws
    {
        var profile = Profile(displayName: "a", abilities: .callStanding)
        let seed = try #require(RecognitionSeed(text: Base64URL.encode(Array(0..<32), padded: false)))
        profile.recognitionSeed = seed
        let text = JSONValue.object(profile.json).text
        #expect(text.hasSuffix(#""parley":{"can":["call.standing"],"seed":"\#(seed.text)"}}"#))
        #expect(try Profile(json: try #require(try JSONValue(parsing: Array(text.utf8)).object)) == profile)
        var dumped = ""
        dump(profile, to: &dumped)
        #expect(!"\(profile) \(dumped)".contains(seed.text))
    }

    @Test(arguments: ["7", "null", #""""#, #""AAAA""#, #""\#(String(repeating: "A", count: 900))""#])
    func `what no contact can be recognised by is passed over`(seed: String) throws {
        let text = #"{"displayName":"a","fullName":"","parley":{"can":["call.group"],"seed":\#(seed)}}"#
        let profile = try Profile(json: try #require(try JSONValue(parsing: Array(text.utf8)).object))
        #expect(profile.recognitionSeed == nil && profile.abilities == .groups)
    }

    @Test(arguments: [
        (#"{}"#, FeaturePreference.yes), (#"{"calls":null}"#, .yes), (#"{"calls":{"allow":"always"}}"#, .always),
        (#"{"calls":{"allow":"yes"}}"#, .yes), (#"{"calls":{"allow":"maybe"}}"#, .no), (#"{"calls":7}"#, .no),
    ])
    func `the preference for calls is yes when absent and no when unreadable`(
        preferences: String, expected: FeaturePreference
    ) throws {
        let text = #"{"displayName":"a","fullName":"","preferences":\#(preferences)}"#
        #expect(try Profile(json: try #require(try JSONValue(parsing: Array(text.utf8)).object)).calls == expected)
    }

    @Test(arguments: [("1", 1, 1), ("1-9", 1, 9), ("8-18", 8, 18)] as [(String, UInt16, UInt16)])
    func `the version is N or N-M; absent it is 1`(text: String, minimum: UInt16, maximum: UInt16) throws {
        let range = try #require(ChatVersionRange(parsing: text))
        #expect(range.minimum == minimum)
        #expect(range.maximum == maximum)
        #expect(range.text == text)
        #expect(try read(#"{"event":"x.direct.del"}"#).versions == .initial)
    }

    @Test(arguments: ["", "-", "1-", "-1", "9-1", "a", "1-2-3", "99999", "+1", "1 "])
    func `other versions are an error`(text: String) {
        #expect(ChatVersionRange(parsing: text) == nil)
        #expect(throws: SignalingError.invalidField("v")) {
            try read(#"{"v":"\#(text)","event":"x.direct.del","params":{}}"#)
        }
    }

    @Test(arguments: [
        (#"{"params":{}}"#, SignalingError.missingField("event")),
        (#"{"event":5}"#, .invalidField("event")),
        (#"{"v":1,"event":"x.info"}"#, .invalidField("v")),
        (#"{"msgId":[],"event":"x.info"}"#, .invalidField("msgId")),
        (#"{"event":"x.info"}"#, .missingField("profile")),
        (#"{"event":"x.info","params":[]}"#, .invalidField("params")),
        (#"{"event":"x.info","params":{"profile":"a"}}"#, .invalidField("profile")),
        (#"{"event":"x.info","params":{"profile":{"fullName":""}}}"#, .missingField("displayName")),
        (
            #"{"event":"x.info","params":{"profile":{"displayName":"","fullName":""}}}"#,
            .invalidField("displayName")
        ),
    ])
    func `values of the wrong type are an error`(text: String, error: SignalingError) {
        #expect(throws: error) { try read(text) }
    }

    @Test func `a message that does not fit is an error before it is sent`() throws {
        let text = { (count: Int) in
            ChatMessage(.note(String(repeating: "a", count: count)))
        }
        let overhead = try text(0).encoded().count
        #expect(try text(15_602 - overhead).encoded().count == 15_602)
        // What can't be compressed.
        var generator = SeededGenerator(seed: 7)
        let letters = generator.bytes(30_000).map { UInt8(ascii: "0") + $0 % 43 }
        let noise = ChatMessage(.note(String(decoding: letters, as: UTF8.self)))
        #expect(throws: SignalingError.tooLarge(count: 30_000 + overhead, limit: 15_602)) { try noise.encoded() }
        #expect(throws: SignalingError.tooLarge(count: 30_000 + overhead, limit: 14_694)) {
            try noise.encodedConnectionInformation()
        }
    }

    @Test func `only messages that should wake the recipient are marked so`() throws {
        let id = try #require(CallID(bytes: [1]))
        let invitation = CallInvitation(callType: CallType(media: .audio, encryption: false), publicKey: nil)
        #expect(ChatEvent.call(.invitation(id, invitation)).notifies)
        #expect(!ChatEvent.call(.end(id)).notifies)
        #expect(!ChatEvent.information(Profile(displayName: "a")).notifies)
    }
}

extension ChatEvent {
    /// An event of no use here, as long as its text.
    static func note(_ text: String) -> ChatEvent {
        .unknown(name: "x.msg.old", parameters: .object(["text": .string(text)]))
    }
}
