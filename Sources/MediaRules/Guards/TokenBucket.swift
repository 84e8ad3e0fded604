/// Work that a peer may cause: so much a second, and so much at once after a pause.
package struct TokenBucket: Sendable, Equatable {
    /// What is given back in a second.
    package let rate: Int
    /// The most that is kept.
    package let burst: Int
    private var level: Int
    private var filledAt: Int64?

    /// A full bucket.
    package init(rate: Int, burst: Int) {
        self.rate = rate
        self.burst = burst
        level = burst
    }

    /// Takes `cost` at `now` (milliseconds of a monotonic clock); false when there is too little left, and nothing is taken.
    package mutating func take(_ cost: Int = 1, now: Int64) -> Bool {
        refill(now: now)
        guard cost >= 0, cost <= level else { return false }
        level -= cost
        return true
    }

    private mutating func refill(now: Int64) {
        guard let filledAt else {
            self.filledAt = now
            return
        }
        // Longer than any refill takes; bounds the product below.
        let elapsed = Int(min(max(now - filledAt, 0), 60_000))
        let gained = rate * elapsed / 1_000
        guard gained > 0 else { return }
        level = min(burst, level + gained)
        self.filledAt = now
    }
}
