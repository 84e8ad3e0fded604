import Signaling

/// A group call as others see it.
public struct GroupCallUpdate: Sendable, Hashable {
    /// Where a member stands, as the person sees it.
    public enum MemberStage: String, Sendable, Hashable, CaseIterable {
        case inviting, connecting, connected, reconnecting, left, removed, declined, busy, noAnswer
    }

    /// One other member.
    public struct Member: Sendable, Hashable {
        /// Its number.
        public let number: MemberNumber
        /// What it is called.
        public let name: MemberName
        /// Where it stands.
        public let stage: MemberStage
        /// Whether it is the host.
        public let isHost: Bool
        /// Whether it is a contact that this person invited or was invited by; others were introduced.
        public let isContact: Bool
        /// Whether its certificate was another one than it said.
        public let isUntrusted: Bool
        /// What of it is on.
        public let state: GroupState
    }

    /// Where the call stands.
    public let stage: GroupCallStage
    /// The other members, by number.
    public let members: [Member]
    /// The own number.
    public let own: MemberNumber
    /// Whether this person is the host.
    public let isHost: Bool
    /// What it carries.
    public let media: CallMedia
    /// Why it is over.
    public let reason: GroupCallEndReason?

    /// Whether it is to ring.
    public var isRinging: Bool { stage == .ringingWithoutConsent }
}

/// What of a group call outlives the process: no key is among it.
public struct KeptGroupCall: Sendable, Hashable {
    /// The call.
    public var callID: CallID
    /// What it carries.
    public var media: CallMedia
    /// The last list.
    public var roster: GroupRoster
    /// The own number.
    public var own: MemberNumber
    /// The members that are contacts.
    public var contacts: [MemberNumber: ContactID]
    /// The members with lines.
    public var lines: Set<MemberNumber>
}
