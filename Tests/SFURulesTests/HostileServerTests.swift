import BaseKit
import Signaling
import TestSupport
import Testing

@testable import SFURules

/// A server that says whatever it likes.
@Suite(.timeLimit(.minutes(5))) struct HostileServerTests {
    @Test func `what is too long is not even read`() {
        var talk = Talk.joined()
        let long = #"{"janus":"hangup","session_id":11,"sender":31,"reason":""#
        talk.say(long + String(repeating: "a", count: JanusMessage.maximumLength) + #""}"#)
        #expect(talk.look() == [])
        #expect(talk.machine.counts == JanusCounts(unreadable: 1))
    }

    @Test func `what is nested without end is refused`() {
        var talk = Talk.joined()
        talk.say(#"{"janus":"event","plugindata":"# + String(repeating: "[", count: 60_000))
        talk.say(#"{"janus":"event","plugindata":"# + String(repeating: #"{"a":"#, count: 20_000))
        #expect(talk.machine.counts == JanusCounts(unreadable: 2))
    }

    @Test(arguments: [
        "", "[]", "{}", "null", #"{"janus":5}"#, #"{"janus":"event","session_id":"11"}"#,
        #"{"janus":"event","session_id":-1}"#, #"{"janus":"event","session_id":1.5}"#,
        #"{"janus":"event","session_id":99999999999999999999}"#, #"{"janus":"event","plugindata":[]}"#,
        #"{"janus":"event","plugindata":{"plugin":"janus.plugin.videoroom","data":5}}"#,
        #"{"janus":"event","plugindata":{"plugin":"janus.plugin.videoroom","data":{"videoroom":"event","publishers":{}}}}"#,
        #"{"janus":"event","plugindata":{"plugin":"janus.plugin.videoroom","data":{"videoroom":"event","leaving":0}}}"#,
        #"{"janus":"event","jsep":{"type":"rollback","sdp":""}}"#, #"{"janus":"event","jsep":{"type":"offer"}}"#,
        #"{"janus":"error","error":{"code":"403"}}"#, #"{"janus":"media","sender":31,"type":"audio"}"#,
        #"{"janus":"trickle","sender":31,"candidate":{"candidate":"a\nb"}}"#,
    ]) func `what has the wrong type is refused as a whole`(text: String) {
        var talk = Talk.joined()
        talk.say(text)
        #expect(talk.look() == [])
        #expect(talk.machine.counts == JanusCounts(unreadable: 1))
    }

    @Test func `what is of an unknown kind is passed over`() {
        var talk = Talk.joined()
        talk.say(#"{"janus":"weather","session_id":11,"sender":31,"rain":true}"#)
        talk.tell(#"{"videoroom":"talking","room":4871200913377,"id":102}"#)
        #expect(talk.look() == [])
        #expect(talk.machine.counts == JanusCounts(unknownKinds: 2))
    }

    @Test func `answers that nobody asked for change nothing`() {
        var talk = Talk.joined()
        for kind in ["success", "event"] {
            talk.say(#"{"janus":"\#(kind)","session_id":11,"transaction":"900","data":{"id":5}}"#)
        }
        talk.say(#"{"janus":"error","session_id":11,"transaction":"x","error":{"code":403}}"#)
        talk.say(#"{"janus":"ack","session_id":11,"transaction":"901"}"#)
        #expect(talk.look() == [])
        #expect(talk.machine.counts == JanusCounts(unknownTransactions: 3))
    }

    @Test func `an answer from another handle is none`() {
        var talk = Talk.joined()
        talk.ask(2, .publish(own: Talk.anna.id, offer: "v=0"))
        talk.sayResult(99, #"{"videoroom":"event"}"#, more: #","jsep":{"type":"answer","sdp":"v=0 evil"}"#)
        #expect(talk.look() == [])
        talk.sayResult(Talk.own, #"{"videoroom":"event"}"#, more: #","jsep":{"type":"answer","sdp":"v=0"}"#)
        #expect(talk.look() == [.settle(2, .success(.description("v=0")))])
    }

    @Test func `what is of another session, or of handles that are not there, changes nothing`() {
        var talk = Talk.joined([Talk.ben])
        talk.say(#"{"janus":"timeout","session_id":12}"#)
        talk.say(#"{"janus":"timeout"}"#)
        talk.tell(#"{"videoroom":"destroyed","room":4871200913377}"#, handle: 99)
        talk.tell(#"{"videoroom":"destroyed","room":4871200913377}"#, handle: Talk.service)
        #expect(talk.look() == [])
        #expect(talk.machine.counts == JanusCounts(unknownSenders: 1, otherSessions: 1, untimely: 2))
    }

    @Test func `invented feeds are told of up to a bound`() {
        var talk = Talk.joined()
        for round in 0..<4 {
            let list = (1...100).map { Talk.publisher(SFUFeed(id: SFUNumber(1_000 + round * 100 + $0)!, display: "")) }
            talk.tell(#"{"videoroom":"event","publishers":[\#(list.joined(separator: ","))]}"#)
        }
        #expect(talk.events.count == JanusRooms.maximumFeeds)
        #expect(talk.machine.counts.excessFeeds == 400 - JanusRooms.maximumFeeds)
    }

    @Test func `an answer of the wrong form is no success`() {
        var talk = Talk.joined([Talk.ben])
        talk.ask(2, .subscribe(Talk.ben.id))
        talk.sayHandle(Talk.subscription)
        talk.sayResult(Talk.subscription, #"{"videoroom":"attached","streams":[]}"#)
        #expect(talk.result(2) == .failure(.malformed))
        talk.ask(3, .publish(own: Talk.anna.id, offer: "v=0"))
        talk.sayResult(Talk.own, #"{"videoroom":"event"}"#, more: #","jsep":{"type":"offer","sdp":"v=0"}"#)
        #expect(talk.result(3) == .failure(.malformed))
    }

    @Test func `a reason for people is one line of visible text`() throws {
        let message = try JanusMessage(decoding: Array(#"{"janus":"hangup","reason":"a\u0007\u202eb\nc é"}"#.utf8))
        #expect(message.kind == .hangUp(reason: "abc "))
    }

    /// Pieces of real messages in every order, each changed a little.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func `nothing that a server can say traps, and every command comes to an end`(
        seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed)
        var talk = seed.isMultiple(of: 3) ? Talk.on() : Talk.joined([Talk.ben])
        _ = talk.look()
        var (open, settled) = (Set<Int>(), Set<Int>())
        func account() {
            for case .settle(let number, _) in talk.look() {
                #expect(open.remove(number) != nil, "\(number) was settled and not open")
                settled.insert(number)
            }
        }
        for number in 10..<70 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1:
                open.insert(number)
                talk.ask(number, Self.commands.randomElement(using: &random)!)
            case 2: talk.pass(.milliseconds(Int.random(in: 0...12_000, using: &random)))
            case 3: talk.cut()
            case 4: talk.connect()
            default:
                var bytes = Array(Self.words.randomElement(using: &random)!.utf8)
                if Bool.random(using: &random) {
                    bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0x20...0x7E, using: &random)
                }
                talk.say(String(decoding: bytes, as: UTF8.self))
            }
            account()
            #expect(talk.machine.transactions.count <= JanusMachine.maximumWaiting * 2)
        }
        for _ in 0..<8 {
            talk.pass(.seconds(5))
            account()
        }
        #expect(open.isEmpty, "nothing waits longer than its time")
    }

    private static let commands: [JanusCommand] = [
        .exists(Talk.room.number), .participants(Talk.room.number), .join(Talk.room, Talk.cleo),
        .publish(own: Talk.anna.id, offer: "v=0"), .subscribe(Talk.ben.id), .answer(Talk.ben.id, "v=0"),
        .configure(Talk.ben.id, SFUFeedChoice(substream: 1)), .unsubscribe(Talk.ben.id), .leave(own: Talk.anna.id),
        .addCandidates(.own(Talk.anna.id), [], isComplete: true),
    ]

    private static let words: [String] = [
        #"{"janus":"ack","session_id":11,"transaction":"$T"}"#,
        #"{"janus":"success","transaction":"$T","data":{"id":51}}"#,
        #"{"janus":"success","session_id":11,"transaction":"$T","data":{"id":61}}"#,
        #"{"janus":"success","session_id":11,"transaction":"$T"}"#,
        #"{"janus":"error","session_id":11,"transaction":"$T","error":{"code":458,"reason":""}}"#,
        #"{"janus":"timeout","session_id":11}"#, #"{"janus":"detached","session_id":11,"sender":31}"#,
        #"{"janus":"event","session_id":11,"transaction":"$T","sender":61,"plugindata":{"plugin":"janus.plugin.videoroom","#
            + #""data":{"videoroom":"attached","streams":[{"mid":"0","type":"audio"}]}},"jsep":{"type":"offer","sdp":"v=0"}}"#,
        #"{"janus":"event","session_id":11,"transaction":"$T","sender":61,"plugindata":{"plugin":"janus.plugin.videoroom","#
            + #""data":{"videoroom":"joined","id":103,"publishers":[{"id":102},{"id":104}]}}}"#,
        #"{"janus":"event","session_id":11,"sender":31,"plugindata":{"plugin":"janus.plugin.videoroom","#
            + #""data":{"videoroom":"event","leaving":"ok","reason":"kicked","unpublished":102,"kicked":104}}}"#,
        #"{"janus":"event","session_id":11,"sender":31,"plugindata":{"plugin":"janus.plugin.videoroom","#
            + #""data":{"videoroom":"destroyed"}}}"#,
    ]
}
