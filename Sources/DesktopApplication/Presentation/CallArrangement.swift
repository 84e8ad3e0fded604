/// Which of several calls is in front, and what the others do behind it: worked out from how they stand, in the order in which they came.
struct CallArrangement: Equatable {
    /// The place of the call in front; nil when there is none.
    var front: Int?
    /// The places of those that ring behind it and are to be told.
    var waiting: [Int] = []
    /// The places of those on hold behind it.
    var held: [Int] = []

    /// Works it out; `former` is the place of the call that was in front.
    init(_ calls: [CallSnapshot], former: Int?) {
        let ranks = calls.map(Rank.init)
        guard let best = ranks.min() else { return }
        let candidates = calls.indices.filter { ranks[$0] == best }
        // Of several that ring, the first has waited longest; of others, the last was put away latest.
        let usual = best.isRinging ? candidates.first : candidates.last
        front = former.flatMap { candidates.contains($0) ? $0 : nil } ?? usual
        waiting = calls.indices.filter { $0 != front && (ranks[$0] == .ringing || ranks[$0] == .asking) }
        held = calls.indices.filter { $0 != front && ranks[$0] == .held }
    }

    /// How much a call is to be in front.
    private enum Rank: Int, Comparable {
        /// The person takes part in it.
        case active
        case ringing, held
        /// It is a question within another call.
        case asking
        case ignored, ended

        init(_ call: CallSnapshot) {
            switch call.stage {
            case _ where call.isQuestion: self = .asking
            case .ringingIn: self = call.isIgnored ? .ignored : .ringing
            case .ringingOut, .connecting, .active, .reconnecting: self = call.isHeld ? .held : .active
            case .ended: self = .ended
            }
        }

        var isRinging: Bool { self == .ringing || self == .ignored }

        static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
    }
}
