/// How long to wait before the next attempt to connect.
///
/// Delays stay at the first value for a while and then grow, as the protocol's authors have it (SMP fact sheet §11), but up to
/// a few seconds only while the relay may be back any moment: somebody wants to call and to be called. Only where it stays
/// away for long do attempts become rare. Each delay is varied, so that many clients of a relay that restarts don't return
/// together.
public struct ReconnectBackoff: Sendable, Equatable {
    /// First delay, milliseconds.
    public var initial: Int64
    /// Time after which delays grow, milliseconds.
    public var growAfter: Int64
    /// Largest delay, milliseconds, as long as the relay is not away for ``rareAfter``.
    public var maximum: Int64
    /// Time after which delays grow beyond ``maximum``, milliseconds.
    public var rareAfter: Int64
    /// Largest delay of all, milliseconds.
    public var longest: Int64
    private var delay: Int64
    private var waited: Int64 = 0

    /// A schedule; all times are milliseconds.
    public init(
        initial: Int64 = 2_000, growAfter: Int64 = 10_000, maximum: Int64 = 4_000, rareAfter: Int64 = 600_000,
        longest: Int64 = 60_000
    ) {
        self.initial = initial
        self.growAfter = growAfter
        self.maximum = maximum
        self.rareAfter = rareAfter
        self.longest = longest
        delay = initial
    }

    /// The next delay in milliseconds.
    ///
    /// - Parameter random: a number from 0 to 1 that varies the delay by up to a quarter either way.
    public mutating func next(random: Double) -> Int64 {
        let chosen = Int64(Double(delay) * (0.75 + 0.5 * min(max(random, 0), 1)))
        waited += chosen
        let ceiling = max(initial, waited >= rareAfter ? max(maximum, longest) : maximum)
        if waited >= growAfter { delay = min(delay + delay / 2, ceiling) }
        return chosen
    }

    /// Starts over: a connection was made, or there is reason to hope for one.
    public mutating func reset() {
        delay = initial
        waited = 0
    }
}
