/// How long to wait before the next attempt to connect.
///
/// Delays stay at the first value for a while and then grow, as the protocol's authors have it (SMP fact sheet §11), but up to
/// a few seconds only while the relay may be back any moment: somebody wants to call and to be called. Only where it stays
/// away for long do attempts become rare. Each delay is varied, so that many clients of a relay that restarts don't return
/// together.
public struct ReconnectBackoff: Sendable, Equatable {
    /// First delay.
    private let initial: Duration
    /// Time after which delays grow.
    private let growAfter: Duration
    /// Largest delay as long as the relay is not away for long.
    private let maximum: Duration
    /// Time after which delays grow beyond that.
    private let rareAfter: Duration
    /// Largest delay of all.
    private let longest: Duration
    private var delay: Duration
    private var waited = Duration.zero

    /// A schedule.
    public init(
        initial: Duration = .seconds(2), growAfter: Duration = .seconds(10), maximum: Duration = .seconds(4),
        rareAfter: Duration = .seconds(600), longest: Duration = .seconds(60)
    ) {
        self.initial = initial
        self.growAfter = growAfter
        self.maximum = maximum
        self.rareAfter = rareAfter
        self.longest = longest
        delay = initial
    }

    /// The next delay.
    ///
    /// - Parameter random: a number from 0 to 1 that varies the delay by up to a quarter either way.
    public mutating func next(random: Double) -> Duration {
        let chosen = delay * (0.75 + 0.5 * min(max(random, 0), 1))
        waited += chosen
        let ceiling = max(initial, waited >= rareAfter ? max(maximum, longest) : maximum)
        if waited >= growAfter { delay = min(delay + delay / 2, ceiling) }
        return chosen
    }

    /// Starts over: a connection was made, or there is reason to hope for one.
    public mutating func reset() {
        delay = initial
        waited = .zero
    }
}
