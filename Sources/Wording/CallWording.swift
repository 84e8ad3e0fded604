import Calling
import MediaRules
import Parley

extension CallError: Worded {
    public var sentence: String {
        switch self {
        case .busy: tr("You are already in a call; end it or put it on hold first.")
        case .notPermitted: tr("This contact does not accept calls.")
        case .blocked: tr("This contact is blocked. Unblock them to call.")
        case .noSuchCall: tr("This call is already over.")
        case .over(.missed): tr("It is too late to answer: this call has stopped ringing. You can call back.")
        case .over: tr("This call is already over.")
        }
    }
}

extension ToneError: Worded {
    public var sentence: String {
        switch self {
        case .empty: tr("There are no tones to send.")
        case .unknownKey(let key):
            tr("“%s” is no key of a telephone: there are 0 to 9, *, #, A to D, and a comma for a pause.", String(key))
        case .tooLong: tr("These are too many tones at once.")
        case .notConnected: tr("Tones can be sent once the call is connected.")
        case .onHold: tr("Tones can be sent once the call is no longer on hold.")
        case .notSupported: tr("The other side’s program does not take tones.")
        case .interrupted: tr("Not all tones were sent.")
        }
    }
}

extension CallEndReason: Worded {
    public var sentence: String {
        switch self {
        case .hungUp: tr("You ended the call.")
        case .peerHungUp: tr("The other person ended the call.")
        case .cancelled: tr("You cancelled the call before it was answered.")
        case .declined: tr("You declined the call.")
        case .declinedByPeer: tr("The other person declined the call.")
        case .peerBusy: tr("The other person is in another call.")
        case .contactGone: tr("The other person has removed you from their contacts.")
        case .noAnswer: tr("Nobody answered the call.")
        case .missed: tr("You missed the call.")
        case .missedWhileBusy: tr("You missed the call because you were in another one.")
        case .missedInBusyMode: tr("You missed the call because you were not taking calls.")
        case .replaced: tr("The other person called again, so this call was closed.")
        case .notPermitted: tr("This contact is not allowed to call you.")
        case .connectTimeout: tr("The call was accepted, but no connection could be made.")
        case .connectionLost: tr("The connection was lost.")
        case .mediaFailed: tr("Sound and picture could not be started.")
        case .peerMediaFailed: tr("Their device could not start the call.")
        case .peerMediaStopped: tr("Their device could not go on with the call.")
        case .signalingFailed: tr("The call could not be sent through the relay.")
        case .fingerprintMismatch:
            tr("The call was ended for security: the other side's certificate is not the one it announced.")
        case .encryptionRefused:
            tr("The call was ended for security: the other side does not encrypt sound and picture end to end.")
        case .keyAgreementFailed: tr("The call was ended for security: the other side's key cannot be used.")
        case .encryptionRefusedByPeer:
            tr("The other side ended the call for security: it does not go on without end-to-end encryption.")
        case .keyAgreementFailedAtPeer:
            tr("The other side ended the call for security: it cannot use the key of this side.")
        }
    }
}

extension CallState {
    /// Why the call is over, one sentence; nil while it is not.
    public var endSentence: String? {
        guard case .ended(let reason) = phase else { return nil }
        return reason == .mediaFailed ? failure?.sentence ?? reason.sentence : reason.sentence
    }
}
