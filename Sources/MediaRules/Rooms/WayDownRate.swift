import BaseKit

/// How much comes of a feed, of late.
package struct WayDownRate: Sendable, Equatable {
    /// The time over which it is counted: shorter than that in which a queue shows (``WayDown``), so that where one does, all of it has come
    /// by the full way.
    static let window: Duration = .milliseconds(200)
    /// Counts that are so far apart say nothing of late.
    static let longest: Duration = .seconds(1)

    private struct Count: Sendable, Equatable {
        var bytes: Int
        var at: Instant
    }

    private var counts: [Count] = []

    package init() {}

    /// Takes how many bytes have come so far; gives bits a second, nil while they are not known.
    package mutating func update(bytes: Int, now: Instant) -> Int? {
        if let last = counts.last, now - last.at > Self.longest { counts = [] }
        counts.append(Count(bytes: bytes, at: now))
        while counts.count > 2, now - counts[1].at >= Self.window { counts.removeFirst() }
        guard let first = counts.first, now - first.at >= Self.window else { return nil }
        return Int(Double(8 * (bytes - first.bytes)) / (now - first.at).inSeconds)
    }
}
