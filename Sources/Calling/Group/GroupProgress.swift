import BaseKit
import Signaling

/// How far a group call has come at this side.
enum GroupProgress: Sendable {
    case calling
    case ringing(inviter: MemberNumber)
    /// With the inviter who is yet to be told; nil once it is.
    case joining(through: MemberNumber?)
    case on(since: Instant)
    case returning(since: Instant)
    case ended(GroupCallEndReason)

    var stage: GroupCallStage {
        switch self {
        case .calling: .callingWithOwnConsent
        case .ringing: .ringingWithoutConsent
        case .joining: .acceptedJoining
        case .on: .acceptedOn
        case .returning: .acceptedReturning
        case .ended: .ended
        }
    }

    /// The inviter, where the person has accepted and the inviter doesn't know yet.
    var untoldInviter: MemberNumber? {
        if case .joining(let inviter) = self { inviter } else { nil }
    }

    /// How long it has been on; nil where it never was.
    func duration(at now: Instant) -> Duration? {
        switch self {
        case .on(let since), .returning(let since): now - since
        case .calling, .ringing, .joining, .ended: nil
        }
    }

    /// Why it is over.
    var reason: GroupCallEndReason? {
        if case .ended(let reason) = self { reason } else { nil }
    }
}
