import BaseKit

/// Decides which VP8 frames may go to the decoder and when to ask for a key frame.
///
/// After a frame was dropped, delta frames would be decoded against the wrong picture: they wait for a key frame.
package struct KeyFrameRequests: Sendable, Equatable {
    /// The shortest time between two requests.
    static let interval: Duration = .milliseconds(300)

    package private(set) var needsKeyFrame = true
    private var requestedAt: Instant?

    package init() {}

    /// A frame was dropped at `now`. Returns whether to ask for a key frame.
    package mutating func dropped(now: Instant) -> Bool {
        needsKeyFrame = true
        return mayRequest(now: now)
    }

    /// A frame was passed over on purpose: nobody wants pictures now.
    package mutating func passedOver() { needsKeyFrame = true }

    /// What to do with a good frame.
    package enum Verdict: Sendable, Equatable {
        case decode
        case skip(request: Bool)
    }

    /// A frame was accepted at `now`.
    package mutating func accepted(isKeyFrame: Bool, now: Instant) -> Verdict {
        if isKeyFrame { needsKeyFrame = false }
        return needsKeyFrame ? .skip(request: mayRequest(now: now)) : .decode
    }

    private mutating func mayRequest(now: Instant) -> Bool {
        if let requestedAt, now - requestedAt < Self.interval { return false }
        requestedAt = now
        return true
    }
}
