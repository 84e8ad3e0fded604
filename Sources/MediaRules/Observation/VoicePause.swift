import BaseKit

/// The longest time in which nothing of a voice is heard but what a decoder makes up: by where its pieces belong, as what comes late is
/// played in time as long as the jitter buffer waits for it.
package struct VoicePause: Sendable {
    /// The time without any piece that is longer than a jitter buffer waits, and that between two places which are not of one timeline.
    static let silence: Duration = .seconds(1), jump: Duration = .seconds(30)

    private var last: (position: Duration?, at: Instant)?
    private var longest = Duration.zero

    package init() {}

    /// A piece has come that begins at this place of the timeline; nil where that is not known.
    package mutating func came(at position: Duration?, now: Instant) {
        if let last {
            let distance = position.flatMap { new in last.position.map { new - $0 } }
            let isOfOne = distance.map { $0 >= .zero && $0 < Self.jump } ?? false
            longest = max(longest, isOfOne ? distance ?? .zero : now - last.at)
        }
        last = (position, now)
    }

    /// The longest since the last question, with one that has been going on for so long that it is one.
    package mutating func take(now: Instant) -> Duration {
        defer { longest = .zero }
        guard let last, now - last.at > Self.silence else { return longest }
        return max(longest, now - last.at)
    }
}
