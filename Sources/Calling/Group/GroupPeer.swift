import Signaling

/// Where a message of a group call goes, or comes from.
public enum GroupPeer: Hashable, Sendable {
    /// A contact, by its own connection.
    case contact(ContactID)
    /// A member, by the line that was made for the call.
    case line(MemberNumber)
}
