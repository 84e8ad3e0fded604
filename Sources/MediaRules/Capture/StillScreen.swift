/// When the last picture of a screen is to be shown once more.
///
/// Desktops tell of a screen only when something on it changes. A peer that hears nothing for three seconds takes it for off
/// (Calls fact sheet §6), and one that asks for a key frame must not wait for the next movement.
package struct StillScreen: Sendable, Equatable {
    /// Milliseconds after which a picture is shown again.
    package static let interval: Int64 = 500

    /// Milliseconds after which a source that repeats its picture itself has gone.
    static let patience: Int64 = 5_000

    private var shownAt: Int64?
    private var cameAt: Int64?

    package init() {}

    /// A picture came from the source at `now` (milliseconds of a monotonic clock) and was shown.
    package mutating func came(now: Int64) {
        cameAt = now
        shownAt = now
    }

    /// The last picture was shown again.
    package mutating func shown(now: Int64) { shownAt = now }

    /// Whether nothing comes from the source any more.
    package func hasGone(now: Int64) -> Bool { cameAt.map { now - $0 >= Self.patience } ?? false }

    /// Whether the last picture is to be shown again.
    package func isDue(now: Int64) -> Bool { shownAt.map { now - $0 >= Self.interval } ?? false }
}
