import BaseKit
import Cryptography
import Signaling
import TestSupport

@testable import Calling

extension Cause {
    private struct Sample: Error {}

    /// Why media failed.
    static let sample = Cause(Sample())
}

/// Values with names for the tests of this floor.
enum Samples {
    static let ada = ContactID(rawValue: "Ada")
    static let bo = ContactID(rawValue: "Bo")

    /// Call ids in ascending order.
    static let low = id(1)
    static let middle = id(5)
    static let high = id(9)

    static func id(_ number: UInt8) -> CallID {
        guard let id = CallID(bytes: Array(repeating: number, count: 16)) else { return .random() }
        return id
    }

    /// The same pair for the same number.
    static func keys(_ number: UInt8) -> CallKeys {
        guard let key = try? X25519.PrivateKey(rawRepresentation: SecretBytes(Array(repeating: number, count: 32)))
        else { return CallKeys() }
        return CallKeys(privateKey: key)
    }

    static let callerKeys = keys(1)
    static let calleeKeys = keys(2)

    /// The all-zero key, from which no secret can be made.
    static let weakKey = try? X25519.PublicKey(rawRepresentation: Array(repeating: 0, count: 32))

    static let offerSDP = SessionDescription(kind: .offer, sdp: "offer")
    static let answerSDP = SessionDescription(kind: .answer, sdp: "answer")

    static func candidate(_ number: Int) -> ICECandidate {
        ICECandidate(candidate: "candidate:\(number)", sdpMid: "0", sdpMLineIndex: 0)
    }

    /// As a Parley sends it, or with `settlesCrossing` false as other programs do.
    static func invitation(
        _ media: CallMedia = .video, keys: CallKeys? = callerKeys, settlesCrossing: Bool = true
    ) -> CallInvitation {
        CallInvitation(
            callType: CallType(media: media, encryption: keys != nil), publicKey: keys?.publicKey,
            settlesCrossing: settlesCrossing)
    }

    static func offer(_ media: CallMedia = .video, keys: CallKeys? = calleeKeys) -> CallOffer {
        CallOffer(
            callType: CallType(media: media, encryption: keys != nil), description: offerSDP,
            candidates: [candidate(1)], publicKey: keys?.publicKey)
    }

    static let answer = CallAnswer(description: answerSDP, candidates: [candidate(2)])

    static func accept(_ media: CallMedia = .video, clearMedia: Bool = false) -> CallInput {
        .person(.accept(media, keys: calleeKeys, clearMedia: clearMedia))
    }
}

extension CallMachine {
    /// A call that was just dialled, id ``Samples/middle``.
    static func dialled(_ policy: ClearMediaPolicy = .refuse, media: CallMedia = .video) -> CallMachine {
        dial(
            Samples.bo, media: media, callID: Samples.middle, keys: Samples.callerKeys, policy: policy, at: at(0),
            wallClock: 1_000
        ).0
    }

    /// A call that just began to ring, id ``Samples/middle``.
    static func ringing(
        _ policy: ClearMediaPolicy = .refuse, _ invitation: CallInvitation = Samples.invitation()
    ) -> CallMachine {
        ring(
            Samples.ada, callID: Samples.middle, invitation: invitation, early: [], ringLimit: .seconds(180),
            policy: policy, at: at(0), wallClock: 1_000
        ).0
    }

    /// The call after inputs, each of which takes a millisecond.
    func after(_ inputs: CallInput...) -> CallMachine {
        var machine = self
        for (index, input) in inputs.enumerated() { _ = machine.handle(input, at: at(index + 1)) }
        return machine
    }

    /// A call in each stage.
    static func sample(_ stage: CallStage) -> CallMachine {
        let offered = CallInput.peer(.offer(Samples.middle, Samples.offer()))
        let answered = CallInput.media(.answerMade(Samples.answerSDP, []))
        let connecting = dialled().after(.relay(.invitationTaken), offered, .media(.opened), answered)
        let connected = connecting.after(.media(.event(.dtlsConnected)), .media(.event(.fingerprintVerified)))
        return switch stage {
        case .dialledAwaitingRelay: dialled()
        case .dialledRinging: dialled().after(.relay(.invitationTaken))
        case .dialledDecidingOnClearMedia:
            dialled(.ask).after(.relay(.invitationTaken), .peer(.offer(Samples.middle, Samples.offer(keys: nil))))
        case .ringingWithoutConsent: ringing()
        case .acceptedPreparingOffer: ringing().after(Samples.accept())
        case .acceptedAwaitingAnswer:
            ringing().after(Samples.accept(), .media(.opened), .media(.offerMade(Samples.offerSDP, [])))
        case .acceptedByBothPreparingAnswer: dialled().after(.relay(.invitationTaken), offered)
        case .acceptedByBothConnecting: connecting
        case .acceptedByBothConnected: connected
        case .acceptedByBothReconnecting: connected.after(.media(.event(.lost)))
        case .ended: connected.after(.person(.hangUp))
        }
    }

    /// A callee's call in one of the stages that both roles share.
    static func calleeSample(_ stage: CallStage) -> CallMachine? {
        let connecting = sample(.acceptedAwaitingAnswer).after(.peer(.answer(Samples.middle, Samples.answer)))
        let connected = connecting.after(.media(.event(.dtlsConnected)), .media(.event(.fingerprintVerified)))
        return switch stage {
        case .ringingWithoutConsent, .acceptedPreparingOffer, .acceptedAwaitingAnswer: sample(stage)
        case .acceptedByBothConnecting: connecting
        case .acceptedByBothConnected: connected
        case .acceptedByBothReconnecting: connected.after(.media(.event(.lost)))
        case .ended: connected.after(.person(.hangUp))
        case .dialledAwaitingRelay, .dialledRinging, .dialledDecidingOnClearMedia, .acceptedByBothPreparingAnswer: nil
        }
    }

    /// The key for frames, as long as the call has one.
    var frameKey: SecretBytes? { agreement.frameKey }

    /// Everything on which the call's further behaviour depends, without what only counts.
    var fingerprint: String {
        let parts: [String] = [
            stage.rawValue, "\(role)", wireID.text, "\(identity.yielded as CallIdentity.Yielded?)",
            "\(isDelivered) \(isWaitingForRelay)", identity.formerIDs.map(\.text).sorted().joined(separator: ","),
            timers.map(\.rawValue).sorted().joined(separator: ","), "\(isMediaOpen)",
            "\(connection.isDTLSConnected) \(connection.isFingerprintVerified)",
            "\(candidates.hasPeerDescription) \(candidates.maySend)", "\(agreement.isEncrypted as Bool?)",
            "\(frameKey != nil)", "\(update.media)", "\(renewal)", "\(attention)",
        ]
        return parts.joined(separator: "|")
    }
}

/// Every kind of input, with names for reading.
enum Inputs {
    static let person: [(name: String, input: CallInput)] = [
        ("accept", Samples.accept()), ("decline", .person(.decline)), ("hangUp", .person(.hangUp)),
        ("clear", .person(.continueWithClearMedia)), ("ignore", .person(.ignore)), ("hold", .person(.hold)),
        ("resume", .person(.resume)), ("elsewhere", .attention(isElsewhere: true)),
    ]
    static let relay: [(name: String, input: CallInput)] = [
        ("taken", .relay(.invitationTaken)), ("delivered", .relay(.invitationDelivered)),
        ("sendingFailed", .relay(.sendingFailed)), ("contactGone", .relay(.contactGone)),
    ]
    static let peer: [(name: String, input: CallInput)] = [
        ("invitation", .peer(.invitation(Samples.middle, Samples.invitation()))),
        ("offer", .peer(.offer(Samples.middle, Samples.offer()))),
        ("answer", .peer(.answer(Samples.middle, Samples.answer))),
        ("extra", .peer(.extra(Samples.middle, [Samples.candidate(3)]))), ("end", .peer(.end(Samples.middle))),
        ("endOfMedia", .peer(.end(Samples.middle, because: .mediaFailed))),
        ("renew", .peer(.renew(Samples.middle, after: 0))),
        ("endOfBusy", .peer(.end(Samples.middle, because: .busy))),
        ("endOfClear", .peer(.end(Samples.middle, because: .encryptionRefused))),
        ("endOfKey", .peer(.end(Samples.middle, because: .keyAgreementFailed))),
        ("waitingThere", .peer(.standing(Samples.middle, .waiting))),
        ("ringingThere", .peer(.standing(Samples.middle, .ringing))),
        ("heldThere", .peer(.standing(Samples.middle, .held))),
        ("resumedThere", .peer(.standing(Samples.middle, .resumed))),
    ]
    /// The same for a call id that is higher, lower or unknown.
    static let strange: [(name: String, input: CallInput)] = [
        ("higherInvitation", .peer(.invitation(Samples.high, Samples.invitation()))),
        ("lowerInvitation", .peer(.invitation(Samples.low, Samples.invitation()))),
        ("lowerInvitationOfOthers", .peer(.invitation(Samples.low, Samples.invitation(settlesCrossing: false)))),
        ("strangeOffer", .peer(.offer(Samples.high, Samples.offer()))),
        ("strangeAnswer", .peer(.answer(Samples.high, Samples.answer))),
        ("strangeExtra", .peer(.extra(Samples.high, []))), ("strangeHold", .peer(.standing(Samples.high, .held))),
        ("strangeEnd", .peer(.end(Samples.high))),
    ]
    static let media: [(name: String, input: CallInput)] = [
        ("opened", .media(.opened)), ("offerMade", .media(.offerMade(Samples.offerSDP, []))),
        ("answerMade", .media(.answerMade(Samples.answerSDP, []))),
        ("candidates", .media(.event(.candidates([Samples.candidate(4)])))), ("ice", .media(.event(.iceConnected))),
        ("dtls", .media(.event(.dtlsConnected))), ("verified", .media(.event(.fingerprintVerified))),
        ("mismatch", .media(.event(.fingerprintMismatch))), ("video", .media(.event(.firstVideoFrame))),
        ("audio", .media(.event(.firstAudioFrame))),
        ("peerMedia", .media(.event(.peerMedia(microphone: true, camera: true)))), ("lost", .media(.event(.lost))),
        ("recovered", .media(.event(.recovered))), ("peerLeft", .media(.event(.peerLeft))),
        ("mediaFailed", .media(.event(.failed(.sample)))),
    ]
    static let clock: [(name: String, input: CallInput)] = CallTimer.allCases.map {
        ("clock.\($0.rawValue)", .clock($0))
    }
    static let all = person + relay + peer + strange + media + clock
}
