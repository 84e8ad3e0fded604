import CGtk
import GLibKit
import Testing

@testable import DesktopApplication
@testable import FakeCalls

/// The local preview in a real window: where it is laid out, and where dragging takes it.
@Suite(.windows, .serialized, .timeLimit(.minutes(5)))
final class PreviewOverlayTests: WindowSuite, @unchecked Sendable {
    // Unchecked, as its parent.

    @Test func `the preview is laid inside the window at every size`() throws {
        try onMain {
            let (view, window) = shown()
            for (width, height) in [(700, 500), (360, 460), (900, 640)] as [(Int32, Int32)] {
                gtk_window_set_default_size(window.pointer(), width, height)
                wait(for: "the width \(width)") { gtk_widget_get_width(view.root.pointer()) == width }
                wait(for: "the preview to lie beside or above the controls") {
                    guard let preview = try? bounds(in: view), let controls = try? bounds("control-bar", in: view)
                    else { return false }
                    return !overlap(preview, controls)
                }
                let preview = try bounds(in: view)
                #expect(preview.size.width > 60)
                #expect(abs(preview.size.width / preview.size.height - 4.0 / 3.0) <= 0.05)
                #expect(preview.origin.x + preview.size.width <= Float(width))
                #expect(preview.origin.y + preview.size.height <= Float(height))
                wait(for: "controls that fit") {
                    guard let controls = try? bounds("control-bar", in: view) else { return false }
                    return controls.origin.x >= 0 && controls.origin.x + controls.size.width <= Float(width)
                }
            }
            gtk_window_destroy(window.pointer())
        }
    }

    @Test func `a dragged preview stays inside and goes to the nearest corner`() throws {
        try onMain {
            let (view, window) = shown()
            let start = try bounds(in: view)
            let gesture = try controller(gtk_gesture_drag_get_type(), of: view.root)
            let (x, y) = (Double(start.origin.x) + 20, Double(start.origin.y) + 20)
            try gesture.emit("drag-begin", x, y)
            try gesture.emit("drag-update", -5000.0, -5000.0)
            wait(for: "the preview to follow") { (try? bounds(in: view).origin.x) == 0 }
            #expect(try bounds(in: view).origin.y == 0)
            try gesture.emit("drag-end", -5000.0, -5000.0)
            wait(for: "the preview to rest") { (try? bounds(in: view).origin.x) == 16 }
            #expect(try bounds(in: view).origin.y > 16, "it lies over the header")
            #expect(try bounds(in: view).size.width == start.size.width)
            gtk_window_destroy(window.pointer())
        }
    }

    @Test func `notices that come and go leave the preview where it is`() throws {
        try onMain {
            for width in [360, 700] as [Int32] {
                let (view, window) = shown(width: width)
                let before = try bounds(in: view)
                view.show(presentation(notices: [Self.sentence]))
                let notices = try #require(
                    descendants(of: view.root).first {
                        $0.isA(gtk_label_get_type()) && $0.text.hasPrefix(Self.sentence)
                    })
                wait(for: "the notices") { bounds(of: notices, in: view).size.height > 20 }
                wait(for: "them to be beside the preview") {
                    guard let preview = try? bounds(in: view) else { return false }
                    return !overlap(preview, bounds(of: notices, in: view))
                }
                #expect(try bounds(in: view).origin.y == before.origin.y, "at \(width)")
                #expect(try bounds(in: view).origin.x == before.origin.x, "at \(width)")
                gtk_window_destroy(window.pointer())
            }
        }
    }

    @Test func `notices never lie over name and duration`() throws {
        try onMain {
            for width in [360, 700] as [Int32] {
                let (view, window) = shown(width: width)
                view.show(presentation(notices: [Self.sentence, "The camera could not be opened.", Self.sentence]))
                let label = try #require(
                    descendants(of: view.root).first {
                        $0.isA(gtk_label_get_type()) && $0.text.hasPrefix(Self.sentence)
                    })
                wait(for: "the notices") { bounds(of: label, in: view).size.height > 50 }
                for name in ["face-name", "face-status"] {
                    let text = try widget(name, in: view)
                    wait(for: "\(name) above them at \(width)") {
                        let (text, notice) = (bounds(of: text, in: view), bounds(of: label, in: view))
                        return text.origin.y >= 0 && !overlap(text, notice)
                    }
                }
                gtk_window_destroy(window.pointer())
            }
        }
    }

    @Test func `a screen comes large, also to who looks at themselves`() throws {
        try onMain {
            let (view, window) = shown(hasRemotePicture: true)
            defer { gtk_window_destroy(window.pointer()) }
            let large = try widget("remote", in: view)
            @MainActor func paintable() -> OpaquePointer? { gtk_picture_get_paintable(large.pointer()) }
            let theirs = paintable()
            let keys = try controller(gtk_event_controller_key_get_type(), of: widget("preview", in: view))
            try press(GDK_KEY_Return, at: keys)
            let own = paintable()
            #expect(own != theirs)
            view.show(presentation(hasRemotePicture: true, sharesScreen: true))
            let screen = paintable()
            #expect(screen != own && screen != theirs)
            try press(GDK_KEY_Return, at: keys)
            view.show(presentation(hasRemotePicture: true, notices: [Self.sentence], sharesScreen: true))
            #expect(paintable() == own, "who wants to see themselves all the same does")
        }
    }

    @Test func `long sentences stay inside a narrow window`() throws {
        try onMain {
            let (view, window) = shown(width: 360)
            defer { gtk_window_destroy(window.pointer()) }
            let name = "Maximilian Mustermann-Hohenzollern from the office in Frankfurt"
            view.show(presentation(name: name, change: { $0.isHeldByPeer = true }))
            for other: CallPresentation? in [nil, presentation(name: name, change: { $0.peerMicrophone = false })] {
                if let other { view.show(other) }
                let sentence = other == nil ? "has put you on hold" : "microphone is off"
                let label = try #require(
                    descendants(of: view.root).first { $0.isA(gtk_label_get_type()) && $0.text.hasSuffix(sentence) })
                wait(for: "\(sentence) to lie within the window") {
                    let bounds = bounds(of: label, in: view)
                    return bounds.size.width > 100 && bounds.origin.x >= 0
                        && bounds.origin.x + bounds.size.width <= 360
                }
            }
        }
    }

    @Test func `a window's size is told without what is around it`() throws {
        try onMain {
            // As a shadow, which is drawn only where windows are put together from pictures.
            let style = Object(adopting: UnsafeMutableRawPointer(gtk_css_provider_new()))
            gtk_css_provider_load_from_data(style.pointer(), ".shadowed { padding: 0 23px; }", -1)
            let display = try #require(gdk_display_get_default())
            gtk_style_context_add_provider_for_display(display, OpaquePointer(style.raw), 800)
            defer { gtk_style_context_remove_provider_for_display(display, OpaquePointer(style.raw)) }
            let box = Widget(retaining: UnsafeMutableRawPointer(gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)))
            let told = Told()
            let size = SurfaceSize(of: box) { width, _ in told.width = width }
            let window = window(box, width: 480, height: 300)
            window.setClass("shadowed", true)
            defer { gtk_window_destroy(window.pointer()) }
            for width in [480, 620] {
                gtk_window_set_default_size(window.pointer(), gint(width), 300)
                wait(for: "the width \(width)") {
                    gtk_native_get_surface(OpaquePointer(window.raw)).map { Int(gdk_surface_get_width($0)) } == width
                }
                wait(for: "the width to be told") { told.width == width - 46 }
            }
            withExtendedLifetime(size) {}
        }
    }

    /// What a watch has told.
    @MainActor private final class Told {
        var width = 0
    }

    @Test func `an arrow key with Control is not the preview's`() throws {
        try onMain {
            let (view, window) = shown()
            defer { gtk_window_destroy(window.pointer()) }
            let preview = try widget("preview", in: view)
            let keys = try controller(gtk_event_controller_key_get_type(), of: preview)
            for (modifier, isTaken) in [(GDK_CONTROL_MASK, false), (GDK_ALT_MASK, false), (GDK_SHIFT_MASK, true)] {
                let answer = try keys.emit("key-pressed", UInt32(GDK_KEY_Left), UInt32(0), modifier.rawValue)
                #expect(answer?.get(as: Bool.self) == isTaken)
            }
        }
    }

    @Test func `arrow keys move the preview that has the focus`() throws {
        try onMain {
            let (view, window) = shown()
            let preview = try widget("preview", in: view)
            #expect(gtk_widget_grab_focus(preview.pointer()) != 0, "the keyboard does not reach it")
            let keys = try controller(gtk_event_controller_key_get_type(), of: preview)
            for (key, isLeft, isTop) in [
                (GDK_KEY_Left, true, false), (GDK_KEY_Up, true, true), (GDK_KEY_Right, false, true),
                (GDK_KEY_Down, false, false),
            ] {
                try press(key, at: keys)
                wait(for: "the corner after \(key)") {
                    guard let frame = try? bounds(in: view) else { return false }
                    return (frame.origin.x < 100) == isLeft && (frame.origin.y < 150) == isTop
                }
            }
            gtk_window_destroy(window.pointer())
        }
    }

    @Test func `where the preview goes is told, and what is large, each when it is another`() throws {
        try onMain {
            let (view, window) = shown(hasRemotePicture: true)
            defer { gtk_window_destroy(window.pointer()) }
            var told: [ViewChange] = []
            view.onViewChange = { told.append($0) }
            let keys = try controller(gtk_event_controller_key_get_type(), of: try widget("preview", in: view))
            for key in [GDK_KEY_Left, GDK_KEY_Left, GDK_KEY_Up, GDK_KEY_Return, GDK_KEY_Return] {
                try press(key, at: keys)
            }
            let changes: [ViewChange] = [
                .moved(.bottomLeft), .moved(.topLeft), .swapped(.own, name: "Ada"),
                .swapped(.theirCamera, name: "Ada"),
            ]
            #expect(told == changes)
            wait(for: "the corner") {
                guard let frame = try? bounds(in: view) else { return false }
                return frame.origin.x < 100 && frame.origin.y < 150
            }
            let place = try bounds(in: view)
            let gesture = try controller(gtk_gesture_drag_get_type(), of: view.root)
            try gesture.emit("drag-begin", Double(place.origin.x) + 20, Double(place.origin.y) + 20)
            try gesture.emit("drag-update", 500.0, 0.0)
            try gesture.emit("drag-end", 500.0, 0.0)
            #expect(told == changes + [.moved(.topRight)])
        }
    }

    @Test func `a click or Enter puts the preview in place of the large picture, and back`() throws {
        try onMain {
            let (view, window) = shown(hasRemotePicture: true)
            let (large, small) = (try widget("remote", in: view), try widget("preview", in: view))
            let (theirs, own) = (paintable(of: large), paintable(of: small))
            #expect(theirs != own)
            let place = try bounds(in: view)
            let gesture = try controller(gtk_gesture_drag_get_type(), of: view.root)
            let (x, y) = (Double(place.origin.x) + 20, Double(place.origin.y) + 20)
            try gesture.emit("drag-begin", x, y)
            try gesture.emit("drag-update", 3.0, -2.0)
            try gesture.emit("drag-end", 3.0, -2.0)
            #expect(paintable(of: large) == own)
            #expect(paintable(of: small) == theirs)
            view.show(presentation(hasRemotePicture: true))
            #expect(paintable(of: large) == own, "news of the call puts it back")
            try press(GDK_KEY_Return, at: try controller(gtk_event_controller_key_get_type(), of: small))
            #expect(paintable(of: large) == theirs)
            #expect(paintable(of: small) == own)
            try gesture.emit("drag-begin", x, y)
            try gesture.emit("drag-update", -300.0, 0.0)
            try gesture.emit("drag-end", -300.0, 0.0)
            #expect(paintable(of: large) == theirs, "a drag swaps")
            gtk_window_destroy(window.pointer())
        }
    }

    @Test func `a picture that goes takes the swap with it`() throws {
        try onMain {
            let (view, window) = shown(hasRemotePicture: true)
            let (large, small) = (try widget("remote", in: view), try widget("preview", in: view))
            let (theirs, own) = (paintable(of: large), paintable(of: small))
            try press(GDK_KEY_Return, at: try controller(gtk_event_controller_key_get_type(), of: small))
            #expect(paintable(of: large) == own)
            view.show(presentation(hasRemotePicture: false))
            #expect(!large.isVisible)
            #expect(paintable(of: small) == own)
            view.show(presentation(hasRemotePicture: true))
            #expect(paintable(of: large) == theirs)
            gtk_window_destroy(window.pointer())
        }
    }

    private static let sentence = "No microphone was found, so nobody hears you until there is one."

    /// A call whose preview shows a picture, in a window.
    @MainActor private func shown(
        width: Int32 = 700, hasRemotePicture: Bool = false
    ) -> (view: CallView, window: Widget) {
        let (remote, local) = (VideoPaintable(mirrored: false), VideoPaintable(mirrored: true))
        let view = CallView(remote: remote, screen: VideoPaintable(mirrored: false), local: local)
        local.attach(StillVideo(FakePicture(width: 320, height: 240, hue: 0, step: 0)))
        if hasRemotePicture { remote.attach(StillVideo(FakePicture(width: 320, height: 240, hue: 80, step: 0))) }
        view.show(presentation(hasRemotePicture: hasRemotePicture))
        let window = window(view.root, width: width, height: 500)
        wait(for: "the preview to be laid out") { ((try? bounds(in: view).size.width) ?? 0) > 60 }
        return (view, window)
    }

    private func presentation(
        name: String = "Ada", hasRemotePicture: Bool = false, notices: [String] = [], sharesScreen: Bool = false,
        change: (inout CallSnapshot) -> Void = { _ in }
    ) -> CallPresentation {
        var snapshot = CallSnapshot(
            stage: .active(since: .now), cameraEnabled: true, peerCamera: hasRemotePicture)
        (snapshot.notices, snapshot.peerScreen) = (notices, sharesScreen)
        change(&snapshot)
        return CallPresentation(
            contact: ContactItem(id: "a", name: name, isTestCall: false, isConnected: true), kind: .video,
            snapshot: snapshot, cameraCount: 1,
            surroundings: .init(
                now: .now, hasRemotePicture: hasRemotePicture, hasRemoteScreen: sharesScreen, hasLocalPicture: true))
    }

    @MainActor private func press(_ key: Int32, at keys: Object) throws {
        try keys.emit("key-pressed", UInt32(key), UInt32(0), UInt32(0))
    }

    @MainActor private func paintable(of picture: Widget) -> OpaquePointer? {
        gtk_picture_get_paintable(picture.pointer())
    }

    @MainActor private func widget(_ name: String, in view: CallView) throws -> Widget {
        try #require(descendants(of: view.root).first { gtk_widget_has_css_class($0.pointer(), name) != 0 })
    }

    @MainActor private func bounds(of widget: Widget, in view: CallView) -> graphene_rect_t {
        var bounds = graphene_rect_t()
        _ = gtk_widget_compute_bounds(widget.pointer(), view.root.pointer(), &bounds)
        return bounds
    }

    @MainActor private func bounds(_ name: String = "preview", in view: CallView) throws -> graphene_rect_t {
        bounds(of: try widget(name, in: view), in: view)
    }

    private func overlap(_ one: graphene_rect_t, _ other: graphene_rect_t) -> Bool {
        one.origin.x < other.origin.x + other.size.width && other.origin.x < one.origin.x + one.size.width
            && one.origin.y < other.origin.y + other.size.height && other.origin.y < one.origin.y + one.size.height
    }
}
