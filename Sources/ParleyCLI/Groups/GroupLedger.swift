import Calling
import MediaRules
import Parley
import Signaling

/// What was seen and heard of each member of a group call, over all the ways there were to it, and whom each says it has met.
struct GroupLedger: Sendable {
    /// Where a member stands, and whom it says it has met.
    struct Presence: Sendable {
        var number: MemberNumber
        var name: String
        var stage: GroupCallUpdate.MemberStage
        var heard: Set<MemberNumber> = []
        var seen: Set<MemberNumber> = []
    }

    struct Entry: Sendable, Equatable {
        var name: String
        /// Whether it was in at any time.
        var wasIn = false
        /// Pictures that were decoded.
        var pictures = 0
        /// Pieces of sound that were decoded.
        var sounds = 0
        /// Pieces of a shared screen's sound that were decoded.
        var screenSounds = 0
        /// Frames that no key opened.
        var refused = 0
        /// Who else was in at the same time, with the own side.
        fileprivate(set) var company: Set<MemberNumber> = []
        /// Whom it says it has heard and seen.
        fileprivate(set) var heard: Set<MemberNumber> = []
        fileprivate(set) var seen: Set<MemberNumber> = []
        /// The same of the present way.
        fileprivate var present = MediaStatistics.Direction()

        init(name: String) { self.name = name }
    }

    private(set) var entries: [MemberNumber: Entry] = [:]

    mutating func note(_ members: [Presence], own: MemberNumber) {
        // Who is connected was there for long enough to be met.
        let present = members.filter { [.connected, .reconnecting].contains($0.stage) }
        let company = Set(present.map(\.number) + [own])
        for member in members {
            entries[member.number, default: Entry(name: member.name)].name = member.name
            entries[member.number]?.heard.formUnion(member.heard)
            entries[member.number]?.seen.formUnion(member.seen)
            switch member.stage {
            case .connecting, .connected, .reconnecting: entries[member.number]?.wasIn = true
            case .inviting, .unreachable, .ringing, .left, .removed, .declined, .busy, .noAnswer, .notReached: break
            }
        }
        for member in present { entries[member.number]?.company.formUnion(company.subtracting([member.number])) }
    }

    /// What the present way to a member has counted. Another way begins with nothing.
    mutating func count(_ received: MediaStatistics.Direction, of member: MemberNumber) {
        guard var entry = entries[member] else { return }
        func grown(_ count: KeyPath<MediaStatistics.Direction, Int>) -> Int {
            let (now, before) = (received[keyPath: count], entry.present[keyPath: count])
            return now >= before ? now - before : now
        }
        entry.pictures += grown(\.videoFrames)
        entry.sounds += grown(\.audioFrames)
        entry.screenSounds += grown(\.screenSoundFrames)
        entry.refused += grown(\.framesRejected)
        entry.present = received
        entries[member] = entry
    }

    /// Whether somebody was in, and everybody who was was heard by everybody who was in at the same time, and seen where there are pictures.
    func isComplete(_ media: CallMedia) -> Bool {
        let all = entries.values.filter(\.wasIn)
        return !all.isEmpty
            && all.allSatisfy { entry in
                entry.sounds > 0 && (media == .audio || entry.pictures > 0) && unmet(by: entry, media).isEmpty
            }
    }

    /// Who was in at the same time as a member and was not heard by it, or not seen where there are pictures, as far as it says.
    func unmet(by entry: Entry, _ media: CallMedia) -> Set<MemberNumber> {
        entry.company.subtracting(media == .audio ? entry.heard : entry.heard.intersection(entry.seen))
    }
}
