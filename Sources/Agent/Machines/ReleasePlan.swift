/// When connections that wait for a relay may go on once it is back: a few at once, the others one after another, spread
/// by chance, so that a relay that has just started is not flooded by everybody it knows.
///
/// Pure; jitter is 0 … 1 and comes from the caller.
struct ReleasePlan: Equatable, Sendable {
    /// How many go on at once.
    static let immediate = 16
    /// How many follow in a second.
    static let perSecond = 100

    /// The delay of the connection at `index` of those that wait, in milliseconds.
    static func delay(index: Int, jitter: Double) -> Int64 {
        guard index >= immediate else { return 0 }
        // Each has a time slot of its own and leaves somewhere within it.
        let slot = 1_000 / Double(perSecond)
        return Int64((Double(index - immediate) + min(1, max(0, jitter))) * slot)
    }
}
