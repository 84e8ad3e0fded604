import Synchronization

@testable import DesktopApplication

/// A video source that a test feeds picture by picture.
final class StillVideo: VideoSource {
    private let state: Mutex<(picture: (any VideoPicture)?, handler: (@Sendable () -> Void)?)>
    private let shown = Mutex(ShownSize.unknown)

    init(_ picture: (any VideoPicture)? = nil) { state = Mutex((picture, nil)) }

    /// In how many pixels it was shown last, as it was told.
    var shownSize: ShownSize { shown.withLock { $0 } }

    func setShownSize(_ size: ShownSize) { shown.withLock { $0 = size } }

    func latest() -> (any VideoPicture)? { state.withLock { $0.picture } }

    func setHandler(_ handler: (@Sendable () -> Void)?) { state.withLock { $0.handler = handler } }

    /// Whether anybody is told of new pictures.
    var isWatched: Bool { state.withLock { $0.handler != nil } }

    /// Gives a picture and tells of it, as a streaming thread does.
    func push(_ picture: any VideoPicture) {
        let handler = state.withLock { state in
            state.picture = picture
            return state.handler
        }
        handler?()
    }
}
