import Signaling

/// What is to be done after an input, in this order. Who rings looks at ``GroupCallUpdate/isRinging``.
public enum GroupCallEffect: Sendable, Equatable {
    /// Send a message; its number comes back as a receipt. The same number again is the same message sent again.
    case send(GroupMessage, to: GroupPeer, number: Int)
    /// Make a one-time link for a line to a member.
    case makeLine(MemberNumber)
    /// Open a member's link, in the place of another line to it.
    case joinLine(MemberNumber, GroupLink)
    /// Delete a line.
    case closeLine(MemberNumber)
    /// Open devices. Only ever comes after local consent.
    case openMedia(CallMedia)
    /// Close devices and all paths.
    case closeMedia
    /// Open a path to a member, in the place of another one.
    case openPath(MemberNumber, number: Int, GroupPathRole)
    /// Give a path the member's answer.
    case answerPath(MemberNumber, number: Int, GroupDescription)
    /// Give a path more of the member's candidates.
    case addCandidates(MemberNumber, number: Int, [ICECandidate])
    /// Close the path to a member.
    case closePath(MemberNumber)
    /// Make a room on the own call server, with this number.
    case makeRoom(number: Int)
    /// Enter a room with the own media, in the place of another one.
    case enterRoom(GroupRoom)
    /// Make another token for the own server, of a room that was made there.
    case renewToken(GroupRoom)
    /// Go on in the room that was entered with another token or PIN.
    case useAccess(GroupRoom)
    /// Give a room of which the secret is known another PIN and another secret, and put all out of it but these.
    case lockRoom(GroupRoom, staying: Set<MemberNumber>)
    /// Leave a room if media are in it, and close it if its secret is known.
    case leaveRoom(GroupRoom)
    /// Seal own frames with this key from now on.
    case useKey(GroupKey)
    /// Open a member's frames with this key.
    case useMemberKey(MemberNumber, GroupKey)
    /// Open nothing more of this member.
    case dropKeys(MemberNumber)
    /// Start a clock, or start it over.
    case startTimer(GroupTimer, Duration)
    /// Stop a clock.
    case stopTimer(GroupTimer)
    /// Tell the person that the host has given no number to a contact whom they want to invite.
    case tellNotInvited(ContactID)
    /// Keep a finished call.
    case record(GroupCallLogEntry)
    /// The call is over; nothing follows.
    case finished(GroupCallEndReason)

    /// Whether it touches a device, the network or anything else that needs consent.
    var needsConsent: Bool {
        switch self {
        case .makeLine, .joinLine, .openMedia, .openPath, .answerPath, .addCandidates, .makeRoom, .enterRoom,
            .renewToken, .useAccess, .lockRoom, .useKey, .useMemberKey:
            true
        case .send, .closeLine, .closeMedia, .closePath, .leaveRoom, .dropKeys, .startTimer, .stopTimer,
            .tellNotInvited, .record, .finished:
            false
        }
    }
}

/// The part of this side in a path.
public enum GroupPathRole: Sendable, Equatable {
    /// It describes first.
    case offers
    /// It answers this.
    case answers(GroupDescription)
}

/// What remains of a group call.
public struct GroupCallLogEntry: Sendable, Hashable {
    /// One of the others.
    public struct Member: Sendable, Hashable {
        /// What it is called, by its inviter.
        public let name: MemberName
        /// The contact, as far as the call knows; nil for somebody who was introduced.
        public let contact: ContactID?
    }

    /// The call.
    public let callID: CallID
    /// Who was in, besides the person here.
    public let members: [Member]
    /// What it carried.
    public let media: CallMedia
    /// How long it was on; nil if it never was.
    public let duration: Duration?
    /// Why it is over here.
    public let reason: GroupCallEndReason
    /// Whether others go on with it, so that the person may come back.
    public let goesOn: Bool
}
