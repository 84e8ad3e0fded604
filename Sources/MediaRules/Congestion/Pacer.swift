import BaseKit

/// Spreads packets over time: a budget of bytes that fills at the pacing rate.
package struct Pacer: Sendable, Equatable {
    /// As much as comes together in this time may be saved up, so that a few packets of sound or of a small frame go at once.
    static let burst: Duration = .milliseconds(5)

    /// Bits a second.
    package var rate: Int
    private var freeAt = Instant(sinceStart: .zero)

    package init(rate: Int) { self.rate = max(rate, 1) }

    /// Takes the budget for a packet of `size` bytes. Gives the time to wait before it may leave.
    package mutating func delay(size: Int, now: Instant) -> Duration {
        let start = max(freeAt, now - Self.burst)
        freeAt = start + .microseconds(Int64(size) * 8_000_000 / Int64(max(rate, 1)))
        return max(.zero, start - now)
    }
}
