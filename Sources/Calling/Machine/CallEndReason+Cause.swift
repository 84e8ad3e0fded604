import Signaling

extension CallEndReason {
    /// What the peer is told of it; nil where an end says all.
    var cause: CallEndCause? {
        switch self {
        case .mediaFailed: .mediaFailed
        case .missedWhileBusy, .missedInBusyMode: .busy
        case .encryptionRefused: .encryptionRefused
        case .keyAgreementFailed: .keyAgreementFailed
        default: nil
        }
    }

    /// What an end by the peer means in a call that was never connected.
    static func beforeConnection(_ cause: CallEndCause?, otherwise reason: CallEndReason) -> CallEndReason {
        switch cause {
        case .mediaFailed: .peerMediaFailed
        // Who has answered is not in another call.
        case .busy: reason == .declinedByPeer ? .peerBusy : reason
        case .encryptionRefused: .encryptionRefusedByPeer
        case .keyAgreementFailed: .keyAgreementFailedAtPeer
        case nil: reason
        }
    }
}
