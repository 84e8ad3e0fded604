import BaseKit

/// Work that a peer may cause: so much a second, and so much at once after a pause.
package struct TokenBucket: Sendable, Equatable {
    /// What is given back in a second.
    package let rate: Int
    /// The most that is kept.
    package let burst: Int
    private var level: Int
    private var filledAt: Instant?

    /// A full bucket.
    package init(rate: Int, burst: Int) {
        self.rate = rate
        self.burst = burst
        level = burst
    }

    /// Whether `cost` is left at `now`; takes it if so.
    package mutating func admits(_ cost: Int = 1, now: Instant) -> Bool {
        refill(now: now)
        guard cost >= 0, cost <= level else { return false }
        level -= cost
        return true
    }

    private mutating func refill(now: Instant) {
        // In whole milliseconds: what is left of one counts the next time.
        let now = Instant(sinceStart: .milliseconds(now.sinceStart.wholeMilliseconds))
        guard let filledAt else {
            self.filledAt = now
            return
        }
        // Longer than any refill takes; bounds the product below.
        let elapsed = Int(min(max(now - filledAt, .zero), .seconds(60)).wholeMilliseconds)
        let gained = rate * elapsed / 1_000
        guard gained > 0 else { return }
        level = min(burst, level + gained)
        self.filledAt = now
    }
}
