import Calling
import MediaRules
import Parley
import Signaling

/// What was seen and heard of each member of a group call, over all the ways there were to it.
struct GroupLedger: Sendable {
    struct Entry: Sendable, Equatable {
        var name: String
        /// Whether it was in at any time.
        var wasIn = false
        /// Pictures that were decoded.
        var pictures = 0
        /// Pieces of sound that were decoded.
        var sounds = 0
        /// Frames that no key opened.
        var refused = 0
        /// The same of the present way.
        fileprivate var present = MediaStatistics.Direction()

        init(name: String) { self.name = name }
    }

    private(set) var entries: [MemberNumber: Entry] = [:]

    mutating func note(_ members: [GroupCallState.Member]) {
        for member in members {
            entries[member.number, default: Entry(name: member.name)].name = member.name
            switch member.stage {
            case .connecting, .connected, .reconnecting: entries[member.number]?.wasIn = true
            case .inviting, .left, .removed, .declined, .busy, .noAnswer: break
            }
        }
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
        entry.refused += grown(\.framesRejected)
        entry.present = received
        entries[member] = entry
    }

    /// Whether somebody was in, and everybody who was was heard, and seen where there are pictures.
    func isComplete(_ media: CallMedia) -> Bool {
        let all = entries.values.filter(\.wasIn)
        return !all.isEmpty && all.allSatisfy { $0.sounds > 0 && (media == .audio || $0.pictures > 0) }
    }
}
