/// Spreads packets over time: a budget of bytes that fills at the pacing rate.
package struct Pacer: Sendable, Equatable {
    /// Milliseconds of budget that may be saved up, so that a few packets of sound or of a small frame go at once.
    static let burst: Int64 = 5

    /// Bits a second.
    package var rate: Int
    private var freeAt: Int64 = 0

    package init(rate: Int) { self.rate = max(rate, 1) }

    /// Takes the budget for a packet of `size` bytes. Gives the microseconds to wait before it may leave; `now` in
    /// microseconds.
    package mutating func delay(size: Int, now: Int64) -> Int64 {
        let start = max(freeAt, now - Self.burst * 1_000)
        freeAt = start + Int64(size) * 8_000_000 / Int64(max(rate, 1))
        return max(0, start - now)
    }
}
