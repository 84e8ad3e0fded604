import BaseKit

/// When a forwarding server is asked once more for a member's large pictures, to which it has agreed and which don't come: it asks their
/// sender for a key frame a single time (Janus 1.1.2), which can be lost. Their sender may also have none, so that the pauses grow.
package struct LargePictureWish: Sendable {
    /// How long they are waited for, at first and at most.
    static let patience: Duration = .seconds(3), mostPatience: Duration = .seconds(60)

    private var next: (at: Instant, pause: Duration)?

    package init() {}

    /// Whether to ask again now.
    /// - Parameters:
    ///   - isGranted: whether the server has agreed to large ones.
    ///   - shown: the stream whose pictures are shown; nil: none yet.
    package mutating func isDue(isGranted: Bool, shown: GroupStream?, now: Instant) -> Bool {
        guard isGranted, shown == .low || shown == .lowest else {
            next = nil
            return false
        }
        guard let (at, pause) = next else {
            next = (now + Self.patience, Self.patience)
            return false
        }
        guard now >= at else { return false }
        let longer = min(pause * 2, Self.mostPatience)
        next = (now + longer, longer)
        return true
    }
}
