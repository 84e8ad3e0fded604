/// One of the messages of a group call: Parley's own events `x.parley.group.…` (docs/groups.md). They go to contacts by their
/// connection, to other members by lines, and never to a program that has not announced ``PeerAbilities/groups``.
public enum GroupMessage: Sendable, Equatable {
    /// Rings.
    case invitation(GroupInvitation)
    /// An invitation was accepted.
    case join(GroupJoin)
    /// A link of one member for another.
    case line(GroupLine)
    /// Who is in.
    case roster(GroupRoster)
    /// The sender's key.
    case key(GroupKey)
    /// The higher number's half of a path.
    case offer(GroupDescription)
    /// The lower number's half of a path.
    case answer(GroupDescription)
    /// More candidates for a path.
    case extra(GroupCandidates)
    /// The sender lacks the reader's key.
    case wantKey
    /// Who is at the other end of a line.
    case hello(GroupHello)
    /// An invitation was not accepted.
    case decline(GroupDecline)
    /// A member that is no host wants to invite somebody of this name.
    case ask(MemberName)
    /// The host puts a member out.
    case remove(MemberNumber)
    /// The sender leaves.
    case leave
    /// The call is over, or the invitation is taken back; an earlier version does not say which.
    case over(GroupEnding?)
    /// The sender wants to come back.
    case rejoin(GroupRejoin)
    /// The sender lets the reader come back.
    case rejoined(GroupRejoined)
    /// The host has made a room.
    case room(GroupRoom)
    /// The host says how the room is closed, to the member that would follow it.
    case heir(GroupRoom)
    /// What of the sender is on.
    case state(GroupState)

    /// Whether it is sent with the flag that wakes the recipient; only the invitation is.
    public var notifies: Bool {
        if case .invitation = self { true } else { false }
    }

    /// Whether it invites its reader into a call.
    public var isInvitation: Bool {
        if case .invitation = self { true } else { false }
    }

    /// Whether its writer waits for its reader's receipt.
    public var wantsReceipt: Bool {
        switch self {
        case .invitation, .join, .line, .roster, .key, .rejoin, .decline, .room, .heir, .remove: true
        case .offer, .answer, .extra, .wantKey, .hello, .ask, .leave, .over, .rejoined, .state: false
        }
    }

    /// The end of its event's name, for the log: nothing of what it says.
    public var word: String { String(GroupEvent.name(of: self).dropFirst(GroupEvent.prefix.count)) }
}
