import MediaRules

/// What is told of the media of a room on a forwarding server.
public enum GroupRoomEvent: Sendable, Equatable {
    /// Our media reach the server.
    case connected
    /// Nothing is heard of the server on our media's connection any more, or again.
    case lost, recovered
    /// Frames of a member come by the room and its key opens them, or for 4 s none did: a member whose sources are all off is silent too.
    case heard(UInt8)
    case silent(UInt8)
    /// What comes of a member by the room alone shows which of its sources are on.
    case media(UInt8, PeerMedia)
    /// Of whom large pictures are wanted and of whom not, of those who come by the room.
    case large([UInt8: Bool])
    /// A member's feed was left, as no key opened what came of it for 3 s. Another key of the member has it asked for again.
    case unreadable(UInt8)
    /// Our media can't be sent to the room any more; what members send still comes.
    case failed(MediaError)
    /// The room is no more, or we were put out of it.
    case ended
    /// It was left from here, if there was one: what is told behind this is of another room.
    case left
}
