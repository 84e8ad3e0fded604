import Media
import MediaRules

/// What one member of a measured group call is told to do.
enum GroupOrder: JSONLine {
    /// The person accepts: open the devices.
    case join
    /// These are in, too: take what they send.
    case meet([UInt8])
    case makeOffer(to: UInt8)
    case takeOffer(LocalDescription, from: UInt8)
    case takeAnswer(LocalDescription, from: UInt8)
    case candidates([MediaCandidate], from: UInt8)
    /// Whether that one wants your large pictures by the room.
    case large(Bool, from: UInt8)
    /// Make this room on its server; then be ready.
    case makeRoom(MeasuredRoom)
    /// Send to this room, and take what those whom you have met send there.
    case enter(MeasuredRoom)
    /// Leave the room; ways to single members stay.
    case leaveRoom
    /// Close the ways to these.
    case closePaths([UInt8])
    /// Say what came of each.
    case count
}

/// What a member of a measured group call tells.
enum GroupNews: JSONLine {
    /// It has started, or made the room: it can be told to join.
    case ready
    case offer(LocalDescription, to: UInt8)
    case answer(LocalDescription, to: UInt8)
    case candidates([MediaCandidate], to: UInt8)
    /// Whether the large pictures of that one are wanted by the room.
    case large(Bool, to: UInt8)
    /// A picture of everybody it has met is shown, so many milliseconds after it joined.
    case complete(Double)
    case counted([MemberCounts])
    case failed(String)
}

/// What came of one member since it was met, and the longest time without a picture since the last question.
struct MemberCounts: Codable, Sendable, Equatable {
    var member: UInt8
    /// Pictures that were shown.
    var pictures = 0
    /// Milliseconds.
    var gap = 0
    /// Rows of the last picture.
    var height = 0
    /// Bytes of encoded pictures and sound.
    var bytes = 0
    var sound = 0
    /// Frames that no key opened.
    var refused = 0
    /// Milliseconds without sound, as ``gap`` is without a picture.
    var soundGap = 0
    /// Pieces of sound that its present way brought, and its present feed in a room; 0 where there is none.
    var direct = 0
    var byRoom = 0
}
