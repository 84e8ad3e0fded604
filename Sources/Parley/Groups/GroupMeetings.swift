import BaseKit
import MediaRules
import Signaling

/// Whom this side has met in a call of several: of whom it has played sound and shown pictures.
struct GroupMeetings: Sendable, Equatable {
    var heard: Set<MemberNumber> = []
    var seen: Set<MemberNumber> = []
}

/// Says when to tell the others whom this side has met: at once when that is everybody, and otherwise when nobody more was met for a while.
/// Each telling is a message of 16 KiB to each member.
struct GroupMeetingsWatch: Sendable {
    private static let patience = Duration.seconds(5)

    private let media: CallMedia
    private var told = GroupMeetings()
    private var last = GroupMeetings()
    private var since = Instant.now

    init(_ media: CallMedia) { self.media = media }

    /// - Parameter receptions: what has come of each member, by number.
    /// - Returns: what to tell; nil where nothing is to be told now.
    mutating func look(_ receptions: [UInt8: MemberReception], now: Instant) -> GroupMeetings? {
        func members(_ isMet: (MemberReception) -> Bool) -> Set<MemberNumber> {
            Set(receptions.filter { isMet($0.value) }.keys.compactMap { MemberNumber(Int($0)) })
        }
        let present = GroupMeetings(heard: members(\.isHeard), seen: members(\.isSeen))
        if present != last { (last, since) = (present, now) }
        let isEverybody = receptions.values.allSatisfy { $0.isHeard && (media == .audio || $0.isSeen) }
        guard present != told, isEverybody || now - since >= Self.patience else { return nil }
        told = present
        return present
    }
}
