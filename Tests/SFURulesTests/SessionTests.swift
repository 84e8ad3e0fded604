import BaseKit
import Signaling
import TestSupport
import Testing

@testable import SFURules

/// Sessions: made, kept, lost, claimed.
@Suite(.timeLimit(.minutes(5))) struct SessionTests {
    private let info = SFUServerInfo(version: "1.1.2")

    @Test func `it asks who is there, makes a session and a handle, and is ready then`() {
        var talk = Talk()
        talk.start()
        #expect(talk.look() == [.connect])
        talk.connect()
        #expect(talk.verbs == ["info", "create"])
        talk.sayServerInfo()
        #expect(talk.look() == [])
        talk.sayNewSession()
        #expect(talk.verbs == ["info", "create", "attach"])
        #expect(talk.look() == [.ready(.success(info))])
        #expect(talk.machine.state == .on)
    }

    @Test func `a token goes with everything but the question who is there`() {
        var talk = Talk.on(keys: SFUKeys(token: SecretText("t")))
        talk.ask(1, .exists(Talk.room.number))
        #expect(talk.sent.map { $0["token"]?.string } == [nil, "t", "t", "t"])
    }

    @Test func `another token goes with what follows, also in another session`() {
        var talk = Talk.on(keys: SFUKeys(token: SecretText("old")))
        talk.machine.use(SecretText("new"))
        talk.ask(1, .exists(Talk.room.number))
        #expect(talk.sent.last?["token"]?.string == "new")
        talk.cut()
        talk.pass(.seconds(1))
        talk.connect()
        #expect(talk.sent.last?["token"]?.string == "new")
    }

    @Test func `a server without rooms for video is named so`() {
        var talk = Talk()
        talk.start()
        talk.connect()
        talk.say(#"{"janus":"server_info","transaction":"$A","version_string":"1.1.2","plugins":{}}"#)
        #expect(talk.look() == [.connect, .disconnect, .ready(.failure(.noVideoRoom))])
    }

    @Test func `what answers otherwise than a Janus is named so`() {
        var talk = Talk()
        talk.start()
        talk.connect()
        talk.say(#"{"janus":"success","transaction":"$A","data":{"id":5}}"#)
        #expect(talk.look() == [.connect, .disconnect, .ready(.failure(.notJanus))])
    }

    @Test func `a token that is refused ends it`() {
        var talk = Talk()
        talk.start()
        talk.connect()
        talk.say(#"{"janus":"error","transaction":"$T","error":{"code":403,"reason":"Unauthorized request"}}"#)
        #expect(talk.look() == [.connect, .disconnect, .ready(.failure(.unauthorized))])
        talk.ask(1, .exists(Talk.room.number))
        #expect(talk.look() == [.settle(1, .failure(.unauthorized))])
    }

    @Test func `a server that was never reached is not tried again`() {
        var talk = Talk()
        talk.ask(1, .exists(Talk.room.number))
        talk.start()
        talk.cut(.unreachable(reason: "connection refused"))
        let reason = SFUError.unreachable(reason: "connection refused")
        #expect(talk.look() == [.connect, .disconnect, .settle(1, .failure(reason)), .ready(.failure(reason))])
        #expect(talk.machine.deadline == nil)
    }

    @Test func `who takes a connection and says nothing is given up after ten seconds`() {
        var talk = Talk()
        talk.start()
        talk.connect()
        talk.pass(.milliseconds(9_999))
        #expect(talk.look() == [.connect])
        talk.pass(.milliseconds(1))
        #expect(talk.look() == [.disconnect, .ready(.failure(.timedOut))])
    }

    @Test func `a connection that takes too long is given up`() {
        var talk = Talk()
        talk.start()
        talk.pass(.seconds(10))
        #expect(talk.look() == [.connect, .disconnect, .ready(.failure(.timedOut))])
    }

    @Test func `a keep-alive goes out every 5 seconds`() {
        var talk = Talk.on()
        for count in 1...3 {
            talk.pass(.milliseconds(4_999))
            #expect(talk.verbs.filter { $0 == "keepalive" }.count == count - 1)
            talk.pass(.milliseconds(1))
            #expect(talk.verbs.filter { $0 == "keepalive" }.count == count)
            talk.sayAcknowledgement()
        }
        #expect(talk.look() == [])
    }

    @Test func `a server that does not answer a keep-alive is left and connected to again`() {
        var talk = Talk.on()
        talk.pass(.seconds(5))
        talk.pass(.seconds(10))
        #expect(talk.look() == [.disconnect, .event(.lost(.timedOut))])
        talk.pass(.seconds(1))
        #expect(talk.look() == [.connect])
    }

    @Test func `in another network it is soon found out that the connection leads nowhere`() {
        var talk = Talk.joined()
        talk.changeNetwork()
        #expect(talk.verbs.last == "keepalive")
        talk.pass(.seconds(3))
        #expect(talk.look() == [.disconnect, .event(.lost(.timedOut))])
        talk.changeNetwork()
        #expect(talk.look() == [.connect])
    }

    @Test func `a connection that outlives the network stays`() {
        var talk = Talk.joined()
        talk.changeNetwork()
        talk.sayAcknowledgement()
        talk.pass(.seconds(4))
        #expect(talk.look() == [])
    }

    @Test func `a lost connection is claimed in time, with all that was there`() {
        var talk = Talk.joined([Talk.ben])
        talk.subscribe()
        _ = talk.look()
        talk.cut()
        #expect(talk.look() == [.event(.lost(.lost))])
        talk.pass(.milliseconds(300))
        #expect(talk.look() == [.connect])
        talk.connect()
        #expect(talk.sent.last?["janus"] == .string("claim"))
        #expect(talk.sent.last?["session_id"] == .integer(11))
        talk.say(#"{"janus":"success","session_id":11,"transaction":"$T"}"#)
        #expect(talk.look() == [.event(.restored(.claimed))])
        #expect(talk.lastBody?["request"] == .string("listparticipants"))
        talk.ask(3, .configure(Talk.ben.id, SFUFeedChoice(substream: 0)))
        #expect(talk.sent.last?["handle_id"] == .integer(Talk.subscription))
    }

    @Test func `a session that is claimed too late is made anew, and nothing of the room is left`() {
        var talk = Talk.joined([Talk.ben])
        talk.cut()
        talk.pass(.seconds(5))
        talk.connect()
        _ = talk.look()
        talk.say(
            #"{"janus":"error","session_id":11,"transaction":"$T","error":{"code":458,"reason":"No such session"}}"#)
        #expect(talk.sent.last?["janus"] == .string("create"))
        talk.sayNewSession(12, service: 22)
        #expect(talk.look() == [.event(.restored(.anew))])
        talk.ask(3, .publish(own: Talk.anna.id, offer: "v=0"))
        talk.ask(4, .subscribe(Talk.ben.id))
        #expect(talk.look() == [.settle(3, .failure(.notJoined)), .settle(4, .failure(.notJoined))])
    }

    @Test func `a server that was started anew has no such room`() {
        var talk = Talk.joined()
        talk.cut()
        talk.pass(.seconds(1))
        talk.connect()
        talk.say(
            #"{"janus":"error","session_id":11,"transaction":"$T","error":{"code":458,"reason":"No such session"}}"#)
        talk.sayNewSession(11, service: 21)
        _ = talk.look()
        talk.ask(3, .join(Talk.room, Talk.cleo))
        talk.sayHandle(61)
        talk.sayRefusal(426, handle: 61)
        #expect(talk.look() == [.settle(3, .failure(.noSuchRoom))])
    }

    @Test func `a server that says the session is over gets another one`() {
        var talk = Talk.joined()
        talk.say(#"{"janus":"timeout","session_id":11}"#)
        #expect(talk.sent.last?["janus"] == .string("create"))
        talk.sayNewSession(12, service: 22)
        #expect(talk.look() == [.event(.lost(.lost)), .event(.restored(.anew))])
    }

    @Test func `a token that has run out meanwhile is the end`() {
        var talk = Talk.joined()
        talk.cut()
        talk.pass(.seconds(1))
        talk.connect()
        _ = talk.look()
        talk.say(#"{"janus":"error","session_id":11,"transaction":"$T","error":{"code":403,"reason":"Unauthorized"}}"#)
        #expect(talk.look() == [.disconnect, .event(.failed(.unauthorized))])
    }

    @Test func `a connection that is cut while a session is made anew makes another`() {
        var talk = Talk.joined()
        talk.say(#"{"janus":"timeout","session_id":11}"#)
        talk.say(#"{"janus":"success","transaction":"$T","data":{"id":12}}"#)
        talk.cut()
        talk.pass(.seconds(1))
        talk.connect()
        #expect(talk.sent.last?["janus"] == .string("create"))
        _ = talk.look()
        talk.sayNewSession(13, service: 23)
        #expect(talk.look() == [.event(.restored(.anew))])
    }

    @Test func `attempts come after 0_3 to 5 seconds, and at once again after a success`() {
        var schedule = ReconnectSchedule()
        let delays = (0..<7).map { _ in schedule.next(chance: 0.5) }
        #expect(delays == [300, 600, 1_200, 2_400, 4_800, 5_000, 5_000].map { .milliseconds($0) })
        schedule.reset()
        #expect(schedule.next(chance: 0) == .milliseconds(300))
        #expect((0..<9).map { _ in schedule.next(chance: 1) }.max() == .seconds(5))
    }

    @Test func `what is asked for while there is no connection waits for it`() {
        var talk = Talk.joined()
        talk.cut()
        talk.ask(5, .exists(Talk.room.number))
        talk.pass(.seconds(1))
        talk.connect()
        talk.say(#"{"janus":"success","session_id":11,"transaction":"$T"}"#)
        #expect(talk.lastBody?["request"] == .string("exists"))
        talk.sayResult(Talk.service, #"{"videoroom":"success","room":4871200913377,"exists":true}"#, kind: "success")
        #expect(talk.result(5) == .success(.exists(true)))
    }

    @Test func `what waits too long for a connection fails`() {
        var talk = Talk.joined()
        talk.cut()
        talk.ask(5, .exists(Talk.room.number))
        talk.pass(.seconds(10))
        #expect(talk.result(5) == .failure(.timedOut))
    }

    @Test func `what was under way when the connection was lost fails, and its handle is given back later`() {
        var talk = Talk.joined([Talk.ben])
        talk.ask(2, .subscribe(Talk.ben.id))
        talk.sayHandle(Talk.subscription)
        talk.cut()
        #expect(talk.result(2) == .failure(.lost))
        talk.pass(.seconds(1))
        talk.connect()
        talk.say(#"{"janus":"success","session_id":11,"transaction":"$T"}"#)
        let detached = talk.sent.filter { $0["janus"] == .string("detach") }.map { $0["handle_id"] }
        #expect(detached == [.integer(Talk.subscription)])
    }

    @Test func `closing ends the session at the server, and all that waits`() {
        var talk = Talk.joined()
        talk.ask(5, .exists(Talk.room.number))
        talk.close()
        #expect(talk.sent.last?["janus"] == .string("destroy"))
        #expect(talk.sent.last?["session_id"] == .integer(11))
        #expect(talk.look() == [.disconnect, .settle(5, .failure(.closed))])
        #expect(talk.machine.deadline == nil)
        talk.ask(6, .exists(Talk.room.number))
        #expect(talk.look() == [.settle(6, .failure(.closed))])
    }
}
