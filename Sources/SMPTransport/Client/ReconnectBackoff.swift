/// How long to wait before the next attempt to connect (SMP fact sheet §11).
///
/// Delays stay at the first value for a while, then grow up to a maximum; each is varied so that many clients of a relay
/// that restarts don't return together.
public struct ReconnectBackoff: Sendable, Equatable {
    /// First delay, milliseconds.
    public var initial: Int64
    /// Time after which delays grow, milliseconds.
    public var growAfter: Int64
    /// Largest delay, milliseconds.
    public var maximum: Int64
    private var delay: Int64
    private var waited: Int64 = 0

    public init(initial: Int64 = 2_000, growAfter: Int64 = 10_000, maximum: Int64 = 180_000) {
        self.initial = initial
        self.growAfter = growAfter
        self.maximum = maximum
        delay = initial
    }

    /// The next delay in milliseconds.
    ///
    /// - Parameter random: a number from 0 to 1 that varies the delay by up to a quarter either way.
    public mutating func next(random: Double) -> Int64 {
        let chosen = delay
        waited += chosen
        if waited >= growAfter { delay = min(delay + delay / 2, maximum) }
        return Int64(Double(chosen) * (0.75 + 0.5 * min(max(random, 0), 1)))
    }

    /// Starts over: a connection was made.
    public mutating func reset() {
        delay = initial
        waited = 0
    }
}
