import BaseKit

/// The longest time without something that is to come again and again, and all the times together that are too long.
package struct LongestPause: Sendable, Equatable {
    /// From which time on one is too long.
    private let bound: Duration
    private var last: Instant?
    private var longest = Duration.zero
    private var long = Duration.zero
    /// How much of the present pause has been told.
    private var told = Duration.zero

    package init(bound: Duration = .milliseconds(200)) { self.bound = bound }

    /// Whether it has come at all.
    package var hasCome: Bool { last != nil }

    /// It has come.
    package mutating func came(now: Instant) {
        if let last { end(now - last) }
        last = now
    }

    private mutating func end(_ pause: Duration) {
        longest = max(longest, pause)
        if pause > bound { long += pause - told }
        told = .zero
    }

    /// The longest pause since the last question, with the present one, and how long those lasted since then that were too long.
    package mutating func take(now: Instant) -> (longest: Duration, long: Duration) {
        let present = last.map { now - $0 } ?? .zero
        defer { (longest, long) = (.zero, .zero) }
        guard present > bound else { return (max(longest, present), long) }
        defer { told = present }
        return (max(longest, present), long + present - told)
    }
}
