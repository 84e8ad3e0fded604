import BaseKit
import CGtk
import GLibKit
import Synchronization

/// A paintable that always shows the newest picture of a video source. Pictures that come faster than GTK draws are skipped.
@MainActor package final class VideoPaintable {
    /// The paintable for `GtkPicture`.
    package let object: Object
    /// Called when the first picture of a source has come, and when the source goes.
    var onPictureChange: (() -> Void)?
    /// Whether there is something to show.
    private(set) var hasPicture = false
    /// Whether it is seen in some window. A source that is not is told so, and once it is again in which size that was before.
    var isSeen = true { didSet { if isSeen != oldValue { tellSight() } } }
    private let peer: PaintablePeer
    private var source: (any VideoSource)?
    /// When the source was last told how large it is shown.
    private var toldAt = Instant.now
    /// The size it was told last.
    private var told = ShownSize.unknown
    private static let pause = Duration.seconds(1)

    /// A paintable without a source; `mirrored` turns pictures left to right, as people expect of their own.
    package init(mirrored: Bool) {
        object = PaintablePeer.gclass.make()
        peer = PaintablePeer.gclass.peer(of: object)
        peer.isMirrored = mirrored
    }

    /// The size of the newest picture in pixels, 0 × 0 without one.
    var size: (width: Int, height: Int) { (Int(peer.width), Int(peer.height)) }

    /// Draws the picture so much larger than its place, from a place of its own on, in parts of it.
    func setZoom(_ scale: Double, x: Double, y: Double) {
        peer.zoom = (scale, x, y)
        gdk_paintable_invalidate_contents(object.pointer())
    }

    /// Shows another source from now on; nil shows nothing.
    package func attach(_ new: (any VideoSource)?) {
        guard new !== source else { return }
        source?.setHandler(nil)
        source = new
        told = .unknown
        if new == nil { clear() }
        guard let new else { return }
        if !isSeen { tellSight() }
        let scheduled = Flag()
        // On the streaming thread: at most one update waits for the main thread at any time.
        new.setHandler { [weak self] in
            guard scheduled.raise() else { return }
            Task { @MainActor in
                scheduled.lower()
                self?.update()
            }
        }
        update()
    }

    /// Tells the source how large its pictures were shown of late, in the screen's own pixels. Where nothing was drawn, as in a window
    /// that is hidden, it stays as it was.
    private func tellSize() {
        guard let source, isSeen, .now - toldAt >= Self.pause, peer.drawn.width > 0 else { return }
        let scale = Double(Self.scale)
        told = .pixels(width: Int(peer.drawn.width * scale), height: Int(peer.drawn.height * scale))
        source.setShownSize(told)
        peer.drawn = (0, 0)
        toldAt = .now
    }

    /// Tells the source at once that it is hidden, or shown again: without a picture nothing would be drawn that has a size.
    private func tellSight() {
        source?.setShownSize(isSeen ? told : .hidden)
        peer.drawn = (0, 0)
        toldAt = .now
    }

    /// How many pixels the screens have for one of the application's, at most.
    private static var scale: Int32 {
        guard let display = gdk_display_get_default(), let monitors = gdk_display_get_monitors(display) else {
            return 1
        }
        return (0..<g_list_model_get_n_items(monitors)).reduce(1) { most, index in
            guard let monitor = g_list_model_get_item(monitors, index) else { return most }
            defer { g_object_unref(monitor) }
            return max(most, gdk_monitor_get_scale_factor(OpaquePointer(monitor)))
        }
    }

    /// Forgets the picture, as when the other person turns the camera off.
    func clear() {
        guard hasPicture else { return }
        hasPicture = false
        peer.show(nil)
        onPictureChange?()
    }

    private func update() {
        guard let picture = source?.latest() else { return clear() }
        guard let texture = FrameTexture.make(picture) else { return }
        tellSize()
        let shape = (peer.width, peer.height)
        peer.show(texture)
        if !hasPicture || shape != (peer.width, peer.height) {
            hasPicture = true
            onPictureChange?()
        }
    }
}

/// A flag that several threads raise and one lowers.
private final class Flag: Sendable {
    private let raised = Atomic(false)

    /// Raises the flag; true when it was down.
    func raise() -> Bool { !raised.exchange(true, ordering: .acquiringAndReleasing) }

    func lower() { raised.store(false, ordering: .releasing) }
}
