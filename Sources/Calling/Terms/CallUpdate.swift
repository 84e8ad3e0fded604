import BaseKit
import Signaling

/// The state of one call at one moment; the last one holds what a summary needs.
public struct CallUpdate: Sendable, Hashable {
    /// The call. It keeps this identifier even if both sides called at once and the other's identifier won.
    public let callID: CallID
    /// Who it is with.
    public let contact: ContactID
    /// Who began it.
    public let direction: CallDirection
    /// What it carries, as far as it is agreed.
    public let media: CallMedia
    /// What a person sees of it.
    public let phase: CallPhase
    /// The exact stage, which says who has consented.
    public let stage: CallStage
    /// Whether the invitation waits for a relay that is out of reach.
    public let isWaitingForRelay: Bool
    /// Whether it rings and the person has not ignored it. It should be heard, unless it is waiting; then by a tone that does not
    /// disturb the other call.
    public let isRinging: Bool
    /// Whether it rings while the person is occupied with another call.
    public let isWaiting: Bool
    /// Whether the contact, who has not answered, is occupied with another call.
    public let isWaitingAtPeer: Bool
    /// Which sides have put it on hold.
    public let hold: CallHold
    /// When each step was reached.
    public let setup: SetupTimeline
    /// Whether frames are encrypted end to end; nil until it is known.
    public let isFrameEncrypted: Bool?
    /// Whether the local person has to decide if the call may go on without frame encryption.
    public let needsDecisionOnClearMedia: Bool
    /// Whether the peer's certificate was found to be the announced one.
    public let isFingerprintVerified: Bool
    /// Whether the peer is heard.
    public let peerMicrophone: Bool
    /// Whether the peer is seen.
    public let peerCamera: Bool
    /// Whether the peer shares its screen.
    public let peerScreen: Bool
    /// Whether the peer's camera is on and its link carries too little for its pictures, as its program says.
    public let isPeerPicturePaused: Bool
    /// Which transport carries the call: 0 is its first, each that took over for a broken one has a higher number.
    public let transportNumber: Int
    /// How long the call was on; nil unless it is over and had been on.
    public let duration: Duration?
    /// Why media failed; nil unless it did.
    public let failure: Cause?
}

extension CallUpdate {
    /// Why the call is over; nil while it is not.
    public var endReason: CallEndReason? {
        if case .ended(let reason) = phase { reason } else { nil }
    }
}
