import BaseKit
import MediaRules

/// Passes the pictures of a screen on, and the last one again while nothing moves.
final class ScreenFrames: Sendable {
    private let inlet: FrameInlet
    private let state = Lock<(still: StillScreen, last: Sample?)>((StillScreen(), nil))

    init(_ inlet: FrameInlet) { self.inlet = inlet }

    /// Passes a picture on. On any thread.
    func show(_ sample: Sample) {
        state.withLock { state in
            state.still.came(now: .now)
            state.last = sample
        }
        inlet.pushNow(sample)
    }

    /// Shows the last picture again if it is time.
    func repeatIfDue() {
        let now = Instant.now
        let sample = state.withLock { state -> Sample? in
            guard state.still.isDue(now: now) else { return nil }
            state.still.shown(now: now)
            return state.last
        }
        if let sample { inlet.pushNow(sample) }
    }

    /// Whether a source that repeats its picture itself has gone.
    var hasGone: Bool { state.withLock { $0.still.hasGone(now: .now) } }

    /// Forgets the last picture.
    func clear() { state.withLock { $0 = (StillScreen(), nil) } }
}
