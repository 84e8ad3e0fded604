/// How long packets wait in a queue that does not grow any more: the smallest delay of late beside the smallest of a while.
///
/// A full queue that drops what does not fit has no gradient. This is no measure of a way that got longer: see
/// ``GradientController``, which begins anew where sending less did not shorten it.
struct StandingQueue: Sendable, Equatable {
    /// Milliseconds of what counts as a while, and as of late.
    static let window: Int64 = 10_000, recent: Int64 = 500
    /// Milliseconds that are looked at as one moment.
    private static let moment: Int64 = 100

    private struct Moment: Sendable, Equatable {
        var time: Int64
        var shortest: Int64
    }

    private var moments: [Moment] = []

    /// Takes the delay of a packet, in microseconds between two clocks of any difference. `now` in milliseconds.
    mutating func add(delay: Int64, now: Int64) {
        if let last = moments.indices.last, now - moments[last].time < Self.moment {
            moments[last].shortest = min(moments[last].shortest, delay)
            return
        }
        moments.removeAll { now - $0.time > Self.window }
        moments.append(Moment(time: now, shortest: delay))
    }

    /// Milliseconds that all packets of late waited more than the luckiest of a while.
    func excess(within recent: Int64 = Self.recent, now: Int64) -> Int64 {
        let late = moments.filter { now - $0.time <= recent }.map(\.shortest)
        guard let base = moments.map(\.shortest).min(), let current = late.min() else { return 0 }
        return current.subtractingReportingOverflow(base).partialValue / 1_000
    }

    /// Forgets what was before of late: the way has become longer.
    mutating func restart(now: Int64) { moments.removeAll { now - $0.time > Self.recent } }
}
