/// How long to wait between attempts: grows by half each time up to a ceiling, spread by jitter.
///
/// Agent fact sheet §9.
struct RetrySchedule: Equatable, Sendable {
    /// The first wait, in milliseconds.
    let initial: Int64
    /// No wait is longer than this before jitter, in milliseconds.
    let ceiling: Int64
    /// Waiting ends for good this long after the message was queued, in milliseconds.
    let patience: Int64
    /// Younger messages than this, in milliseconds, are tried again at least every ``youngCeiling``: somebody may be calling, and a
    /// call rings only for so long (Calls fact sheet §4).
    var youth: Int64 = 0
    /// No wait of a young message is longer than this before jitter, in milliseconds.
    var youngCeiling: Int64 = 0

    /// Network, timeout, relay not reachable: 2 s … 4 s for three minutes, then up to 120 s, at most 2 days.
    static let unreachable = RetrySchedule(
        initial: 2_000, ceiling: 120_000, patience: 2 * 86_400_000, youth: 180_000, youngCeiling: 4_000)
    /// The peer's queue is full: 5 min … 6 h, at most 7 days.
    static let full = RetrySchedule(initial: 300_000, ceiling: 6 * 3_600_000, patience: 7 * 86_400_000)

    /// The wait after the given number of failed attempts in a row (1 = the first failure).
    ///
    /// - Parameters:
    ///   - age: milliseconds since the message was queued; what is no message is never young.
    ///   - jitter: 0 … 1 from the caller's random source; spreads the wait over ±20 %.
    func delay(afterFailures failures: Int, age: Int64 = .max, jitter: Double) -> Int64 {
        let ceiling = age < youth ? youngCeiling : ceiling
        var delay = Double(initial)
        var remaining = max(0, failures - 1)
        while remaining > 0, delay < Double(ceiling) {
            delay *= 1.5
            remaining -= 1
        }
        let spread = 0.8 + 0.4 * min(1, max(0, jitter))
        return Int64(min(delay, Double(ceiling)) * spread)
    }
}
