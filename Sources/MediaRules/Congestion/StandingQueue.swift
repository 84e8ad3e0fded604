import BaseKit

/// How long packets wait in a queue that does not grow any more: the smallest delay of late beside the smallest of a while.
///
/// A full queue that drops what does not fit has no gradient. This is no measure of a way that got longer: see
/// ``GradientController``, which begins anew where sending less did not shorten it.
struct StandingQueue: Sendable, Equatable {
    /// What counts as a while, and as of late.
    static let window: Duration = .seconds(10), recent: Duration = .milliseconds(500)
    /// What is looked at as one moment.
    private static let moment: Duration = .milliseconds(100)

    private struct Moment: Sendable, Equatable {
        var time: Instant
        var shortest: Duration
    }

    private var moments: [Moment] = []

    /// Takes the delay of a packet, between two clocks of any difference.
    mutating func add(delay: Duration, now: Instant) {
        if let last = moments.indices.last, now - moments[last].time < Self.moment {
            moments[last].shortest = min(moments[last].shortest, delay)
            return
        }
        moments.removeAll { now - $0.time > Self.window }
        moments.append(Moment(time: now, shortest: delay))
    }

    /// What the luckiest packet of a while took, between the two clocks; nil before the first.
    var shortest: Duration? { moments.map(\.shortest).min() }

    /// How much longer all packets of late waited than the luckiest of a while, in whole milliseconds.
    func excess(within recent: Duration = Self.recent, now: Instant) -> Duration {
        let late = moments.filter { now - $0.time <= recent }.map(\.shortest)
        guard let base = moments.map(\.shortest).min(), let current = late.min() else { return .zero }
        return .milliseconds((current - base).wholeMilliseconds)
    }

    /// Forgets what was before of late: the way has become longer.
    mutating func restart(now: Instant) { moments.removeAll { now - $0.time > Self.recent } }
}
