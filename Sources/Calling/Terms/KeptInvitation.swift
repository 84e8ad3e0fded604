import Signaling

/// An invitation that is not settled, as it outlives the process: nobody has declined or missed it, and the call that came of it,
/// if any, is not over.
public struct KeptInvitation: Sendable, Hashable {
    /// The call.
    public let callID: CallID
    /// Who calls.
    public let contact: ContactID
    /// What they sent.
    public let invitation: CallInvitation
    /// When it came in, in seconds since 1970.
    public let arrivedAt: Int64
    /// How long it may ring from then on, in seconds, whatever happens to the process meanwhile.
    public let ringTime: Int64
    /// Whether the person has accepted. Such a call does not ring again.
    public let isAccepted: Bool
    /// Whether the person wants to hear nothing of it.
    public let isIgnored: Bool

    /// Puts one together.
    public init(
        callID: CallID, contact: ContactID, invitation: CallInvitation, arrivedAt: Int64, ringTime: Int64,
        isAccepted: Bool = false, isIgnored: Bool = false
    ) {
        self.callID = callID
        self.contact = contact
        self.invitation = invitation
        self.arrivedAt = arrivedAt
        self.ringTime = ringTime
        self.isAccepted = isAccepted
        self.isIgnored = isIgnored
    }
}

extension KeptInvitation {
    /// The same call, accepted.
    var accepted: KeptInvitation {
        KeptInvitation(
            callID: callID, contact: contact, invitation: invitation, arrivedAt: arrivedAt, ringTime: ringTime,
            isAccepted: true, isIgnored: isIgnored)
    }

    /// The same call, ignored.
    var ignored: KeptInvitation {
        KeptInvitation(
            callID: callID, contact: contact, invitation: invitation, arrivedAt: arrivedAt, ringTime: ringTime,
            isAccepted: isAccepted, isIgnored: true)
    }

    /// How long it may still ring; zero when it is old. A clock that has gone back says nothing, so that it is old then, too: it
    /// could ring for ever.
    func rest(at wallClock: Int64) -> Duration {
        let (age, isTooMuch) = wallClock.subtractingReportingOverflow(arrivedAt)
        guard !isTooMuch, age >= 0, age < ringTime else { return .zero }
        return min(.seconds(ringTime - age), CallTiming.ringing)
    }
}
