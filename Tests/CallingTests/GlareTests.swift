import Signaling
import TestSupport
import Testing

@testable import Calling

@Suite("Both call at once", .timeLimit(.minutes(5)))
struct GlareTests {
    let own = Samples.middle

    func call(_ other: CallID, _ invitation: CallInvitation = Samples.invitation(keys: Samples.calleeKeys)) -> CallInput
    {
        .peer(.invitation(other, invitation))
    }

    @Test func `the call with the higher id stands: the other invitation is counted and nothing else`() {
        var machine = CallMachine.sample(.dialledRinging)
        #expect(machine.handle(call(Samples.low), at: at(1)) == [])
        #expect(machine.stage == .dialledRinging)
        #expect(machine.rejections[.glare] == 1)
    }

    @Test func `the higher call yields, too, when its receipt came first: the contact has put another in its place`()
        throws
    {
        var machine = CallMachine.sample(.dialledRinging).after(.relay(.invitationDelivered), call(Samples.low))
        #expect(machine.stage == .acceptedPreparingOffer)
        #expect(machine.wireID == Samples.low)
        _ = machine.handle(.media(.opened), at: at(10))
        let sent = machine.handle(.media(.offerMade(Samples.offerSDP, [])), at: at(11)).first
        guard case .send(.offer(Samples.low, _)) = sent else {
            Issue.record("no offer")
            return
        }
    }

    @Test func `the higher call yields to a program that compares nothing, and comes back when that one accepts it`() {
        let others = call(Samples.low, Samples.invitation(keys: Samples.calleeKeys, settlesCrossing: false))
        let machine = CallMachine.sample(.dialledRinging).after(others)
        #expect(machine.wireID == Samples.low)
        let back = machine.after(.peer(.offer(own, Samples.offer())))
        #expect(back.wireID == own)
        #expect(back.stage == .acceptedByBothPreparingAnswer)
    }

    @Test func `where two Parleys have both yielded, the higher call comes back and the lower one stays given up`() {
        let sdp = SessionDescription(kind: .offer, sdp: "v=0\r\nm=audio\r\n").numbered(0)
        let offer = CallOffer(
            callType: CallType(media: .video, encryption: true), description: sdp, candidates: [],
            publicKey: Samples.calleeKeys.publicKey)
        let higher = CallMachine.sample(.dialledRinging).after(.relay(.invitationDelivered), call(Samples.low))
        #expect(higher.after(.peer(.offer(own, offer))).wireID == own)
        let lower = CallMachine.sample(.dialledRinging).after(call(Samples.high), .peer(.offer(own, offer)))
        #expect(lower.wireID == Samples.high)
        #expect(lower.rejections[.glare] == 1)
    }

    @Test
    func `when the other call is ended after yielding, the contact's side is told to stop ringing for the own one`() {
        var machine = CallMachine.sample(.dialledRinging).after(call(Samples.high))
        let effects = machine.handle(.peer(.end(Samples.high)), at: at(3))
        #expect(effects.contains(.send(.end(own))))
        #expect(effects.last == .finished(.peerHungUp))
    }

    @Test func `the side with the lower id answers the other call at once, since its person dialled`() throws {
        var machine = CallMachine.sample(.dialledRinging)
        let key = try Samples.callerKeys.frameKey(with: Samples.calleeKeys.publicKey)
        #expect(
            machine.handle(call(Samples.high), at: at(1)) == [
                .openMedia(MediaPlan(role: .offerer, media: .video, frameKey: key))
            ])
        #expect(machine.role == .callee)
        #expect(machine.callID == own)
        #expect(machine.phase == .ringingOut)
        _ = machine.handle(.media(.opened), at: at(2))
        let sent = machine.handle(.media(.offerMade(Samples.offerSDP, [])), at: at(3)).first
        guard case .send(.offer(let id, _)) = sent else {
            Issue.record("no offer")
            return
        }
        #expect(id == Samples.high)
        let effects = machine.handle(.peer(.answer(Samples.high, Samples.answer)), at: at(4))
        #expect(effects.first == .stopTimer(.noAnswer))
        #expect(machine.stage == .acceptedByBothConnecting)
        // What was the own call means nothing any more.
        #expect(machine.handle(.peer(.offer(own, Samples.offer())), at: at(5)) == [])
        #expect(machine.rejections[.late] == 1)
    }

    @Test func `yielding never carries more than was dialled`() {
        let machine = CallMachine.dialled(media: .audio).after(call(Samples.high))
        #expect(machine.update.media == .audio)
    }

    @Test(arguments: [false, true])
    func `a peer that knows no rule and accepts our call gets us back as its caller`(isOfferOut: Bool) throws {
        var machine = CallMachine.sample(.dialledRinging).after(call(Samples.high))
        if isOfferOut {
            _ = machine.handle(.media(.opened), at: at(2))
            _ = machine.handle(.media(.offerMade(Samples.offerSDP, [])), at: at(3))
        }
        let effects = machine.handle(.peer(.offer(own, Samples.offer())), at: at(20_000))
        let key = try Samples.callerKeys.frameKey(with: Samples.calleeKeys.publicKey)
        #expect(
            effects == [
                .closeMedia, .stopTimer(.noAnswer), .startTimer(.connect, .seconds(30)),
                .openMedia(MediaPlan(role: .answerer, media: .video, frameKey: key)),
            ])
        #expect(machine.role == .caller)
        #expect(machine.update.setup.accepted == .seconds(20))
        _ = machine.handle(.media(.opened), at: at(20_001))
        let sent = machine.handle(.media(.answerMade(Samples.answerSDP, [])), at: at(20_002)).first
        guard case .send(.answer(let id, _)) = sent else {
            Issue.record("no answer")
            return
        }
        #expect(id == own)
    }

    @Test func `a peer that knows no rule and declines our call ends it`() {
        let machine = CallMachine.sample(.dialledRinging).after(call(Samples.high), .peer(.end(own)))
        #expect(machine.phase == .ended(.declinedByPeer))
    }

    @Test func `a peer that knows no rule, accepts our call and can't start it has not declined`() {
        let machine = CallMachine.sample(.dialledRinging)
            .after(call(Samples.high), .peer(.end(own, because: .mediaFailed)))
        #expect(machine.phase == .ended(.peerMediaFailed))
    }

    @Test func `media that fails after yielding is told under both names of the call`() {
        var machine = CallMachine.sample(.dialledRinging).after(call(Samples.high))
        let effects = machine.handle(.media(.event(.failed(.sample))), at: at(2))
        #expect(effects.contains(.send(.end(Samples.high, because: .mediaFailed))))
        #expect(effects.contains(.send(.end(own, because: .mediaFailed))))
    }

    @Test func `a peer that knows no rule and never answers ends the call after its 60 seconds, both calls told`() {
        var machine = CallMachine.sample(.dialledRinging).after(
            call(Samples.high), .media(.opened), .media(.offerMade(Samples.offerSDP, [])))
        let effects = machine.handle(.clock(.noAnswer), at: at(60_000))
        #expect(effects.prefix(3) == [.closeMedia, .send(.end(Samples.high)), .send(.end(own))])
        #expect(effects.last == .finished(.noAnswer))
    }

    @Test func `hanging up after yielding cancels both calls`() {
        var machine = CallMachine.sample(.dialledRinging).after(call(Samples.high))
        let effects = machine.handle(.person(.hangUp), at: at(2))
        #expect(effects.contains(.send(.end(Samples.high))))
        #expect(effects.contains(.send(.end(own))))
        #expect(machine.phase == .ended(.cancelled))
    }

    @Test func `a call without frame encryption never takes the place of one with it`() {
        for invitation in [
            Samples.invitation(keys: nil),
            CallInvitation(callType: CallType(media: .video, encryption: true), publicKey: Samples.weakKey),
        ] {
            var machine = CallMachine.sample(.dialledRinging)
            #expect(machine.handle(call(Samples.high, invitation), at: at(1)) == [])
            #expect(machine.rejections[.glare] == 1)
        }
    }

    @Test func `a third invitation after yielding is counted and nothing else`() {
        var machine = CallMachine.sample(.dialledRinging).after(call(Samples.high))
        #expect(machine.handle(call(Samples.id(10)), at: at(2)) == [])
        #expect(machine.rejections[.outOfTurn] == 1)
    }
}
