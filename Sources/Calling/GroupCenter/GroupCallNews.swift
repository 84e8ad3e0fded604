import BaseKit
import Signaling

/// What a group call tells whoever shows it.
public enum GroupCallNews: Sendable {
    /// A call as it is now.
    case call(GroupCallSnapshot)
    /// A call is over, and is to be logged. Its last snapshot came before.
    case over(GroupCallEnd)
    /// The host has given no place to a contact whom the person wants to invite.
    case notInvited(ContactID)
    /// What is to outlive the process.
    case kept(KeptGroupCall)
    /// Nothing of a call is to outlive the process any more.
    case gone(CallID)
}

/// A group call at one moment.
public struct GroupCallSnapshot: Sendable, Hashable {
    /// Which key somebody seals with: no part of the key itself.
    public struct KeyMark: Sendable, Hashable {
        /// Which of the sender's secrets it comes from.
        public let epoch: UInt8
        /// How many times that was hashed on.
        public let step: UInt8

        init(_ key: GroupKey) { (epoch, step) = (key.epoch, key.step) }
    }

    /// The call.
    public let callID: CallID
    /// Who began it, as this person sees it.
    public let direction: CallDirection
    /// The contact who invites, or the first who was called; nil after coming back by oneself.
    public let contact: ContactID?
    /// Who is in, and where it stands.
    public let update: GroupCallUpdate
    /// What own frames are sealed with; nil before media are open.
    public let ownKey: KeyMark?
    /// What the members' frames are opened with.
    public let keys: [MemberNumber: KeyMark]
    /// The members that are contacts here, by what the call knows.
    public let contacts: [MemberNumber: ContactID]
    /// The call of two that is to go over into it: what its contact is asked, or asks.
    public let origin: GroupInvitation.Origin?
    /// Why the room on a call server could not be made or entered last; nil where there was nothing, or it is entered now.
    public let roomFailure: Cause?
}

/// What remains of a group call, or of an invitation that did not ring.
public struct GroupCallEnd: Sendable, Hashable {
    /// The call.
    public let callID: CallID
    /// The contact it is logged with; nil after coming back by oneself.
    public let contact: ContactID?
    /// Who began it, as this person sees it.
    public let direction: CallDirection
    /// What it carried, or should have.
    public let media: CallMedia
    /// Who was in besides the person here; of a call that nobody came to, who was to be in it.
    public let members: [GroupCallLogEntry.Member]
    /// When it began, in seconds since 1970.
    public let startedAt: Int64
    /// How long it was on; nil if it never was.
    public let duration: Duration?
    /// Why it is over, in the words of the log.
    public let reason: CallEndReason
    /// The same in the words of a call of several; nil for an invitation that did not ring.
    public let cause: GroupCallEndReason?
    /// Whether it rang here.
    public let rang: Bool
}

extension GroupCallEndReason {
    /// The same in the words of the log of calls.
    public var logged: CallEndReason {
        switch self {
        case .hungUp: .hungUp
        case .cancelled: .cancelled
        case .declined: .declined
        case .missed: .missed
        case .nobodyJoined: .noAnswer
        case .nobodyReached: .signalingFailed
        case .connectTimeout: .connectTimeout
        case .connectionLost: .connectionLost
        case .alone, .over, .removed: .peerHungUp
        }
    }
}
