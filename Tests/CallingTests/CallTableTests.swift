import Signaling
import TestSupport
import Testing

@testable import Calling

/// What every input does in every stage. What is not listed changes nothing and is not counted.
@Suite("Table of all stages and inputs", .timeLimit(.minutes(5)))
struct CallTableTests {
    /// What becomes of an input.
    enum Outcome: Equatable {
        case nothing
        case moves(CallStage)
        case ends(CallEndReason)
        case rejected(MessageRejection)
        /// Effects, but the stage stays.
        case acts
    }

    /// Rejections that are the same in all stages but the last.
    static let strangers: [String: Outcome] = [
        "higherInvitation": .rejected(.outOfTurn), "lowerInvitation": .rejected(.outOfTurn),
        "lowerInvitationOfOthers": .rejected(.outOfTurn),
        "strangeOffer": .rejected(.unknownCall), "strangeAnswer": .rejected(.unknownCall),
        "strangeExtra": .rejected(.unknownCall), "strangeEnd": .rejected(.unknownCall),
        "strangeHold": .rejected(.unknownCall),
    ]
    static let toCaller: [String: Outcome] = [
        "invitation": .rejected(.wrongRole), "answer": .rejected(.wrongRole), "offer": .rejected(.outOfTurn),
        "end": .ends(.peerHungUp), "endOfMedia": .ends(.peerMediaFailed), "endOfBusy": .ends(.peerHungUp),
        "endOfClear": .ends(.encryptionRefusedByPeer), "endOfKey": .ends(.keyAgreementFailedAtPeer),
        "renew": .rejected(.wrongRole), "waitingThere": .rejected(.outOfTurn), "ringingThere": .rejected(.outOfTurn),
        "heldThere": .rejected(.outOfTurn), "resumedThere": .rejected(.outOfTurn),
    ]
    static let toCallee: [String: Outcome] = [
        "invitation": .rejected(.duplicate), "offer": .rejected(.wrongRole), "answer": .rejected(.outOfTurn),
        "end": .ends(.peerHungUp), "endOfMedia": .ends(.peerMediaFailed), "endOfBusy": .ends(.peerHungUp),
        "endOfClear": .ends(.encryptionRefusedByPeer), "endOfKey": .ends(.keyAgreementFailedAtPeer),
        "renew": .rejected(.outOfTurn), "waitingThere": .rejected(.wrongRole), "ringingThere": .rejected(.wrongRole),
        "heldThere": .rejected(.outOfTurn), "resumedThere": .rejected(.outOfTurn),
    ]
    static let withMedia: [String: Outcome] = [
        "mismatch": .ends(.fingerprintMismatch), "mediaFailed": .ends(.mediaFailed), "peerLeft": .ends(.peerHungUp),
    ]
    static let dialled: [String: Outcome] = [
        "hangUp": .ends(.cancelled), "offer": .moves(.acceptedByBothPreparingAnswer), "end": .ends(.declinedByPeer),
        "higherInvitation": .moves(.acceptedPreparingOffer), "lowerInvitation": .rejected(.glare),
        "lowerInvitationOfOthers": .moves(.acceptedPreparingOffer), "endOfBusy": .ends(.peerBusy),
        "waitingThere": .nothing, "ringingThere": .nothing,
    ]
    /// Both have agreed: what the contact does with the call is heard.
    static let agreed: [String: Outcome] = ["heldThere": .nothing, "resumedThere": .nothing]
    static let live: [String: Outcome] = [
        "sendingFailed": .ends(.signalingFailed), "contactGone": .ends(.contactGone), "hangUp": .ends(.hungUp),
    ]

    static func merged(_ tables: [String: Outcome]...) -> [String: Outcome] {
        tables.reduce(into: [:]) { $0.merge($1) { $1 } }
    }

    static func table(_ role: CallRole, _ stage: CallStage) -> [String: Outcome] {
        let common = merged(strangers, role == .caller ? toCaller : toCallee, live)
        let candidatesOut: [String: Outcome] = ["candidates": .acts]
        return switch stage {
        case .dialledAwaitingRelay:
            merged(
                common, dialled,
                [
                    "taken": .moves(.dialledRinging), "delivered": .moves(.dialledRinging),
                    "clock.noAnswer": .ends(.signalingFailed),
                ])
        case .dialledRinging: merged(common, dialled, ["clock.noAnswer": .ends(.noAnswer)])
        case .dialledDecidingOnClearMedia:
            merged(
                common,
                [
                    "hangUp": .ends(.cancelled), "clear": .moves(.acceptedByBothPreparingAnswer),
                    "clock.decision": .ends(.encryptionRefused),
                ])
        case .ringingWithoutConsent:
            merged(
                common,
                [
                    "accept": .moves(.acceptedPreparingOffer), "decline": .ends(.declined), "hangUp": .ends(.declined),
                    "end": .ends(.missed), "endOfMedia": .ends(.missed), "endOfBusy": .ends(.missed),
                    "endOfClear": .ends(.missed), "endOfKey": .ends(.missed),
                    "clock.ringLimit": .ends(.missed),
                ])
        case .acceptedPreparingOffer:
            merged(
                common, withMedia,
                [
                    "opened": .acts, "offerMade": .moves(.acceptedAwaitingAnswer),
                    "clock.connect": .ends(.connectTimeout),
                ])
        case .acceptedAwaitingAnswer:
            merged(
                common, withMedia, candidatesOut,
                ["answer": .moves(.acceptedByBothConnecting), "clock.connect": .ends(.connectTimeout)])
        case .acceptedByBothPreparingAnswer:
            merged(
                common, withMedia,
                [
                    "opened": .acts, "answerMade": .moves(.acceptedByBothConnecting),
                    "clock.connect": .ends(.connectTimeout),
                ])
        case .acceptedByBothConnecting:
            merged(
                common, withMedia, candidatesOut, agreed, ["extra": .acts, "clock.connect": .ends(.connectTimeout)])
        case .acceptedByBothConnected:
            merged(
                common, withMedia, candidatesOut, agreed,
                [
                    "extra": .acts, "hold": .acts, "lost": .moves(.acceptedByBothReconnecting),
                    "endOfMedia": .ends(.peerMediaStopped), "endOfClear": .ends(.peerHungUp),
                    "endOfKey": .ends(.peerHungUp),
                ])
        case .acceptedByBothReconnecting:
            merged(
                common, withMedia, candidatesOut, agreed,
                [
                    "extra": .acts, "hold": .acts, "recovered": .moves(.acceptedByBothConnected),
                    "endOfMedia": .ends(.peerMediaStopped), "endOfClear": .ends(.peerHungUp),
                    "endOfKey": .ends(.peerHungUp),
                    "clock.reconnect": .ends(.connectionLost),
                ])
        case .ended:
            merged(
                common,
                [
                    "hangUp": .nothing, "sendingFailed": .nothing, "contactGone": .nothing, "extra": .rejected(.late),
                    "end": .rejected(.late), "endOfBusy": .rejected(.late), "lowerInvitationOfOthers": .rejected(.late),
                    "endOfMedia": .rejected(.late), "endOfClear": .rejected(.late), "endOfKey": .rejected(.late),
                    "higherInvitation": .rejected(.late),
                    "lowerInvitation": .rejected(.late), "heldThere": .rejected(.late),
                    "resumedThere": .rejected(.late),
                ],
                role == .caller
                    ? [
                        "offer": .rejected(.late), "waitingThere": .rejected(.late), "ringingThere": .rejected(.late),
                    ] : [:],
                role == .callee
                    ? ["answer": .rejected(.late), "invitation": .rejected(.late), "renew": .rejected(.late)] : [:])
        }
    }

    func outcome(of input: CallInput, on machine: CallMachine) -> Outcome {
        var after = machine
        let effects = after.handle(input, at: at(1_000))
        let rejected = MessageRejection.allCases.filter { after.rejections[$0] > machine.rejections[$0] }
        if let kind = rejected.first {
            #expect(effects.isEmpty)
            #expect(after.fingerprint == machine.fingerprint)
            return .rejected(kind)
        }
        if case .ended(let reason) = after.phase, machine.stage != .ended {
            #expect(effects.last == .finished(reason))
            return .ends(reason)
        }
        if after.stage != machine.stage { return .moves(after.stage) }
        return effects.isEmpty ? .nothing : .acts
    }

    @Test(arguments: CallStage.allCases)
    func `a caller's call does in each stage what the table says`(stage: CallStage) {
        let machine = CallMachine.sample(stage)
        #expect(machine.stage == stage)
        guard machine.role == .caller else { return }
        for (name, input) in Inputs.all {
            let expected = Self.table(.caller, stage)[name] ?? .nothing
            #expect(outcome(of: input, on: machine) == expected, "\(name) in \(stage)")
        }
    }

    @Test(arguments: CallStage.allCases)
    func `a callee's call does in each stage what the table says`(stage: CallStage) {
        guard let machine = CallMachine.calleeSample(stage) else { return }
        #expect(machine.stage == stage)
        #expect(machine.role == .callee)
        for (name, input) in Inputs.all {
            let expected = Self.table(.callee, stage)[name] ?? .nothing
            #expect(outcome(of: input, on: machine) == expected, "\(name) in \(stage)")
        }
    }

    @Test func `each stage occurs in the tables of both roles, as far as the role can reach it`() {
        let callers = CallStage.allCases.filter { CallMachine.sample($0).role == .caller }
        let callees = CallStage.allCases.filter { CallMachine.calleeSample($0) != nil }
        #expect(callers.count == 8)
        #expect(callees.count == 7)
        #expect(Set(callers).union(callees) == Set(CallStage.allCases))
    }
}
