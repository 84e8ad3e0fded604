/// Why a call is over.
public enum CallEndReason: String, Error, Sendable, Hashable, CaseIterable {
    /// The local person ended it.
    case hungUp
    /// The contact ended it.
    case peerHungUp
    /// The local person cancelled it before the contact answered.
    case cancelled
    /// The local person declined it.
    case declined
    /// The contact declined it. Programs other than Parley say no more when the contact is in another call.
    case declinedByPeer
    /// The contact is in another call.
    case peerBusy
    /// The contact has deleted this side from its contacts.
    case contactGone
    /// The contact did not answer in time.
    case noAnswer
    /// The contact stopped calling, or called while nobody could answer.
    case missed
    /// The contact called while there were as many calls as there can be.
    case missedWhileBusy
    /// The contact called while the person took no calls, and was told that the person is busy.
    case missedInBusyMode
    /// The same contact called anew, so that the older call is void.
    case replaced
    /// The contact called although the preferences of the two do not allow it.
    case notPermitted
    /// No media connection came about in time.
    case connectTimeout
    /// The media connection was lost and did not come back.
    case connectionLost
    /// Sound or picture could not be started, or stopped working.
    case mediaFailed
    /// The contact's device could not start sound or picture.
    case peerMediaFailed
    /// Sound and picture of the contact's device stopped working during the call.
    case peerMediaStopped
    /// A message of the call could not be sent.
    case signalingFailed
    /// The peer's DTLS certificate is not the one its description announced.
    case fingerprintMismatch
    /// The other side does not encrypt frames, and calls without that are not allowed.
    case encryptionRefused
    /// The other side's key cannot be used.
    case keyAgreementFailed
    /// The contact's program does not go on without frame encryption.
    case encryptionRefusedByPeer
    /// The contact's program can't use the key of this side.
    case keyAgreementFailedAtPeer

    /// Whether the call was ended to protect the person.
    var isSecurity: Bool {
        switch self {
        case .fingerprintMismatch, .encryptionRefused, .keyAgreementFailed, .encryptionRefusedByPeer,
            .keyAgreementFailedAtPeer:
            true
        case .hungUp, .peerHungUp, .cancelled, .declined, .declinedByPeer, .peerBusy, .contactGone, .noAnswer,
            .missed, .missedWhileBusy, .missedInBusyMode, .replaced, .notPermitted, .connectTimeout, .connectionLost,
            .mediaFailed,
            .peerMediaFailed, .peerMediaStopped, .signalingFailed:
            false
        }
    }
}
