import BaseKit
import Cryptography
import Signaling
import TestSupport
import Testing

@testable import Calling

/// Calls told from beginning to end: what happens, and what is done about it.
@Suite("Stories of a call", .timeLimit(.minutes(5)))
struct CallStoryTests {
    let id = Samples.middle

    func frameKey() throws -> SecretBytes {
        try Samples.callerKeys.frameKey(with: Samples.calleeKeys.publicKey)
    }

    @Test func `a caller dials, the contact accepts, they talk, the caller hangs up`() throws {
        var (call, effects) = CallMachine.dial(
            Samples.bo, media: .video, callID: id, keys: Samples.callerKeys, policy: .refuse, at: at(1_000),
            wallClock: 77)
        #expect(
            effects == [
                .send(.invitation(id, Samples.invitation())), .startTimer(.noAnswer, .seconds(60)),
                .startTimer(.relay, .seconds(3)),
            ])
        #expect(call.stage == .dialledAwaitingRelay)

        effects = call.handle(.relay(.invitationTaken), at: at(1_030))
        #expect(effects == [.stopTimer(.relay), .startTimer(.noAnswer, .seconds(60))])
        #expect(call.stage == .dialledRinging)

        effects = call.handle(.peer(.offer(id, Samples.offer())), at: at(6_000))
        let plan = MediaPlan(role: .answerer, media: .video, frameKey: try frameKey())
        #expect(effects == [.stopTimer(.noAnswer), .startTimer(.connect, .seconds(30)), .openMedia(plan)])
        #expect(call.stage == .acceptedByBothPreparingAnswer)

        effects = call.handle(.media(.opened), at: at(6_100))
        #expect(effects == [.media(.makeAnswer(to: Samples.offerSDP, candidates: [Samples.candidate(1)]))])

        effects = call.handle(.media(.answerMade(Samples.answerSDP, [Samples.candidate(2)])), at: at(6_200))
        #expect(effects == [.send(.answer(id, Samples.answer)), .startTimer(.connect, .seconds(30))])
        #expect(call.stage == .acceptedByBothConnecting)

        #expect(call.handle(.media(.event(.iceConnected)), at: at(6_300)) == [])
        #expect(call.handle(.media(.event(.dtlsConnected)), at: at(6_400)) == [])
        #expect(call.stage == .acceptedByBothConnecting)
        #expect(call.handle(.media(.event(.fingerprintVerified)), at: at(6_401)) == [.stopTimer(.connect)])
        #expect(call.phase == .active(since: at(6_401)))
        #expect(call.handle(.media(.event(.firstVideoFrame)), at: at(6_500)) == [])
        #expect(
            call.update.setup.steps.map { "\($0.name) \($0.time.wholeMilliseconds)" } == [
                "ringing 30", "accepted 5000", "offer 5000", "answer 5200", "iceConnected 5300",
                "dtlsConnected 5400", "firstFrame 5500",
            ])

        effects = call.handle(.person(.hangUp), at: at(16_401))
        let entry = CallLogEntry(
            callID: id, contact: Samples.bo, direction: .outgoing, media: .video, startedAt: 77, duration: .seconds(10),
            reason: .hungUp, setup: call.update.setup)
        #expect(effects == [.closeMedia, .send(.end(id)), .record(entry), .finished(.hungUp)])
        #expect(call.update.isFrameEncrypted == true)
        #expect(call.update.isFingerprintVerified)
        #expect(call.rejections.total == 0)
    }

    @Test func `a contact calls, the callee accepts, they talk, the contact hangs up`() throws {
        var (call, effects) = CallMachine.ring(
            Samples.ada, callID: id, invitation: Samples.invitation(), early: [], ringLimit: .seconds(175),
            policy: .refuse, at: at(0), wallClock: 0)
        #expect(effects == [.startTimer(.ringLimit, .seconds(175))])
        #expect(call.phase == .ringingIn && call.update.isRinging)

        effects = call.handle(Samples.accept(), at: at(3_000))
        let plan = MediaPlan(role: .offerer, media: .video, frameKey: try frameKey())
        #expect(!call.update.isRinging)
        #expect(
            effects == [
                .stopTimer(.ringLimit), .startTimer(.connect, .seconds(30)), .openMedia(plan),
            ])

        #expect(call.handle(.media(.opened), at: at(3_100)) == [.media(.makeOffer)])
        effects = call.handle(.media(.offerMade(Samples.offerSDP, [Samples.candidate(1)])), at: at(3_200))
        #expect(effects == [.send(.offer(id, Samples.offer())), .startTimer(.connect, .seconds(30))])
        #expect(call.stage == .acceptedAwaitingAnswer)

        effects = call.handle(.peer(.answer(id, Samples.answer)), at: at(3_300))
        #expect(
            effects == [
                .startTimer(.connect, .seconds(30)),
                .media(.applyAnswer(Samples.answerSDP, candidates: [Samples.candidate(2)])),
            ])
        // The order of these two does not matter.
        #expect(call.handle(.media(.event(.fingerprintVerified)), at: at(3_400)) == [])
        #expect(call.handle(.media(.event(.dtlsConnected)), at: at(3_400)) == [.stopTimer(.connect)])

        effects = call.handle(.peer(.end(id)), at: at(5_400))
        #expect(effects.first == .closeMedia)
        #expect(effects.last == .finished(.peerHungUp))
        #expect(call.update.duration == .seconds(2))
        #expect(!effects.contains(.send(.end(id))))
    }

    @Test func `the callee declines: the peer is told, media never existed`() {
        var call = CallMachine.ringing()
        let effects = call.handle(.person(.decline), at: at(1))
        #expect(effects.prefix(2) == [.stopTimer(.ringLimit), .send(.end(id))])
        #expect(!call.update.isRinging)
        #expect(effects.last == .finished(.declined))
    }

    @Test func `the caller hears a refusal as a declined call`() {
        #expect(CallMachine.sample(.dialledRinging).after(.peer(.end(id))).phase == .ended(.declinedByPeer))
    }

    @Test func `the caller gives up before the answer: for the callee the call is missed`() {
        var caller = CallMachine.sample(.dialledRinging)
        #expect(caller.handle(.person(.hangUp), at: at(1)).contains(.send(.end(id))))
        #expect(caller.phase == .ended(.cancelled))
        #expect(CallMachine.ringing().after(.peer(.end(id))).phase == .ended(.missed))
    }

    @Test func `nobody answers for 60 seconds: the caller's side ends the call and tells the peer`() {
        var call = CallMachine.sample(.dialledRinging)
        let effects = call.handle(.clock(.noAnswer), at: at(60_000))
        #expect(effects.first == .send(.end(id)))
        #expect(effects.last == .finished(.noAnswer))
    }

    @Test func `an invitation which the relay never took ends as unsent, not as unanswered`() {
        #expect(CallMachine.dialled().after(.clock(.noAnswer)).phase == .ended(.signalingFailed))
    }

    @Test
    func
        `while the relay is out of reach the person is told; once it has the invitation the contact has its 60 seconds`()
    {
        var call = CallMachine.dialled()
        #expect(!call.update.isWaitingForRelay)
        #expect(call.handle(.clock(.relay), at: at(3_000)) == [])
        #expect(call.update.isWaitingForRelay)
        #expect(call.phase == .ringingOut)
        #expect(call.handle(.relay(.invitationTaken), at: at(55_000)) == [.startTimer(.noAnswer, .seconds(60))])
        #expect(!call.update.isWaitingForRelay)
    }

    @Test func `a contact that is busy in Parley says so; a contact that is gone ends the call and is told nothing`() {
        #expect(CallMachine.sample(.dialledRinging).after(.peer(.end(id, because: .busy))).phase == .ended(.peerBusy))
        for stage in CallStage.allCases where stage != .ended {
            var call = CallMachine.sample(stage)
            let effects = call.handle(.relay(.contactGone), at: at(1))
            #expect(effects.last == .finished(.contactGone))
            #expect(!effects.contains { if case .send = $0 { true } else { false } })
        }
    }

    @Test func `a call that rings too long is missed`() {
        var call = CallMachine.ringing()
        let effects = call.handle(.clock(.ringLimit), at: at(180_000))
        #expect(!call.update.isRinging)
        #expect(effects.last == .finished(.missed))
    }

    @Test(arguments: [
        CallStage.acceptedPreparingOffer, .acceptedAwaitingAnswer, .acceptedByBothPreparingAnswer,
        .acceptedByBothConnecting,
    ])
    func `each step between acceptance and connection has 30 seconds`(stage: CallStage) {
        var call = CallMachine.sample(stage)
        let effects = call.handle(.clock(.connect), at: at(30_000))
        #expect(effects.prefix(2) == [.closeMedia, .send(.end(id))])
        #expect(effects.last == .finished(.connectTimeout))
    }

    @Test func `a lost connection that comes back goes on; the call counts from its first moment`() {
        var call = CallMachine.sample(.acceptedByBothConnected)
        let before = call.phase
        #expect(call.handle(.media(.event(.lost)), at: at(10)) == [.startTimer(.reconnect, .seconds(10))])
        #expect(call.phase == .reconnecting)
        #expect(call.handle(.media(.event(.recovered)), at: at(20)) == [.stopTimer(.reconnect)])
        #expect(call.phase == before)
    }

    @Test func `a lost connection that does not come back ends the call`() {
        let call = CallMachine.sample(.acceptedByBothReconnecting).after(.clock(.reconnect))
        #expect(call.phase == .ended(.connectionLost))
    }

    @Test func `a video call accepted with sound only is a sound call for both`() throws {
        var callee = CallMachine.ringing()
        _ = callee.handle(Samples.accept(.audio), at: at(1))
        _ = callee.handle(.media(.opened), at: at(2))
        let effects = callee.handle(.media(.offerMade(Samples.offerSDP, [Samples.candidate(1)])), at: at(3))
        #expect(effects.first == .send(.offer(id, Samples.offer(.audio))))

        var caller = CallMachine.sample(.dialledRinging)
        let opened = caller.handle(.peer(.offer(id, Samples.offer(.audio))), at: at(1)).last
        #expect(opened == .openMedia(MediaPlan(role: .answerer, media: .audio, frameKey: try frameKey())))
    }

    @Test func `a sound call stays one, whatever the other side offers or the callee picks`() {
        var caller = CallMachine.dialled(media: .audio)
        _ = caller.handle(.peer(.offer(id, Samples.offer(.video))), at: at(1))
        #expect(caller.update.media == .audio)
        let callee = CallMachine.ringing(.refuse, Samples.invitation(.audio)).after(Samples.accept(.video))
        #expect(callee.update.media == .audio)
    }

    @Test func `candidates that come before the description wait for it`() {
        let extra = CallInput.peer(.extra(id, [Samples.candidate(7)]))
        var caller = CallMachine.sample(.dialledRinging)
        #expect(caller.handle(extra, at: at(1)) == [])
        _ = caller.handle(.peer(.offer(id, Samples.offer())), at: at(2))
        #expect(caller.handle(extra, at: at(3)) == [])
        #expect(
            caller.handle(.media(.opened), at: at(4)) == [
                .media(
                    .makeAnswer(
                        to: Samples.offerSDP,
                        candidates: [Samples.candidate(1), Samples.candidate(7), Samples.candidate(7)]))
            ])
        #expect(caller.handle(extra, at: at(5)) == [.media(.addCandidates([Samples.candidate(7)]))])
    }

    @Test func `own candidates wait until the offer or the answer is out, then go every 1.5 seconds`() {
        let found = { (number: Int) in CallInput.media(.event(.candidates([Samples.candidate(number)]))) }
        var call = CallMachine.sample(.acceptedPreparingOffer)
        #expect(call.handle(found(10), at: at(1)) == [])
        let effects = call.handle(.media(.offerMade(Samples.offerSDP, [])), at: at(2))
        #expect(
            effects.suffix(2) == [
                .send(.extra(id, [Samples.candidate(10)])), .startTimer(.candidates, .milliseconds(1_500)),
            ])
        #expect(call.handle(found(11), at: at(3)) == [])
        #expect(call.handle(found(12), at: at(4)) == [])
        #expect(
            call.handle(.clock(.candidates), at: at(1_502)) == [
                .send(.extra(id, [Samples.candidate(11), Samples.candidate(12)])),
                .startTimer(.candidates, .milliseconds(1_500)),
            ])
        #expect(call.handle(.clock(.candidates), at: at(3_002)) == [])
        #expect(call.handle(found(13), at: at(3_003)).first == .send(.extra(id, [Samples.candidate(13)])))
    }

    @Test func `very many own candidates are cut into messages that fit`() throws {
        var call = CallMachine.sample(.acceptedAwaitingAnswer)
        let many = (0..<100).map(Samples.candidate)
        let effects = call.handle(.media(.event(.candidates(many))), at: at(1))
        let sent = effects.compactMap { if case .send(.extra(_, let part)) = $0 { part } else { nil } }
        #expect(sent.map(\.count) == [48, 48, 4])
        #expect(sent.flatMap { $0 } == many)
    }

    @Test func `a message that cannot be sent ends the call`() {
        for stage in CallStage.allCases where stage != .ended {
            let call = CallMachine.sample(stage).after(.relay(.sendingFailed))
            #expect(call.phase == .ended(.signalingFailed))
        }
    }

    @Test func `media that fails ends the call, and both persons are told so`() {
        var call = CallMachine.sample(.acceptedPreparingOffer)
        let effects = call.handle(.media(.event(.failed(.sample))), at: at(1))
        #expect(effects.prefix(3) == [.closeMedia, .stopTimer(.connect), .send(.end(id, because: .mediaFailed))])
        #expect(call.phase == .ended(.mediaFailed))
        #expect(call.update.failure == .sample)
        let caller = CallMachine.sample(.dialledRinging).after(.peer(.end(id, because: .mediaFailed)))
        #expect(caller.phase == .ended(.peerMediaFailed))
    }

    @Test func `an end that the person wants gives no cause`() {
        for stage in CallStage.allCases where stage != .ended {
            var call = CallMachine.sample(stage)
            let sent = call.handle(.person(.hangUp), at: at(1)).compactMap {
                if case .send(let message) = $0 { message } else { nil }
            }
            #expect(sent == [.end(id)])
        }
    }
}
