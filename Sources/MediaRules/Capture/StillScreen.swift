import BaseKit

/// When the last picture of a screen is to be shown once more.
///
/// Desktops tell of a screen only when something on it changes. A peer that hears nothing for three seconds takes it for off
/// (Calls fact sheet §6), and one that asks for a key frame must not wait for the next movement.
package struct StillScreen: Sendable, Equatable {
    /// The time after which a picture is shown again.
    package static let interval: Duration = .milliseconds(500)

    /// The time after which a source that repeats its picture itself has gone.
    static let patience: Duration = .seconds(5)

    private var shownAt: Instant?
    private var cameAt: Instant?

    package init() {}

    /// A picture came from the source at `now` and was shown.
    package mutating func came(now: Instant) {
        cameAt = now
        shownAt = now
    }

    /// The last picture was shown again.
    package mutating func shown(now: Instant) { shownAt = now }

    /// Whether nothing comes from the source any more.
    package func hasGone(now: Instant) -> Bool { cameAt.map { now - $0 >= Self.patience } ?? false }

    /// Whether the last picture is to be shown again.
    package func isDue(now: Instant) -> Bool { shownAt.map { now - $0 >= Self.interval } ?? false }
}
