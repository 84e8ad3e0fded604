import Signaling

extension CallMachine {
    /// Where the call stands.
    public var stage: CallStage {
        switch state {
        case .dialledAwaitingRelay: .dialledAwaitingRelay
        case .dialledRinging: .dialledRinging
        case .dialledDecidingOnClearMedia: .dialledDecidingOnClearMedia
        case .ringingWithoutConsent: .ringingWithoutConsent
        case .acceptedPreparingOffer: .acceptedPreparingOffer
        case .acceptedAwaitingAnswer: .acceptedAwaitingAnswer
        case .acceptedByBothPreparingAnswer: .acceptedByBothPreparingAnswer
        case .acceptedByBothConnecting: .acceptedByBothConnecting
        case .acceptedByBothConnected: .acceptedByBothConnected
        case .acceptedByBothReconnecting: .acceptedByBothReconnecting
        case .ended: .ended
        }
    }

    /// What a person sees of the call.
    public var phase: CallPhase {
        switch state {
        case .dialledAwaitingRelay, .dialledRinging, .dialledDecidingOnClearMedia: .ringingOut
        case .ringingWithoutConsent: .ringingIn
        // As long as both calls may still win, the person sees the one that was dialled.
        case .acceptedPreparingOffer, .acceptedAwaitingAnswer: yielded == nil ? .connecting : .ringingOut
        case .acceptedByBothPreparingAnswer, .acceptedByBothConnecting: .connecting
        case .acceptedByBothConnected(let since): .active(since: since)
        case .acceptedByBothReconnecting: .reconnecting
        case .ended(let reason): .ended(reason)
        }
    }

    /// The call as others see it.
    public var update: CallUpdate {
        CallUpdate(
            callID: callID, contact: contact, direction: direction, media: media, phase: phase, stage: stage,
            isWaitingForRelay: isWaitingForRelay && stage == .dialledAwaitingRelay,
            isRinging: stage == .ringingWithoutConsent, setup: setup, isFrameEncrypted: isFrameEncrypted,
            needsDecisionOnClearMedia: stage == .dialledDecidingOnClearMedia
                || (stage == .ringingWithoutConsent && isFrameEncrypted == false),
            isFingerprintVerified: security.isFingerprintVerified, peerMicrophone: peerMicrophone,
            peerCamera: peerCamera, peerScreen: peerScreen, transportNumber: renewal.inUse.number, duration: duration,
            failure: failure)
    }

    /// Notes that a step was reached, the first time it is.
    mutating func reached(_ step: WritableKeyPath<SetupTimeline, Int64?>, at now: Int64) {
        if setup[keyPath: step] == nil { setup[keyPath: step] = now - startedAt.now }
    }
}
