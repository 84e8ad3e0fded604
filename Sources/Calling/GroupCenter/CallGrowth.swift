import Signaling

/// How a call of two goes over into a call of several with the same contact and others ([groups.md](../../../docs/groups.md)): the
/// contact is asked within the call of two, which goes on as it is until they join, is on hold while the other one comes about, is
/// over once both hear each other there, and goes on if that does not come about.
public struct CallGrowth: Sendable, Equatable {
    /// What is to be done.
    public enum Effect: Sendable, Hashable {
        /// Put the call of two on hold: what it has open is the other's now.
        case holdTalk
        /// Go on with the call of two.
        case resumeTalk
        /// End the call of two.
        case endTalk
        /// Leave the call of several, or decline it.
        case endGroup
        /// Call those who are to be added.
        case inviteOthers
    }

    private enum Step: Sendable { case asking, changing, over }

    /// The call of two.
    public let talk: CallID
    /// The call of several.
    public let group: CallID
    /// Who is in both.
    public let peer: ContactID
    /// Whether the person here adds the others; otherwise the contact does, and the person is asked.
    public let isAsker: Bool
    /// Whether the two were in the call of several together.
    public private(set) var hasSucceeded = false
    private var step = Step.asking
    private var isTalkOver = false

    /// The contact, or the person here, is asked.
    public init(talk: CallID, group: CallID, peer: ContactID, isAsker: Bool) {
        (self.talk, self.group, self.peer, self.isAsker) = (talk, group, peer, isAsker)
    }

    /// The call of several stands so, and the contact in it; nil while it is not known where that is.
    public mutating func groupStands(
        _ stage: GroupCallStage, peer: GroupCallUpdate.MemberStage?, reason: GroupCallEndReason? = nil
    ) -> [Effect] {
        switch (step, stage) {
        case (.over, _), (.asking, .callingWithOwnConsent), (.asking, .ringingWithoutConsent): return []
        case (.asking, .ended):
            step = .over
            return []
        case (.asking, .acceptedJoining), (.asking, .acceptedOn), (.asking, .acceptedReturning):
            step = .changing
            return [.holdTalk] + change(stage, peer, reason)
        case (.changing, _): return change(stage, peer, reason)
        }
    }

    /// The call of two is over, whoever has ended it.
    public mutating func talkEnded() -> [Effect] {
        isTalkOver = true
        guard step == .asking else { return [] }
        // What was asked was asked for that call.
        step = .over
        return [.endGroup]
    }

    private mutating func change(
        _ stage: GroupCallStage, _ peer: GroupCallUpdate.MemberStage?, _ reason: GroupCallEndReason?
    ) -> [Effect] {
        if stage == .ended {
            step = .over
            // Who leaves means to talk to nobody.
            return isTalkOver ? [] : [reason == .hungUp ? .endTalk : .resumeTalk]
        }
        switch peer {
        case .connected, .reconnecting:
            step = .over
            hasSucceeded = true
            return (isTalkOver ? [] : [.endTalk]) + (isAsker ? [.inviteOthers] : [])
        case .connecting, .inviting, .unreachable, .ringing, nil: return []
        case .left, .removed, .declined, .busy, .noAnswer, .notReached:
            step = .over
            return [.endGroup] + (isTalkOver ? [] : [.resumeTalk])
        }
    }
}

/// The call of two that a person is in, and with whom: for an invitation that asks to go over from it into a call of several.
public struct CallOfTwo: Sendable, Hashable {
    /// The call.
    public let callID: CallID
    /// Who it is with.
    public let contact: ContactID

    /// A call that is on.
    public init(_ callID: CallID, with contact: ContactID) { (self.callID, self.contact) = (callID, contact) }
}
