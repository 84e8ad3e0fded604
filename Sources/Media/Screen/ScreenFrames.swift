import Synchronization

/// When the last picture of a screen is to be shown once more.
///
/// Desktops tell of a screen only when something on it changes. A peer that hears nothing for three seconds takes it for off
/// (Calls fact sheet §6), and one that asks for a key frame must not wait for the next movement.
struct StillScreen: Sendable, Equatable {
    /// Milliseconds after which a picture is shown again.
    static let interval: Int64 = 500

    /// Milliseconds after which a source that repeats its picture itself has gone.
    static let patience: Int64 = 5_000

    private var shownAt: Int64?
    private var cameAt: Int64?

    /// A picture came from the source at `now` (milliseconds of a monotonic clock) and was shown.
    mutating func came(now: Int64) {
        cameAt = now
        shownAt = now
    }

    /// The last picture was shown again.
    mutating func shown(now: Int64) { shownAt = now }

    /// Whether nothing comes from the source any more.
    func hasGone(now: Int64) -> Bool { cameAt.map { now - $0 >= Self.patience } ?? false }

    /// Whether the last picture is to be shown again.
    func isDue(now: Int64) -> Bool { shownAt.map { now - $0 >= Self.interval } ?? false }
}

/// Passes the pictures of a screen on, and the last one again while nothing moves.
final class ScreenFrames: Sendable {
    private let inlet: FrameInlet
    private let state = Mutex<(still: StillScreen, last: Sample?)>((StillScreen(), nil))

    init(_ inlet: FrameInlet) { self.inlet = inlet }

    /// Passes a picture on. On any thread.
    func show(_ sample: Sample) {
        state.withLock { state in
            state.still.came(now: PeerSession.now)
            state.last = sample
        }
        inlet.pushNow(sample)
    }

    /// Shows the last picture again if it is time.
    func repeatIfDue() {
        let now = PeerSession.now
        let sample = state.withLock { state -> Sample? in
            guard state.still.isDue(now: now) else { return nil }
            state.still.shown(now: now)
            return state.last
        }
        if let sample { inlet.pushNow(sample) }
    }

    /// Whether a source that repeats its picture itself has gone.
    var hasGone: Bool { state.withLock { $0.still.hasGone(now: PeerSession.now) } }

    /// Forgets the last picture.
    func clear() { state.withLock { $0 = (StillScreen(), nil) } }
}
