import BaseKit

/// How often something may happen: some times at once, and once more after each interval.
struct Allowance: Sendable {
    /// So many at once, and one more after each interval.
    struct Limit: Sendable, Equatable {
        /// How many at once.
        var burst: Int
        /// How long until one more.
        var interval: Duration
    }

    private let limit: Limit
    /// The time that what happened costs and that has not passed yet.
    private var debt = Duration.zero
    private var updatedAt = Instant(sinceStart: .zero)

    /// Nothing has happened yet.
    init(_ limit: Limit) { self.limit = limit }

    /// Whether it may happen once more now; counts it if so.
    mutating func admits(at now: Instant) -> Bool {
        debt = max(.zero, debt - max(.zero, now - updatedAt))
        updatedAt = max(updatedAt, now)
        guard debt + limit.interval <= limit.interval * limit.burst else { return false }
        debt += limit.interval
        return true
    }

    /// The last one costs nothing after all.
    mutating func giveBack() { debt = max(.zero, debt - limit.interval) }

    /// Whether nothing of what happened counts any more.
    func isFull(at now: Instant) -> Bool { now - updatedAt >= debt }
}
