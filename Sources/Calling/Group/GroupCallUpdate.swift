import Signaling

/// A group call as others see it.
public struct GroupCallUpdate: Sendable, Hashable {
    /// Where a member stands, as the person sees it.
    public enum MemberStage: String, Sendable, Hashable, CaseIterable {
        /// Is called: by another member, or the invitation is on its way.
        case inviting
        /// Is called by this person, and no relay of theirs takes the invitation so far.
        case unreachable
        /// Is called by this person, and their device has the invitation.
        case ringing
        case connecting, connected, reconnecting, left, removed, declined, busy, noAnswer
        /// Was called by this person, and no relay of theirs took the invitation.
        case notReached

        /// Whether it is called, and may still come.
        public var isInvited: Bool { self == .inviting || self == .unreachable || self == .ringing }
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
        /// Whether it is known to be a contact: one that this person invited or was invited by, or that has proved to be one. Others were
        /// introduced.
        public let isContact: Bool
        /// Whether its certificate was another one than it said.
        public let isUntrusted: Bool
        /// Whether it comes by the room on a call server.
        public let isByRoom: Bool
        /// What of it is on.
        public let state: GroupState
    }

    /// How far the room on a call server is.
    public enum RoomStage: String, Sendable, Hashable, CaseIterable {
        case making, entering, inside, lost
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
    /// How far the room on a call server is; nil where there is none.
    public let room: RoomStage?
    /// The most that may be in.
    public let capacity: Int
    /// Why it is over.
    public let reason: GroupCallEndReason?
    /// Whether others go on with it, now that it is over here.
    public let goesOn: Bool

    /// Whether it is to ring.
    public var isRinging: Bool { stage == .ringingWithoutConsent }

    init(_ call: GroupContext, _ media: GroupMedia, _ news: GroupNews, _ guests: GroupGuests) {
        let list = call.roster.list
        members = list.members.filter { $0.number != call.own }.map { member in
            Member(
                number: member.number, name: member.name, stage: MemberStage(member, call.roster, media, guests),
                isHost: member.number == list.host, isContact: call.lines.knownContacts[member.number] != nil,
                isUntrusted: media.paths.untrusted.contains(member.number),
                isByRoom: media.handover.isHeard(member.number), state: news.state(of: member.number))
        }
        (stage, reason, goesOn) = (call.stage, call.progress.reason, call.goesOn)
        (own, isHost) = (call.own, call.roster.isHost)
        self.media = media.wanted
        room = RoomStage(media.handover.standing)
        capacity = call.capacity
    }
}

extension GroupCallUpdate.MemberStage {
    fileprivate init(_ member: GroupMember, _ roster: Roster, _ media: GroupMedia, _ guests: GroupGuests) {
        switch member.standing {
        case .inviting:
            switch guests.reach(of: member.number) {
            case .sent, .taken, nil: self = .inviting
            case .late: self = .unreachable
            case .received: self = .ringing
            }
        case .isIn where !roster.isPresent(member.number): self = .left
        case .isIn where media.isHeard(member.number): self = .connected
        case .isIn: self = media.hasHeard(member.number) ? .reconnecting : .connecting
        case .left: self = .left
        case .removed: self = .removed
        case .declined: self = .declined
        case .busy: self = .busy
        case .noAnswer: self = guests.unreached.contains(member.number) ? .notReached : .noAnswer
        }
    }
}

extension GroupCallUpdate.RoomStage {
    fileprivate init?(_ standing: GroupHandover.Standing) {
        switch standing {
        case .none: return nil
        case .making: self = .making
        case .entering: self = .entering
        case .inside: self = .inside
        case .lost: self = .lost
        }
    }
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
    /// The highest number of a room that was made or entered: what is made after coming back takes the place of it.
    public var highestRoom: Int

    /// Whether somebody else is in.
    public var hasOthers: Bool { roster.members.contains { $0.number != own && $0.standing == .isIn } }

    /// Notes that members have left the call, or are there again.
    public mutating func note(_ members: Set<MemberNumber>, areIn: Bool) {
        let known = members.filter { number in
            guard let standing = roster.members.first(where: { $0.number == number })?.standing else { return false }
            return standing == (areIn ? .left : .isIn)
        }
        roster.mark(known, as: areIn ? .isIn : .left)
    }

    /// Puts together what was kept.
    public init(
        callID: CallID, media: CallMedia, roster: GroupRoster, own: MemberNumber, contacts: [MemberNumber: ContactID],
        lines: Set<MemberNumber>, highestRoom: Int = 0
    ) {
        self.callID = callID
        self.media = media
        self.roster = roster
        self.own = own
        self.contacts = contacts
        self.lines = lines
        self.highestRoom = highestRoom
    }
}
