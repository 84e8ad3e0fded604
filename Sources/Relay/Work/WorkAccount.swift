import BaseKit

/// Processor time that somebody may use: saved up to a bound, regained at a steady rate.
struct WorkAccount: Sendable, Equatable {
    let capacity: Duration
    /// Regained in a second, in seconds.
    let rate: Double
    private var left: Duration
    private var time: Instant

    init(capacity: Duration, rate: Double, at now: Instant) {
        self.capacity = capacity
        self.rate = rate
        left = capacity
        time = now
    }

    /// Takes work in that was done.
    ///
    /// - Returns: for how long nothing more is to be done for its owner; zero as a rule.
    mutating func spend(_ cost: Duration, at now: Instant) -> Duration {
        regain(now)
        left -= max(.zero, cost)
        return left < .zero && rate > 0 ? .zero - left / rate : .zero
    }

    /// Whether everything is saved up again, so that nothing is lost with the account.
    mutating func isFull(at now: Instant) -> Bool {
        regain(now)
        return left >= capacity
    }

    /// When everything is saved up again if nothing is spent until then.
    func fullAgain(at now: Instant) -> Instant {
        max(now, rate > 0 ? time + (capacity - left) / rate : time)
    }

    private mutating func regain(_ now: Instant) {
        left = min(capacity, left + max(.zero, now - time) * rate)
        time = max(time, now)
    }
}
