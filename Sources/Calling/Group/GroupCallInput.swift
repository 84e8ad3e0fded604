import Signaling

/// Everything that can happen to a group call, by where it comes from.
public enum GroupCallInput: Sendable {
    /// The local person.
    case person(GroupPersonInput)
    /// Another member.
    case peer(GroupMessage, from: GroupPeer)
    /// A line that is made for the call.
    case line(MemberNumber, GroupLineInput)
    /// The reader's relay has the message of this number.
    case taken(Int)
    /// The message of this number will not be sent.
    case lost(Int)
    /// The reader's device has the message of this number.
    case receipt(Int)
    /// The path of this number to a member.
    case path(MemberNumber, Int, GroupPathInput)
    /// The room of this number.
    case room(Int, GroupRoomInput)
    /// A clock ran out.
    case clock(GroupTimer)
}

/// What the local person does to a group call.
public enum GroupPersonInput: Sendable, Hashable {
    /// Accepts the call that rings.
    case accept(CallMedia)
    /// Declines the call that rings.
    case decline
    /// Leaves, or takes back the call.
    case hangUp
    /// Puts a member out, as the host.
    case remove(MemberNumber)
    /// Changes what is on, or raises a hand.
    case show(GroupState)
}

/// What becomes of a line.
public enum GroupLineInput: Sendable, Hashable {
    /// The link that was wanted.
    case made(GroupLink)
    /// Both sides are connected.
    case up
    /// It can't be made, or will not carry anything any more.
    case failed
    /// Who speaks by it has proved to be this contact.
    case recognised(ContactID)
    /// Its encryption was made anew: what was proved by the one before holds no longer.
    case renewed
}

/// What becomes of a path.
public enum GroupPathInput: Sendable, Hashable {
    /// The own offer or answer is made.
    case described(SessionDescription, [ICECandidate])
    /// There are more own candidates.
    case candidates([ICECandidate])
    /// Something of the member comes.
    case heard
    /// Nothing of the member has come for four seconds.
    case silent
    /// It will not come about.
    case failed
    /// The member's DTLS certificate is not the one it described.
    case wrongCertificate
    /// Frames come that no key opens.
    case unreadable
}

/// What becomes of a room on a call server.
public enum GroupRoomInput: Sendable, Equatable {
    /// The room that was wanted.
    case made(GroupRoom)
    /// Another token for the room's server, in the place of one that runs out.
    case renewed(SecretText)
    /// Another PIN and another secret, which somebody who was put out does not have.
    case locked(pin: SecretText, secret: SecretText)
    /// It could not be given these.
    case notLocked
    /// It can't be made or entered, or is no more.
    case failed
    /// The server takes own media, for the first time or again.
    case inside
    /// The server is not heard.
    case lost
    /// Something of a member comes by it.
    case heard(MemberNumber)
    /// Nothing of the member comes by it any more.
    case silent(MemberNumber)
    /// Frames of the member come that no key opens.
    case unreadable(MemberNumber)
    /// Of whom large pictures are wanted and of whom not.
    case large([MemberNumber: Bool])
}
