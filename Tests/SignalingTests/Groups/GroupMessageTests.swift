import TestSupport
import Testing

@testable import Signaling

@Suite("Messages of group calls", .timeLimit(.minutes(5)))
struct GroupMessageTests {
    static func text(_ message: GroupMessage) -> String { ChatMessage(.group(GroupSamples.id, message)).json.text }

    static func envelope(_ event: String, _ parameters: String) -> String {
        let call = #""call":"\#(GroupSamples.idText)""#
        let all = parameters.isEmpty ? call : "\(call),\(parameters)"
        return #"{"v":"1-9","event":"x.parley.group.\#(event)","params":{\#(all)}}"#
    }

    static func event(_ text: String) throws -> ChatEvent {
        try #require(try ChatBody(decoding: Array(text.utf8)).messages.first).event
    }

    static func read(_ text: String) throws -> GroupMessage {
        guard case .group(_, let message) = try event(text) else { throw SignalingError.invalidField("event") }
        return message
    }

    @Test(arguments: 0..<GroupSamples.exact.count) func `each message has its exact JSON`(index: Int) throws {
        let sample = GroupSamples.exact[index]
        let expected = Self.envelope(sample.event, sample.parameters)
        #expect(Self.text(sample.message) == expected)
        #expect(try Self.event(expected) == .group(GroupSamples.id, sample.message))
        #expect(sample.message.notifies == (sample.event == "inv"))
    }

    @Test func `fields that are not known are passed over`() throws {
        for sample in GroupSamples.exact {
            let more = sample.parameters.isEmpty ? #""later":[1]"# : #"\#(sample.parameters),"later":[1]"#
            #expect(try Self.read(Self.envelope(sample.event, more)) == sample.message)
        }
    }

    @Test(arguments: [
        #""from":7,"adds":["Cleo"]"#, #""from":"AQ""#, #""from":"AQ","adds":[]"#, #""from":"AQ","adds":[7]"#,
        #""from":"","adds":["Cleo"]"#, #""from":"AQ","adds":["1","2","3","4","5","6","7","8"]"#,
        #""from":"AQ","adds":["\u202e"]"#,
    ]) func `a question in a call of two names that call and at least one person`(question: String) {
        let rest = #""you":2,"by":1,"host":1,"media":"audio","members":[{"n":1,"name":"Anna"}],"via":"mesh""#
        #expect(throws: SignalingError.self) { try Self.read(Self.envelope("inv", rest + "," + question)) }
    }

    @Test func `an event of a later version is an unknown one`() throws {
        guard case .unknown(let name, _) = try Self.event(Self.envelope("wave", #""hands":2"#)) else {
            Issue.record("it is not unknown")
            return
        }
        #expect(name == "x.parley.group.wave")
    }

    @Test func `2,000 random messages are read back as they were written, and written the same again`() throws {
        var generator = SeededGenerator(seed: 15)
        for _ in 0..<2_000 {
            let message = GroupSamples.random(&generator)
            let text = Self.text(message)
            let again = try Self.read(text)
            #expect(again == message)
            #expect(Self.text(again) == text)
        }
    }

    @Test func `a message with any one bit changed is a message or an error, and never a trap`() throws {
        var (read, refused) = (0, 0)
        for sample in GroupSamples.exact {
            let bytes = Array(Self.envelope(sample.event, sample.parameters).utf8)
            for bit in 0..<bytes.count * 8 {
                var changed = bytes
                changed[bit / 8] ^= 1 << (bit % 8)
                do throws(SignalingError) {
                    let body = try ChatBody(decoding: changed)
                    // What was taken can be written and is then the same.
                    for message in body.messages {
                        let again = try ChatMessage(json: (try? JSONValue(parsing: message.json.encoded)) ?? .null)
                        #expect(again == message, "bit \(bit) of \(sample.event)")
                    }
                    read += 1
                } catch {
                    refused += 1
                }
            }
        }
        #expect(read > 1_000 && refused > 1_000)
    }

    @Test func `a call has 16 bytes`() throws {
        for (call, isRead) in [("AAECAwQFBgcICQoLDA0ODw", true), ("AA", false), ("", false), ("*", false)] {
            let text = #"{"v":"1-9","event":"x.parley.group.leave","params":{"call":"\#(call)"}}"#
            #expect((try? Self.read(text)) == (isRead ? .leave : nil), "\(call)")
        }
        #expect(throws: SignalingError.missingField("call")) {
            try Self.read(#"{"v":"1-9","event":"x.parley.group.leave","params":{}}"#)
        }
    }

    // MARK: Bounds

    static let longName = String(repeating: "a", count: 65)
    static let longLink = String(repeating: "a", count: 2_049)
    static let member = #"{"n":1,"name":"A","is":"in"}"#

    static func roster(no: String = "1", host: String = "1", last: String = "9", members: String = member) -> String {
        #""no":\#(no),"host":\#(host),"last":\#(last),"members":[\#(members)],"via":"mesh""#
    }

    static func invitation(you: String = "3", by: String = "1", host: String = "1", members: String) -> String {
        #""you":\#(you),"by":\#(by),"host":\#(host),"media":"audio","members":[\#(members)],"via":"mesh""#
    }

    static func members(_ count: Int) -> String {
        (1...count).map { #"{"n":\#($0),"name":"A","is":"in"}"# }.joined(separator: ",")
    }

    static func room(no: String = "1", url: String = "wss://a", room: String = "1", rest: String = "") -> String {
        #""no":\#(no),"url":"\#(url)","room":\#(room),\#(rest)"feeds":"\#(GroupSamples.secretText)""#
    }

    static let links = (1...8).map { #"{"for":\#($0),"link":"a"}"# }.joined(separator: ",")
    static let tags = Array(repeating: #""AAECAwQFBgcICQoL""#, count: 257).joined(separator: ",")

    static let state = #""mic":true,"camera":false,"screen":false,"hand":false"#

    static let refused: [(event: String, parameters: String, error: SignalingError)] = [
        ("hello", "", .missingField("member")), ("hello", #""member":0"#, .invalidField("member")),
        ("hello", #""member":256"#, .invalidField("member")), ("hello", #""member":1.5"#, .invalidField("member")),
        ("hello", #""member":"1""#, .invalidField("member")),
        ("hello", #""member":3,"tags":[\#(tags)]"#, .fieldTooMany("tags", limit: 256)),
        ("hello", #""member":3,"tags":["AA=="]"#, .invalidField("tags")),
        ("ask", #""name":"\#(longName)""#, .fieldTooLong("name", limit: 64)),
        ("ask", #""name":"\u202e\u200b""#, .invalidField("name")), ("ask", #""name":7"#, .invalidField("name")),
        ("roster", roster(no: "0"), .invalidField("no")), ("roster", roster(no: "4294967296"), .invalidField("no")),
        ("roster", roster(host: "2"), .invalidField("host")), ("roster", roster(last: "0"), .invalidField("last")),
        ("roster", roster(members: members(9)), .fieldTooMany("members", limit: 8)),
        ("roster", roster(members: "\(member),\(member)"), .invalidField("members")),
        ("roster", roster(last: "1", members: members(2)), .invalidField("members")),
        ("roster", roster(members: "7"), .invalidField("members")),
        ("roster", roster(members: #"{"n":1,"name":"A","is":"lost"}"#), .invalidField("is")),
        ("roster", roster(members: #"{"n":1,"name":"A","is":"left"}"#), .invalidField("host")),
        ("roster", #""no":1,"host":1,"last":9,"members":[\#(member)],"via":"sea""#, .invalidField("via")),
        ("roster", roster() + #","server":1"#, .invalidField("server")),
        ("roster", roster() + #","server":"true""#, .invalidField("server")),
        ("inv", invitation(members: members(8)), .fieldTooMany("members", limit: 7)),
        ("state", state + #","heard":7"#, .invalidField("heard")),
        ("state", state + #","seen":[0]"#, .invalidField("seen")),
        ("state", state + #","heard":[256]"#, .invalidField("heard")),
        ("state", state + #","seen":["1"]"#, .invalidField("seen")),
        (
            "state", state + #","seen":[\#(Array(repeating: "1", count: 256).joined(separator: ","))]"#,
            .fieldTooMany("seen", limit: 255)
        ),
        ("inv", invitation(members: ""), .invalidField("host")),
        ("inv", invitation(by: "2", members: member), .invalidField("by")),
        ("inv", invitation(you: "1", members: member), .invalidField("you")),
        ("join", #""member":3,"media":"smell""#, .invalidField("media")),
        ("join", #""member":3,"media":"audio","lines":[\#(links)]"#, .fieldTooMany("lines", limit: 7)),
        (
            "join", #""member":3,"media":"audio","lines":[{"for":1,"link":"a"},{"for":1,"link":"b"}]"#,
            .invalidField("lines")
        ),
        ("line", #""member":3,"for":3,"link":"a""#, .invalidField("for")),
        ("line", #""member":3,"for":1,"link":"""#, .invalidField("link")),
        ("line", #""member":3,"for":1,"link":"a b""#, .invalidField("link")),
        ("line", #""member":3,"for":1,"link":"\#(longLink)""#, .fieldTooLong("link", limit: 2_048)),
        ("key", #""epoch":256,"step":0,"secret":"\#(GroupSamples.secretText)""#, .invalidField("epoch")),
        ("key", #""epoch":0,"step":-1,"secret":"\#(GroupSamples.secretText)""#, .invalidField("step")),
        ("key", #""epoch":0,"step":0,"secret":"AAAA""#, .invalidField("secret")),
        ("offer", #""path":65536"#, .invalidField("path")), ("offer", #""path":0"#, .missingField("rtcSession")),
        ("over", #""of":7"#, .invalidField("of")),
        ("rejoin", #""member":1,"nonce":"AA""#, .invalidField("nonce")),
        ("room", room(url: "https://a"), .invalidField("url")), ("room", room(url: "wss://a b"), .invalidField("url")),
        ("room", room(url: "wss://" + longLink), .fieldTooLong("url", limit: 512)),
        ("room", room(room: "9007199254740993"), .invalidField("room")),
        ("room", room(rest: #""pin":"\#(longName)","#), .fieldTooLong("pin", limit: 64)),
        ("room", room(rest: #""token":"\#(longLink)","#), .fieldTooLong("token", limit: 1_024)),
        ("state", #""mic":true,"camera":false,"screen":1,"hand":false"#, .invalidField("screen")),
    ]

    @Test(arguments: 0..<refused.count) func `what is out of its bounds is a typed error`(index: Int) {
        let sample = Self.refused[index]
        #expect(throws: sample.error) { try Self.read(Self.envelope(sample.event, sample.parameters)) }
    }

    @Test func `a reason to decline that a later version knows is a refusal like others`() throws {
        #expect(
            try Self.read(Self.envelope("decline", #""member":3,"why":"rain""#))
                == .decline(GroupDecline(member: GroupSamples.number(3), reason: .declined)))
    }

    @Test func `what is over by the word of a later version is as with an earlier one, which has none`() throws {
        #expect(try Self.read(Self.envelope("over", #""of":"rain""#)) == .over(nil))
    }

    @Test func `a name loses what changes the place of text, and what is beyond 64 bytes`() throws {
        #expect(
            try Self.read(Self.envelope("ask", #""name":" An\u202ena \u0007 ""#)) == .ask(GroupSamples.name("Anna")))
        #expect(MemberName(parsing: String(repeating: "ä", count: 64))?.text == String(repeating: "ä", count: 32))
        #expect(
            MemberName(parsing: String(repeating: "a", count: 63) + " b")?.text == String(repeating: "a", count: 63))
        #expect(MemberName(parsing: "\u{200D}") == nil)
    }

    @Test func `no secret is described`() {
        for sample in GroupSamples.exact {
            let described = "\(sample.message) \(String(reflecting: sample.message))"
            for secret in [GroupSamples.secretText, "1234", "5678", "invitation#", "9, 9, 9"] {
                #expect(!described.contains(secret), "\(sample.event)")
            }
            var dumped = ""
            dump(sample.message, to: &dumped)
            #expect(!dumped.contains("1234") && !dumped.contains("invitation#"), "\(sample.event)")
            if sample.event == "key" { #expect(!dumped.contains("9")) }
        }
    }

    @Test func `calls of several are announced where the program is told to, and not otherwise`() {
        #expect(!PeerAbilities.own.contains(.groups))
        #expect(PeerAbilities.own(takingGroups: false) == .own)
        #expect(
            JSONValue.object(Profile(displayName: "a", abilities: .own(takingGroups: true)).json).text
                .hasSuffix(#""parley":{"can":["call.standing","call.tones","call.group"]}}"#))
    }
}
