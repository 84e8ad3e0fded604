import BaseKit
import MediaRules

/// The latest picture of one source, for display.
public final class VideoFeed: Sendable {
    private struct State: Sendable {
        var latest: VideoFrame?
        var handler: (@Sendable () -> Void)?
        var isOn = true
        var isHeld = false
        var shownSize: PictureSize?

        var takesPictures: Bool { isOn && !isHeld }
    }

    private let state = Lock(State())
    /// Whether its pictures are drawn. If not, they are announced and counted, but not converted, and have no pixels.
    let isDrawn: Bool

    /// An empty feed.
    public convenience init() { self.init(isDrawn: true) }

    init(isDrawn: Bool) { self.isDrawn = isDrawn }

    /// The latest picture; nil before the first and after the source went off.
    public func latest() -> VideoFrame? { state.withLock { $0.latest } }

    /// Whether it would show a picture and has none.
    var isEmpty: Bool { state.withLock { $0.latest == nil && $0.takesPictures } }

    /// Sets what is called, on some thread, after every new picture and when the picture goes.
    public func setHandler(_ handler: (@Sendable () -> Void)?) { state.withLock { $0.handler = handler } }

    /// Says in how many pixels of the screen the pictures are shown; nil: it is not known.
    public func setShownSize(_ size: PictureSize?) { state.withLock { $0.shownSize = size } }

    /// In how many pixels of the screen the pictures are shown; nil: it is not known.
    var shownSize: PictureSize? { state.withLock { $0.shownSize } }

    /// Takes pictures, or shows none until it is turned on again: a source that counts as off may still repeat its last one.
    func setOn(_ isOn: Bool) {
        let wasOn = state.withLock { state in
            defer { state.isOn = isOn }
            return state.isOn
        }
        if wasOn, !isOn { show(nil) }
    }

    /// Shows nothing while the call is on hold, also of what is on its way.
    func setHeld(_ isHeld: Bool) {
        let wasHeld = state.withLock { state in
            defer { state.isHeld = isHeld }
            return state.isHeld
        }
        if isHeld, !wasHeld { show(nil) }
    }

    /// Shows a picture, or none.
    func show(_ frame: VideoFrame?) {
        // Whatever the old frame frees is freed outside the lock.
        let (old, handler) = state.withLock { state in
            guard frame == nil || state.takesPictures else { return (VideoFrame?.none, (@Sendable () -> Void)?.none) }
            defer { state.latest = frame }
            return (state.latest, state.handler)
        }
        withExtendedLifetime(old) { handler?() }
    }
}
