import Signaling

extension CallUpdate {
    /// A call as others see it.
    init(_ call: CallMachine, media: CallMedia, setup: SetupTimeline, duration: Duration?) {
        let stage = call.stage
        let isEncrypted = call.agreement.isEncrypted
        self.init(
            callID: call.callID, contact: call.contact, direction: call.direction, media: media, phase: call.phase,
            stage: stage, isWaitingForRelay: call.isWaitingForRelay && stage == .dialledAwaitingRelay,
            isRinging: stage == .ringingWithoutConsent && !call.attention.isIgnored,
            isWaiting: stage == .ringingWithoutConsent && call.attention.isWaiting,
            isWaitingAtPeer: stage.isDialled && call.attention.isWaitingAtPeer, hold: call.attention.hold, setup: setup,
            isFrameEncrypted: isEncrypted,
            needsDecisionOnClearMedia: stage == .dialledDecidingOnClearMedia
                || (stage == .ringingWithoutConsent && isEncrypted == false),
            isFingerprintVerified: call.connection.isFingerprintVerified,
            peerMicrophone: call.connection.peerMicrophone, peerCamera: call.connection.peerCamera,
            peerScreen: call.connection.peerScreen, isPeerPicturePaused: call.connection.isPeerPicturePaused,
            transportNumber: call.renewal.numberInUse, duration: duration, failure: call.connection.failure)
    }
}
