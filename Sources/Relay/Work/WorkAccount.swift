/// Processor time that somebody may use: saved up to a bound, regained at a steady rate. Times are seconds of a steady clock.
struct WorkAccount: Sendable, Equatable {
    let capacity: Double
    let rate: Double
    private var left: Double
    private var time: Double

    init(capacity: Double, rate: Double, at now: Double) {
        self.capacity = capacity
        self.rate = rate
        left = capacity
        time = now
    }

    /// Takes work in that was done.
    ///
    /// - Returns: for how many seconds nothing more is to be done for its owner; 0 as a rule.
    mutating func spend(_ seconds: Double, at now: Double) -> Double {
        regain(now)
        left -= max(0, seconds)
        return left < 0 && rate > 0 ? -left / rate : 0
    }

    /// Whether everything is saved up again, so that nothing is lost with the account.
    mutating func isFull(at now: Double) -> Bool {
        regain(now)
        return left >= capacity
    }

    private mutating func regain(_ now: Double) {
        left = min(capacity, left + max(0, now - time) * rate)
        time = max(time, now)
    }
}
