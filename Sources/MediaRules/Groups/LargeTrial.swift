import BaseKit

/// Whether a way to a room is tried with large pictures though what goes by it doesn't show that it carries them.
///
/// With small pictures alone a moment's congestion leaves it a rate that is too little for large ones, and grows only by what is sent. So
/// once they are wanted, it is tried with as much as a new way, a single time for each wish, and later and later where it was too much.
struct LargeTrial: Sendable, Equatable {
    /// How long nothing has been congested.
    static let calm: Duration = .seconds(10)
    /// How long it is not tried where large pictures were too much, at first and at most.
    static let first: Duration = .seconds(16), most: Duration = .seconds(256)

    private var isOwed = false
    private var failedAt: Instant?
    private var patience = LargeTrial.first

    /// Large pictures are wanted, or no more.
    mutating func set(wanted: Bool) { isOwed = wanted }

    /// Whether it is to be tried now.
    func isDue(_ congestion: Congestion?, now: Instant) -> Bool {
        isOwed && now.isAfter(congestion?.at, by: Self.calm) && now.isAfter(failedAt, by: patience)
    }

    /// Large pictures go.
    mutating func begin() { isOwed = false }

    /// They were too much.
    mutating func fail(now: Instant) {
        if failedAt != nil { patience = min(patience * 2, Self.most) }
        failedAt = now
    }

    /// They have gone well for a while.
    mutating func succeed() { (failedAt, patience) = (nil, Self.first) }
}
