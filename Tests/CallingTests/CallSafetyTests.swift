import Cryptography
import Signaling
import TestSupport
import Testing

@testable import Calling

/// Faults that other products shipped, and what rules each out here.
@Suite("Faults of others", .timeLimit(.minutes(5)))
struct CallSafetyTests {
    let id = Samples.middle

    @Test func `FaceTime 2019: nothing a peer or a clock does while it rings gives my consent`() {
        for (name, input) in Inputs.relay + Inputs.peer + Inputs.strange + Inputs.media + Inputs.clock {
            let call = CallMachine.ringing().after(input)
            #expect(!call.stage.hasLocalConsent, "\(name)")
            #expect(!call.isMediaOpen, "\(name)")
        }
    }

    @Test(
        arguments: CallStage.allCases
    )
    func `Signal 2019: a message of the wrong role is rejected and counted in every stage`(stage: CallStage) {
        for machine in [CallMachine.sample(stage), CallMachine.calleeSample(stage)].compactMap({ $0 }) {
            let messages: [CallMessage] =
                machine.role == .caller
                ? [.answer(id, Samples.answer), .invitation(id, Samples.invitation())]
                : [.offer(id, Samples.offer())]
            var call = machine
            for message in messages { #expect(call.handle(.peer(message), at: at(9)) == []) }
            #expect(call.rejections[.wrongRole] == messages.count)
            #expect(call.fingerprint == machine.fingerprint)
        }
    }

    @Test func `JioChat, Mocha 2020: candidates while it rings, alone or many, are kept and start nothing`() {
        var call = CallMachine.ringing()
        for _ in 0..<200 {
            let effects = call.handle(.peer(.extra(id, (0..<10).map(Samples.candidate))), at: at(5))
            #expect(effects == [])
        }
        #expect(call.stage == .ringingWithoutConsent)
        #expect(call.rejections[.tooMany] == 98)
    }

    @Test func `Messenger 2020: an answer before the offer and a second offer or answer apply nothing`() {
        for stage in CallStage.allCases where stage != .dialledAwaitingRelay && stage != .dialledRinging {
            for machine in [CallMachine.sample(stage), CallMachine.calleeSample(stage)].compactMap({ $0 }) {
                var call = machine
                var effects = call.handle(.peer(.offer(id, Samples.offer())), at: at(5))
                if stage != .acceptedAwaitingAnswer {
                    effects += call.handle(.peer(.answer(id, Samples.answer)), at: at(6))
                }
                #expect(effects == [])
                #expect(call.rejections.total > 0)
            }
        }
    }

    @Test func `Duo 2020: a call accepted with sound only never asks media for a picture`() {
        var call = CallMachine.ringing()
        let effects = call.handle(Samples.accept(.audio), at: at(1))
        let plans = effects.compactMap { if case .openMedia(let plan) = $0 { plan } else { nil } }
        #expect(plans.map(\.media) == [.audio])
    }

    @Test func `Signal 2020: an invitation with everything in it gives no work to media before acceptance`() {
        var board = CallSwitchboard()
        var effects: [CallEffect] = []
        for message: CallMessage in [
            .extra(id, [Samples.candidate(1)]), .invitation(id, Samples.invitation()),
            .extra(id, [Samples.candidate(2)]), .offer(id, Samples.offer()), .answer(id, Samples.answer),
        ] {
            effects += board.receive(message, from: Samples.ada, sentAt: 0, at: at(0), wallClock: 0).map(\.effect)
        }
        #expect(effects == [.startTimer(.ringLimit, .seconds(60))])
    }

    @Test(arguments: CallStage.allCases)
    func `webrtcbin: a certificate other than the announced one ends the call for security in every stage with media`(
        stage: CallStage
    ) {
        for machine in [CallMachine.sample(stage), CallMachine.calleeSample(stage)].compactMap({ $0 }) {
            var call = machine
            let effects = call.handle(.media(.event(.fingerprintMismatch)), at: at(5))
            guard machine.isMediaOpen else {
                #expect(effects == [])
                continue
            }
            #expect(effects.first == .closeMedia)
            #expect(effects.contains(.send(.end(id))))
            #expect(effects.last == .finished(.fingerprintMismatch))
            #expect(CallEndReason.fingerprintMismatch.isSecurity)
        }
    }

    @Test func `webrtcbin: a connection alone is no call; the certificate has to be verified too`() {
        var call = CallMachine.sample(.acceptedByBothConnecting)
        for event in [CallMediaEvent.iceConnected, .dtlsConnected, .firstVideoFrame, .recovered] {
            _ = call.handle(.media(.event(event)), at: at(5))
            #expect(call.phase == .connecting)
        }
        _ = call.handle(.clock(.connect), at: at(30_000))
        #expect(call.phase == .ended(.connectTimeout))
    }

    static let downgrades: [CallOffer] = [
        Samples.offer(keys: nil),
        {
            var offer = Samples.offer()
            offer.publicKey = nil
            return offer
        }(),
        {
            var offer = Samples.offer()
            offer.callType.encryption = false
            return offer
        }(),
    ]

    @Test(arguments: downgrades)
    func `downgrade: an offer without key when we sent ours ends the call for security`(offer: CallOffer) {
        var call = CallMachine.sample(.dialledRinging)
        let effects = call.handle(.peer(.offer(id, offer)), at: at(5))
        #expect(!effects.contains { $0.touchesMedia })
        #expect(effects.contains(.send(.end(id, because: .encryptionRefused))))
        #expect(effects.last == .finished(.encryptionRefused))
        let callee = CallMachine.sample(.acceptedAwaitingAnswer)
        #expect(
            callee.after(.peer(.end(id, because: .encryptionRefused))).phase == .ended(.encryptionRefusedByPeer))
    }

    @Test(arguments: downgrades)
    func `downgrade: where the person may decide, nothing opens until it does`(offer: CallOffer) {
        var call = CallMachine.dialled(.ask).after(.relay(.invitationTaken))
        let effects = call.handle(.peer(.offer(id, offer)), at: at(5))
        #expect(effects == [.stopTimer(.noAnswer), .startTimer(.decision, .seconds(30))])
        #expect(call.update.needsDecisionOnClearMedia)
        #expect(call.update.isFrameEncrypted == false)
        #expect(
            call.handle(.person(.continueWithClearMedia), at: at(6)).last
                == .openMedia(MediaPlan(role: .answerer, media: .video, frameKey: nil)))
    }

    @Test func `downgrade: a call without key is accepted only by who says to know it`() {
        var call = CallMachine.ringing(.ask, Samples.invitation(keys: nil))
        #expect(call.update.needsDecisionOnClearMedia)
        #expect(call.handle(Samples.accept(), at: at(1)) == [])
        #expect(call.stage == .ringingWithoutConsent)
        let effects = call.handle(Samples.accept(clearMedia: true), at: at(2))
        #expect(effects.last == .openMedia(MediaPlan(role: .offerer, media: .video, frameKey: nil)))
    }

    @Test func `a key from which no secret can be made ends the call for security, on both sides`() throws {
        var offer = Samples.offer()
        offer.publicKey = Samples.weakKey
        var caller = CallMachine.sample(.dialledRinging)
        let effects = caller.handle(.peer(.offer(id, offer)), at: at(1))
        #expect(effects.contains(.send(.end(id, because: .keyAgreementFailed))))
        #expect(caller.phase == .ended(.keyAgreementFailed))
        var invitation = Samples.invitation()
        invitation.publicKey = Samples.weakKey
        let callee = CallMachine.ringing(.refuse, invitation).after(Samples.accept())
        #expect(callee.phase == .ended(.keyAgreementFailed))
        #expect(!callee.isMediaOpen)
        // Whose key it was takes the end for no decline.
        let told = CallMachine.sample(.dialledRinging).after(.peer(.end(id, because: .keyAgreementFailed)))
        #expect(told.phase == .ended(.keyAgreementFailedAtPeer))
    }

    @Test func `two devices answering: the first offer counts, the second is counted`() {
        let first = CallMachine.sample(.acceptedByBothPreparingAnswer)
        var call = first
        #expect(call.handle(.peer(.offer(id, Samples.offer(keys: Samples.keys(7)))), at: at(5)) == [])
        #expect(call.rejections[.outOfTurn] == 1)
        #expect(call.frameKey == first.frameKey)
    }

    @Test func `hanging up while media is being opened closes it, whatever it reports afterwards`() {
        var call = CallMachine.sample(.acceptedPreparingOffer)
        #expect(call.handle(.person(.hangUp), at: at(2)).first == .closeMedia)
        for (name, input) in Inputs.media { #expect(call.handle(input, at: at(3)) == [], "\(name)") }
        #expect(call.phase == .ended(.hungUp))
    }

    @Test func `an end while media is being opened closes it`() {
        var call = CallMachine.sample(.acceptedPreparingOffer)
        #expect(call.handle(.peer(.end(id)), at: at(2)).first == .closeMedia)
    }

    @Test func `the keys of a call do not outlive it`() {
        for stage in CallStage.allCases {
            let call = CallMachine.sample(stage).after(.person(.hangUp))
            #expect(call.agreement.keys == nil)
            #expect(call.frameKey == nil)
        }
    }
}
