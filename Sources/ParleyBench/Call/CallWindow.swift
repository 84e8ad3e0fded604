import BaseKit
import CGtk
import DesktopApplication
import GLibKit
import Media

/// The window of a measured end: the peer's picture in 1280 by 720 pixels with the own one over its corner, as the browser's page has them,
/// drawn by what draws them in Parley's windows.
@MainActor final class CallWindow {
    private let window: Object
    private let remote = VideoPaintable(mirrored: false)
    private let own = VideoPaintable(mirrored: true)

    /// Opens it. Throws ``BenchError/call(_:)`` where there is no screen.
    init() throws {
        guard gtk_init_check() != 0, let made = Self.object(gtk_window_new()),
            let stack = Self.object(gtk_overlay_new()), let corner = Self.object(adw_clamp_new()),
            let picture = Self.picture(of: remote), let small = Self.picture(of: own)
        else { throw BenchError.call("there is no screen for a window") }
        window = made
        gtk_widget_set_size_request(picture.pointer(), 1_280, 720)
        adw_clamp_set_maximum_size(corner.pointer(), 320)
        adw_clamp_set_child(corner.pointer(), small.pointer())
        gtk_widget_set_halign(corner.pointer(), GTK_ALIGN_END)
        gtk_widget_set_valign(corner.pointer(), GTK_ALIGN_START)
        gtk_overlay_set_child(stack.pointer(), picture.pointer())
        gtk_overlay_add_overlay(stack.pointer(), corner.pointer())
        gtk_window_set_child(window.pointer(), stack.pointer())
        gtk_window_present(window.pointer())
    }

    /// Shows the peer's pictures and the own ones from now on.
    func show(_ remote: WatchedFeed, own: WatchedFeed) {
        self.remote.attach(remote)
        self.own.attach(own)
    }

    private static func picture(of paintable: VideoPaintable) -> Object? {
        object(gtk_picture_new_for_paintable(paintable.object.pointer()))
    }

    private static func object(_ widget: UnsafeMutablePointer<GtkWidget>?) -> Object? {
        widget.map { Object(retaining: UnsafeMutableRawPointer($0)) }
    }
}

/// A feed whose every picture somebody looks at, be it drawn or not.
final class WatchedFeed: VideoSource {
    private let source: FeedSource
    private let watch: @Sendable (VideoFrame?) -> Void

    /// `watch` is called with the newest picture, on the thread that brings it.
    init(_ feed: VideoFeed, watch: @escaping @Sendable (VideoFrame?) -> Void) {
        (source, self.watch) = (FeedSource(feed), watch)
        setHandler(nil)
    }

    func latest() -> (any VideoPicture)? { source.latest() }

    func setHandler(_ handler: (@Sendable () -> Void)?) {
        source.setHandler { [watch, feed = source.feed] in
            watch(feed.latest())
            handler?()
        }
    }

    func setShownSize(_ size: ShownSize) { source.setShownSize(size) }
}
