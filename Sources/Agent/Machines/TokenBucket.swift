/// Lets something happen often for a moment and seldom in the long run. It tells how long to wait instead of refusing.
///
/// Pure. Times are milliseconds of a clock that may be set: a step back neither adds nor takes tokens.
struct TokenBucket: Equatable, Sendable {
    /// How many may come at once.
    let capacity: Int64
    /// Milliseconds for one more.
    let interval: Int64
    /// What was taken and has not been made good, in milliseconds.
    private var debt: Int64 = 0
    private var updatedAt: Int64?

    init(capacity: Int64, interval: Int64) {
        self.capacity = capacity
        self.interval = interval
    }

    /// Spends one; gives the milliseconds to wait before the next thing of the kind may happen.
    mutating func spend(at now: Int64) -> Int64 {
        if let updatedAt { debt = max(0, debt - max(0, now - updatedAt)) }
        updatedAt = now
        debt += interval
        return max(0, debt - capacity * interval)
    }
}
