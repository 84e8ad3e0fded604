import BaseKit
import Signaling
import Testing

@testable import SFURules

/// Rooms and feeds on a session that is there.
@Suite(.timeLimit(.minutes(5))) struct RoomTests {
    // MARK: What is sent

    @Test func `a room is made private, with its secrets, for sealed media alone`() throws {
        var talk = Talk.on(keys: SFUKeys(roomKey: SecretText("create")))
        var plan = SFURoomPlan(room: Talk.room, secret: SecretText("s1"))
        plan.maximumBitrate = 2_000_000
        talk.ask(1, .makeRoom(plan))
        #expect(
            talk.lastBody.map { JSONValue.object($0).text }
                == #"{"request":"create","room":4871200913377,"permanent":false,"is_private":true,"secret":"s1","#
                + #""publishers":16,"require_pvtid":true,"require_e2ee":true,"audiocodec":"opus","videocodec":"vp8","#
                + #""bitrate":2000000,"bitrate_cap":true,"audiolevel_ext":false,"audiolevel_event":false,"record":false,"#
                + #""lock_record":true,"notify_joining":false,"pin":"p1","admin_key":"create"}"#)
        talk.sayResult(
            Talk.service, #"{"videoroom":"created","room":4871200913377,"permanent":false}"#, kind: "success")
        #expect(talk.look() == [.settle(1, .success(.done))])
    }

    @Test func `rooms that nobody can guess are all different`() {
        let plans = (0..<20).map { _ in SFURoomPlan.random() }
        #expect(Set(plans.map(\.room.number)).count == 20)
        #expect(Set(plans.compactMap(\.room.pin?.text) + plans.map(\.secret.text)).count == 40)
        #expect(plans.allSatisfy { $0.secret.text.utf8.count == 22 && $0.room.number.value < 1 << 52 })
    }

    @Test func `joining takes a handle of its own, number, display and PIN`() {
        var talk = Talk.on()
        talk.ask(1, .join(Talk.room, Talk.anna))
        #expect(talk.sent.last?["janus"] == .string("attach"))
        talk.sayHandle(Talk.own)
        #expect(talk.sent.last?["handle_id"] == .integer(Talk.own))
        #expect(
            talk.lastBody.map { JSONValue.object($0).text }
                == #"{"request":"join","ptype":"publisher","room":4871200913377,"id":101,"display":"1.mark","pin":"p1"}"#
        )
    }

    @Test func `an offer goes out as sealed from end to end, and its answer comes back`() {
        var talk = Talk.joined()
        talk.ask(2, .publish(own: Talk.anna.id, offer: "v=0 offer"))
        #expect(
            talk.sent.last?["jsep"].map(\.text) == #"{"type":"offer","sdp":"v=0 offer","e2ee":true}"#)
        talk.sayAcknowledgement()
        #expect(talk.result(2) == nil)
        talk.sayResult(
            Talk.own, #"{"videoroom":"event","room":4871200913377,"configured":"ok"}"#,
            more: #","jsep":{"type":"answer","sdp":"v=0 answer"}"#)
        #expect(talk.look() == [.settle(2, .success(.description("v=0 answer")))])
    }

    @Test func `subscribing shows that this side is in the room, and brings an offer`() {
        var talk = Talk.joined([Talk.ben])
        talk.subscribe()
        #expect(
            talk.lastBody.map { JSONValue.object($0).text }
                == #"{"request":"join","ptype":"subscriber","room":4871200913377,"streams":[{"feed":102}],"pin":"p1","#
                + #""private_id":77}"#)
        #expect(talk.result(2) == .success(.description("v=0 offer")))
    }

    @Test func `layers are chosen for the picture alone`() {
        var talk = Talk.joined([Talk.ben])
        talk.subscribe()
        talk.ask(3, .configure(Talk.ben.id, SFUFeedChoice(substream: 0, temporal: 1, isVideoSent: false)))
        #expect(
            talk.lastBody.map { JSONValue.object($0).text }
                == #"{"request":"configure","streams":[{"mid":"0","send":true},"#
                + #"{"mid":"1","send":false,"substream":0,"temporal":1}]}"#)
    }

    @Test func `candidates are told together, and that they are all`() {
        var talk = Talk.joined()
        let candidate = SFUCandidate(text: "candidate:1 1 udp 1 192.0.2.1 5000 typ host", mid: "0", index: 0)
        talk.ask(2, .addCandidates(.own(Talk.anna.id), [candidate], isComplete: true))
        let texts = talk.sent.suffix(2).map { ($0["candidates"] ?? $0["candidate"])?.text }
        #expect(
            texts == [
                #"[{"candidate":"candidate:1 1 udp 1 192.0.2.1 5000 typ host","sdpMid":"0","sdpMLineIndex":0}]"#,
                #"{"completed":true}"#,
            ])
        #expect(talk.result(2) == nil)
        talk.sayAcknowledgement()
        #expect(talk.result(2) == .success(.done))
    }

    @Test func `what is received ends with the last own feed`() {
        var talk = Talk.joined([Talk.ben])
        talk.subscribe()
        _ = talk.look()
        talk.ask(3, .leave(own: Talk.anna.id))
        let detached = talk.sent.filter { $0["janus"] == .string("detach") }.map { $0["handle_id"] }
        #expect(detached == [.integer(Talk.own), .integer(Talk.subscription)])
        talk.say(#"{"janus":"success","session_id":11,"transaction":"$A"}"#)
        #expect(talk.look() == [.settle(3, .success(.done))])
        talk.ask(4, .join(Talk.room, Talk.cleo))
        #expect(talk.sent.last?["janus"] == .string("attach"))
    }

    @Test func `a screen is a feed of its own, and its leaving leaves the rest`() {
        var talk = Talk.joined([Talk.ben])
        talk.join([Talk.anna, Talk.ben], as: Talk.cleo, handle: 32)
        #expect(talk.look() == [.settle(1, .success(.done))])
        talk.subscribe()
        talk.ask(4, .leave(own: Talk.cleo.id))
        talk.ask(5, .configure(Talk.ben.id, SFUFeedChoice()))
        #expect(talk.result(5) == nil)
        talk.tell(#"{"videoroom":"event","room":4871200913377,"leaving":102}"#)
        #expect(talk.events == [.feedWent(Talk.ben.id)])
    }

    // MARK: What is refused

    @Test(arguments: [
        (433, SFUError.wrongPin), (429, .wrongPin), (426, .noSuchRoom), (436, .feedTaken), (432, .roomFull),
        (403, .unauthorized), (499, .refused(code: 499)),
    ]) func `a refused join says why, and gives its handle back`(code: Int, error: SFUError) {
        var talk = Talk.on()
        talk.ask(1, .join(Talk.room, Talk.anna))
        talk.sayHandle(Talk.own)
        talk.sayRefusal(code)
        #expect(talk.look() == [.settle(1, .failure(error))])
        #expect(talk.sent.last?["janus"] == .string("detach"))
        #expect(talk.sent.last?["handle_id"] == .integer(Talk.own))
    }

    @Test(arguments: [(432, SFUError.roomFull), (433, .encryptionRequired), (437, .invalidDescription)])
    func `a refused offer says why, and the room is not left`(code: Int, error: SFUError) {
        var talk = Talk.joined()
        talk.ask(2, .publish(own: Talk.anna.id, offer: "v=0"))
        talk.sayRefusal(code)
        #expect(talk.look() == [.settle(2, .failure(error))])
        #expect(talk.machine.rooms.membership != nil)
    }

    @Test func `a description that Janus itself can't read is said to be so`() {
        var talk = Talk.joined()
        talk.ask(2, .publish(own: Talk.anna.id, offer: "nothing"))
        talk.say(
            #"{"janus":"error","session_id":11,"transaction":"$T","error":{"code":465,"reason":"Invalid SDP"}}"#)
        #expect(talk.look() == [.settle(2, .failure(.invalidDescription))])
    }

    @Test(arguments: [(429, SFUError.mayNotMakeRooms), (433, .mayNotMakeRooms), (427, .roomExists)])
    func `a room that is not made says why`(code: Int, error: SFUError) {
        var talk = Talk.on()
        talk.ask(1, .makeRoom(.random()))
        talk.sayRefusal(code, handle: Talk.service, kind: "success")
        #expect(talk.look() == [.settle(1, .failure(error))])
    }

    @Test func `the wrong secret is told from the wrong PIN`() {
        var talk = Talk.on()
        talk.ask(1, .destroyRoom(Talk.room.number, secret: SecretText("no")))
        talk.sayRefusal(433, handle: Talk.service, kind: "success")
        talk.ask(2, .kick(Talk.ben.id, room: Talk.room.number, secret: SecretText("no")))
        talk.sayRefusal(433, handle: Talk.service, kind: "success")
        talk.ask(3, .lockRoom(Talk.room.number, secret: SecretText("no"), .random()))
        talk.sayRefusal(433, handle: Talk.service, kind: "success")
        #expect(talk.look() == (1...3).map { .settle($0, .failure(.wrongSecret)) })
    }

    @Test func `a room that is locked anew is entered by the new PIN, also for further feeds`() {
        var talk = Talk.joined([Talk.ben])
        let lock = SFURoomLock(pin: SecretText("9"), secret: SecretText("new"))
        talk.ask(2, .lockRoom(Talk.room.number, secret: SecretText("old"), lock))
        #expect(talk.lastBody?["request"]?.string == "edit" && talk.lastBody?["secret"]?.string == "old")
        #expect(talk.lastBody?["new_pin"]?.string == "9" && talk.lastBody?["new_secret"]?.string == "new")
        talk.say(
            #"{"janus":"success","session_id":\#(Talk.session),"sender":\#(Talk.service),"transaction":"$T","#
                + #""plugindata":{"plugin":"janus.plugin.videoroom","data":{"videoroom":"edited","room":1}}}"#)
        #expect(talk.look() == [.settle(2, .success(.done))])
        talk.machine.use(pin: lock.pin, of: Talk.room.number)
        talk.ask(3, .subscribe(Talk.ben.id))
        talk.sayHandle(Talk.subscription)
        #expect(talk.lastBody?["pin"]?.string == "9")
    }

    @Test func `a feed that is gone can't be subscribed to, and can be later`() {
        var talk = Talk.joined([Talk.ben])
        talk.ask(2, .subscribe(Talk.ben.id))
        talk.sayHandle(Talk.subscription)
        talk.sayRefusal(428, handle: Talk.subscription)
        #expect(talk.look() == [.settle(2, .failure(.noSuchFeed))])
        talk.subscribe()
        #expect(talk.result(2) == .success(.description("v=0 offer")))
    }

    @Test func `nothing is done twice, and nothing without having joined`() {
        var talk = Talk.on()
        talk.ask(1, .subscribe(Talk.ben.id))
        talk.ask(2, .publish(own: Talk.anna.id, offer: "v=0"))
        talk.ask(3, .leave(own: Talk.anna.id))
        #expect((1...3).map { talk.result($0) } == Array(repeating: .failure(.notJoined), count: 3))
        talk.ask(4, .join(Talk.room, Talk.anna))
        talk.ask(5, .join(Talk.room, Talk.anna))
        let other = SFURoom(number: SFUNumber(5)!, pin: nil)
        talk.ask(6, .join(other, Talk.cleo))
        #expect([5, 6].map { talk.result($0) } == Array(repeating: .failure(.alreadyJoined), count: 2))
        #expect(talk.result(4) == nil)
    }

    @Test func `only so many feeds are received and sent at once`() {
        var talk = Talk.joined()
        for number in 1...32 {
            let feed = SFUFeed(id: SFUNumber(1_000 + number)!, display: "")
            talk.subscribe(feed, handle: 1_000 + number)
        }
        talk.ask(3, .subscribe(SFUNumber(2_000)!))
        for number in 1...3 {
            talk.join(as: SFUFeed(id: SFUNumber(3_000 + number)!, display: ""), handle: 3_000 + number)
        }
        talk.ask(4, .join(Talk.room, Talk.cleo))
        #expect([3, 4].map { talk.result($0) } == [.failure(.tooMany), .failure(.tooMany)])
    }

    // MARK: Time

    @Test func `what is not answered fails after ten seconds, and its handle is given back`() {
        var talk = Talk.joined([Talk.ben])
        talk.ask(2, .subscribe(Talk.ben.id))
        talk.sayHandle(Talk.subscription)
        talk.pass(.seconds(10))
        #expect(talk.result(2) == .failure(.timedOut))
        let detaching = talk.sent.last { $0["janus"] == .string("detach") }
        #expect(detaching?["handle_id"] == .integer(Talk.subscription))
    }

    @Test func `an answer that comes after its time is nobody's`() {
        var talk = Talk.joined()
        talk.ask(2, .exists(Talk.room.number))
        talk.pass(.seconds(10))
        _ = talk.look()
        // A keep-alive has gone out meanwhile.
        talk.say(
            #"{"janus":"success","session_id":11,"transaction":"$A","sender":\#(Talk.service),"#
                + #""plugindata":{"plugin":"janus.plugin.videoroom","data":{"videoroom":"success","exists":true}}}"#)
        #expect(talk.look() == [])
        #expect(talk.machine.counts.unknownTransactions == 1)
    }

    @Test func `an answer counts once, and an acknowledgement may come behind it`() {
        var talk = Talk.joined([Talk.ben])
        talk.subscribe()
        _ = talk.look()
        talk.ask(3, .configure(Talk.ben.id, SFUFeedChoice()))
        talk.sayResult(Talk.subscription, #"{"videoroom":"event","room":4871200913377,"configured":"ok"}"#)
        talk.sayAcknowledgement()
        talk.sayResult(Talk.subscription, #"{"videoroom":"event","room":4871200913377,"configured":"ok"}"#)
        #expect(talk.look() == [.settle(3, .success(.done))])
        #expect(talk.machine.counts == JanusCounts(unknownTransactions: 1))
    }

    // MARK: News

    @Test func `feeds come and go, each once`() {
        var talk = Talk.on()
        talk.join([Talk.ben])
        #expect(talk.events == [.feedCame(Talk.ben)])
        _ = talk.look()
        let cleo = #"{"videoroom":"event","room":4871200913377,"publishers":[\#(Talk.publisher(Talk.cleo))]}"#
        talk.tell(cleo)
        talk.tell(cleo)
        talk.tell(#"{"videoroom":"event","room":4871200913377,"unpublished":102}"#)
        talk.tell(#"{"videoroom":"event","room":4871200913377,"leaving":102}"#)
        talk.tell(#"{"videoroom":"event","room":4871200913377,"kicked":103}"#)
        #expect(talk.events == [.feedCame(Talk.cleo), .feedWent(Talk.ben.id), .feedWent(Talk.cleo.id)])
    }

    @Test func `what becomes of media is told by path`() {
        var talk = Talk.joined([Talk.ben])
        talk.subscribe()
        _ = talk.look()
        talk.say(#"{"janus":"webrtcup","session_id":11,"sender":31}"#)
        talk.say(
            #"{"janus":"media","session_id":11,"sender":41,"mid":"1","type":"video","receiving":false,"seconds":1}"#)
        talk.say(#"{"janus":"slowlink","session_id":11,"sender":31,"media":"video","mid":"1","uplink":true,"lost":12}"#)
        talk.say(#"{"janus":"hangup","session_id":11,"sender":41,"reason":"ICE failed"}"#)
        talk.say(
            #"{"janus":"trickle","session_id":11,"sender":41,"candidate":{"sdpMid":"0","sdpMLineIndex":0,"candidate":"c"}}"#
        )
        talk.say(#"{"janus":"trickle","session_id":11,"sender":41,"candidate":{"completed":true}}"#)
        let (own, feed) = (SFUPath.own(Talk.anna.id), SFUPath.feed(Talk.ben.id))
        #expect(
            talk.events == [
                .connected(own), .media(feed, isAudio: false, isReceiving: false), .slowLink(own, isUplink: true),
                .hungUp(feed, reason: "ICE failed"),
                .candidates(feed, [SFUCandidate(text: "c", mid: "0", index: 0)], isComplete: false),
                .candidates(feed, [], isComplete: true),
            ])
    }

    @Test func `who is put out is out of everything`() {
        var talk = Talk.joined([Talk.ben])
        talk.subscribe()
        _ = talk.look()
        talk.tell(#"{"videoroom":"event","room":4871200913377,"leaving":"ok","reason":"kicked"}"#)
        #expect(talk.events == [.removed])
        let detached = talk.sent.filter { $0["janus"] == .string("detach") }.map { $0["handle_id"] }
        #expect(detached == [.integer(Talk.own), .integer(Talk.subscription)])
        talk.say(#"{"janus":"hangup","session_id":11,"sender":31,"reason":"Close PC"}"#)
        #expect(talk.events == [.removed])
    }

    @Test func `a room that is destroyed is told of once`() {
        var talk = Talk.joined()
        talk.join(as: Talk.cleo, handle: 32)
        _ = talk.look()
        talk.tell(#"{"videoroom":"destroyed","room":4871200913377}"#)
        talk.tell(#"{"videoroom":"destroyed","room":4871200913377}"#, handle: 32)
        #expect(talk.events == [.roomDestroyed])
    }

    @Test func `handles of a room that is destroyed are given back once the server is through with them`() {
        var talk = Talk.joined([Talk.ben])
        talk.subscribe()
        _ = talk.look()
        talk.tell(#"{"videoroom":"destroyed","room":4871200913377}"#)
        func detached() -> [JSONValue?] {
            talk.sent.filter { $0["janus"] == .string("detach") }.map { $0["handle_id"] }
        }
        talk.pass(.milliseconds(999))
        #expect(detached().isEmpty)
        talk.pass(.milliseconds(1))
        #expect(detached() == [.integer(Talk.own), .integer(Talk.subscription)])
        talk.pass(.seconds(2))
        #expect(detached().count == 2)
    }

    @Test func `a handle that the server takes back is hung up`() {
        var talk = Talk.joined([Talk.ben])
        talk.subscribe()
        _ = talk.look()
        talk.say(#"{"janus":"detached","session_id":11,"sender":41}"#)
        talk.say(#"{"janus":"detached","session_id":11,"sender":31}"#)
        #expect(
            talk.events == [
                .hungUp(.feed(Talk.ben.id), reason: "detached"), .hungUp(.own(Talk.anna.id), reason: "detached"),
                .removed,
            ])
    }

    // MARK: After a claim

    private func claimed(_ talk: inout Talk) {
        talk.cut()
        talk.pass(.seconds(1))
        talk.connect()
        talk.say(#"{"janus":"success","session_id":11,"transaction":"$T"}"#)
        _ = talk.look()
    }

    private func participants(_ all: [(SFUFeed, Bool)]) -> String {
        let list = all.map { #"{"id":\#($0.id),"display":"\#($0.display)","publisher":\#($1)}"# }
        return #"{"videoroom":"participants","room":4871200913377,"participants":[\#(list.joined(separator: ","))]}"#
    }

    @Test func `who came and went unheard is found by comparing`() {
        var talk = Talk.joined([Talk.ben])
        claimed(&talk)
        talk.sayResult(
            Talk.service, participants([(Talk.anna, true), (Talk.ben, false), (Talk.cleo, true)]), kind: "success")
        #expect(talk.events == [.feedWent(Talk.ben.id), .feedCame(Talk.cleo)])
    }

    @Test func `what is told while it is compared counts more`() {
        var talk = Talk.joined([Talk.ben])
        claimed(&talk)
        talk.tell(#"{"videoroom":"event","room":4871200913377,"publishers":[\#(Talk.publisher(Talk.cleo))]}"#)
        talk.tell(#"{"videoroom":"event","room":4871200913377,"leaving":102}"#)
        talk.sayResult(Talk.service, participants([(Talk.anna, true), (Talk.ben, true)]), kind: "success")
        #expect(talk.events == [.feedCame(Talk.cleo), .feedWent(Talk.ben.id)])
    }

    @Test func `a room that was destroyed unheard is found by comparing`() {
        var talk = Talk.joined([Talk.ben])
        claimed(&talk)
        talk.sayRefusal(426, handle: Talk.service, kind: "success")
        #expect(talk.events == [.roomDestroyed])
    }

    @Test func `who was put out unheard finds it by comparing`() {
        var talk = Talk.joined([Talk.ben])
        claimed(&talk)
        talk.sayResult(Talk.service, participants([(Talk.ben, true)]), kind: "success")
        #expect(talk.events == [.removed])
    }
}
