import BaseKit
import CGtk
import GLibKit
import Testing

@testable import DesktopApplication
@testable import FakeCalls

/// The page of a call over a picture: what covers it, and how it is fitted.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class CallScreenTests: WindowSuite, @unchecked Sendable {
    // Unchecked, as its parent.

    @Test func `controls go from the picture and come back with the next movement, key or touch`() throws {
        try onMain {
            let (view, window) = shown()
            defer { gtk_window_destroy(window.pointer()) }
            wait(for: "the controls to go") { isShaded(view) }
            let mute = try button("Mute microphone", in: view)
            #expect(gtk_widget_get_mapped(mute.pointer()) != 0, "a screen reader finds it no more")
            #expect(!canBeClicked(mute))
            let motion = try controller(gtk_event_controller_motion_get_type(), of: view.root)
            try motion.emit("motion", 40.0, 40.0)
            #expect(!isShaded(view))
            #expect(canBeClicked(mute))
            wait(for: "the controls to go again") { isShaded(view) }
            try motion.emit("motion", 40.0, 40.0)
            #expect(isShaded(view), "nothing has moved")
            let touch = try controller(gtk_gesture_click_get_type(), of: view.root)
            try touch.emit("pressed", Int32(1), 300.0, 200.0)
            #expect(!isShaded(view))
        }
    }

    @Test func `where the person is at one of them by keyboard, the controls stay`() throws {
        try onMain {
            let (view, window) = shown()
            defer { gtk_window_destroy(window.pointer()) }
            let actions = CallActions(StillCall("Ada", .active(since: .now))) { _ in }
            actions.insert(into: view.root)
            actions.enable(presentation().controls, canAnswer: false, isEnded: false, isCollapsed: false)
            let mute = try button("Mute microphone", in: view)
            #expect(gtk_widget_grab_focus(mute.pointer()) != 0)
            try pressTab(view)
            let end = Instant.now + .milliseconds(7_500)
            wait(for: "time to pass") { Instant.now >= end }
            #expect(!isShaded(view))
            let motion = try controller(gtk_event_controller_motion_get_type(), of: view.root)
            try motion.emit("motion", 40.0, 40.0)
            wait(for: "the controls to go, as the hand is at the mouse") { isShaded(view) }
            try pressTab(view)
            gtk_widget_grab_focus(view.rest.pointer())
            wait(for: "the controls to go, as the focus is elsewhere") { isShaded(view) }
        }
    }

    @Test func `a focus that nobody has moved to the controls keeps them no longer than no focus`() throws {
        try onMain {
            let (view, window) = shown()
            defer { gtk_window_destroy(window.pointer()) }
            let actions = CallActions(StillCall("Ada", .active(since: .now))) { _ in }
            actions.insert(into: view.root)
            actions.enable(presentation().controls, canAnswer: false, isEnded: false, isCollapsed: false)
            #expect(gtk_widget_grab_focus(view.first.pointer()) != 0)
            try press(GDK_KEY_f, view)
            wait(for: "the controls to go") { isShaded(view) }
            try press(GDK_KEY_f, view)
            #expect(!isShaded(view), "a key brings them back")
            wait(for: "the controls to go again") { isShaded(view) }
        }
    }

    @Test func `what a call whose way breaks says stays over the picture until it goes on`() {
        onMain {
            let (view, window) = shown()
            defer { gtk_window_destroy(window.pointer()) }
            wait(for: "the controls to go") { isShaded(view) }
            view.show(presentation(.reconnecting))
            #expect(!isShaded(view))
            let end = Instant.now + .milliseconds(4_500)
            wait(for: "time to pass") { Instant.now >= end }
            #expect(!isShaded(view))
            view.show(presentation())
            wait(for: "the controls to go again") { isShaded(view) }
        }
    }

    @Test func `without a picture, the controls stay`() {
        onMain {
            let (view, window) = shown(hasPicture: false)
            defer { gtk_window_destroy(window.pointer()) }
            let end = Instant.now + .milliseconds(4_500)
            wait(for: "time to pass") { Instant.now >= end }
            #expect(!isShaded(view))
        }
    }

    @Test func `their camera fills the window by choice, and a screen never`() {
        onMain {
            let (view, window) = shown()
            defer { gtk_window_destroy(window.pointer()) }
            #expect(fit(of: view) == GTK_CONTENT_FIT_CONTAIN)
            view.toggleFit()
            #expect(fit(of: view) == GTK_CONTENT_FIT_COVER)
            view.show(presentation(sharesScreen: true))
            #expect(fit(of: view) == GTK_CONTENT_FIT_CONTAIN)
            view.show(presentation())
            #expect(fit(of: view) == GTK_CONTENT_FIT_COVER)
            view.toggleFit()
            #expect(fit(of: view) == GTK_CONTENT_FIT_CONTAIN)
        }
    }

    @Test func `that a picture fills the window is told, where one is shown that can`() {
        onMain {
            let (view, window) = shown()
            defer { gtk_window_destroy(window.pointer()) }
            var told: [ViewChange] = []
            view.onViewChange = { told.append($0) }
            view.toggleFit()
            view.toggleFit()
            #expect(told == [.filled(true), .filled(false)])
            view.show(presentation(sharesScreen: true))
            view.toggleFit()
            view.show(presentation(hasPicture: false))
            view.toggleFit()
            #expect(told.count == 2, "nothing to be seen has changed")
        }
    }

    @Test func `how large a screen is shown is told once the person rests, and not when it ends`() {
        onMain {
            let (view, _, window) = sharing()
            defer { gtk_window_destroy(window.pointer()) }
            var told: [ViewChange] = []
            view.onViewChange = { told.append($0) }
            for _ in 0..<2 { gtk_widget_activate_action_variant(view.root.pointer(), "zoom.in", nil) }
            wait(for: "the size") { !told.isEmpty }
            gtk_widget_activate_action_variant(view.root.pointer(), "zoom.whole", nil)
            wait(for: "the whole screen") { told.count > 1 }
            #expect(told == [.zoomed(ScreenZoom.step * ScreenZoom.step), .zoomed(1)])
            gtk_widget_activate_action_variant(view.root.pointer(), "zoom.in", nil)
            view.show(presentation())
            let end = Instant.now + .milliseconds(1_500)
            wait(for: "time to pass") { Instant.now >= end }
            #expect(told.count == 2)
        }
    }

    @Test func `a shared screen is zoomed by wheel and pinch and the next one begins whole`() throws {
        // The signals come without the events that they tell of.
        letPass("assertion 'GDK_IS_EVENT (event)' failed")
        try onMain {
            let (view, screen, window) = sharing()
            defer { gtk_window_destroy(window.pointer()) }
            let picture = try #require(
                descendants(of: view.root).first { gtk_widget_has_css_class($0.pointer(), "remote") != 0 })
            let wheel = try controller(gtk_event_controller_scroll_get_type(), of: picture)
            let motion = try controller(gtk_event_controller_motion_get_type(), of: picture)
            try motion.emit("motion", 0.0, 0.0)
            try wheel.emit("scroll", 0.0, -1.0)
            #expect(abs(scale(of: screen) - ScreenZoom.step) <= 0.001)
            #expect(abs(PaintablePeer.gclass.peer(of: screen.object).zoom.x - 0) <= 0.001)
            let pinch = try controller(gtk_gesture_zoom_get_type(), of: picture)
            try pinch.emit("scale-changed", 2.0)
            #expect(abs(scale(of: screen) - 2 * ScreenZoom.step) <= 0.001)
            let drag = try controller(gtk_gesture_drag_get_type(), of: picture)
            try drag.emit("drag-begin", 10.0, 10.0)
            try drag.emit("drag-update", -70.0, 0.0)
            #expect(PaintablePeer.gclass.peer(of: screen.object).zoom.x > 0.01)
            try wheel.emit("scroll", 0.0, 100.0)
            try wheel.emit("scroll", 0.0, 100.0)
            #expect(scale(of: screen) == 1)
            try wheel.emit("scroll", 0.0, -2.0)
            view.show(presentation())
            #expect(scale(of: screen) == 1, "it has ended")
            try wheel.emit("scroll", 0.0, -2.0)
            #expect(scale(of: screen) == 1, "a camera is not zoomed")
        }
    }

    @Test func `a shared screen is zoomed and moved by keys`() {
        onMain {
            let (view, screen, window) = sharing()
            defer { gtk_window_destroy(window.pointer()) }
            @MainActor func press(_ name: String) {
                gtk_widget_activate_action_variant(view.root.pointer(), "zoom." + name, nil)
            }
            press("in")
            press("in")
            #expect(abs(scale(of: screen) - ScreenZoom.step * ScreenZoom.step) <= 0.001)
            let peer = PaintablePeer.gclass.peer(of: screen.object)
            let before = peer.zoom
            press("right")
            #expect(peer.zoom.x > before.x)
            press("left")
            press("down")
            #expect(peer.zoom.y > before.y)
            press("up")
            #expect(abs(peer.zoom.x - before.x) <= 0.001)
            #expect(abs(peer.zoom.y - before.y) <= 0.001)
            press("out")
            #expect(abs(scale(of: screen) - ScreenZoom.step) <= 0.001)
            press("whole")
            #expect(scale(of: screen) == 1)
        }
    }

    @Test func `from where the focus rests the first key leads to the microphone`() throws {
        try onMain {
            let (view, window) = shown()
            defer { gtk_window_destroy(window.pointer()) }
            let actions = CallActions(StillCall("Ada", .active(since: .now))) { _ in }
            actions.insert(into: view.root)
            actions.enable(presentation().controls, canAnswer: false, isEnded: false, isCollapsed: false)
            gtk_widget_child_focus(window.pointer(), GTK_DIR_TAB_FORWARD)
            let focus = try #require(gtk_window_get_focus(window.pointer()))
            #expect(try focus == button("Mute microphone", in: view).pointer())
        }
    }

    @Test func `who speaks has a ring around their face of one size without animations`() throws {
        try onMain {
            let (view, window) = shown(hasPicture: false)
            defer { gtk_window_destroy(window.pointer()) }
            @MainActor func ring() -> [Int] {
                (1...3).filter { size in
                    descendants(of: view.root).contains {
                        gtk_widget_has_css_class($0.pointer(), "speaking-\(size)") != 0
                    }
                }
            }
            #expect(ring() == [])
            for step in [1, 3, 2, 0] {
                view.show(speaking: step)
                #expect(ring() == (step == 0 ? [] : [step]))
            }
            let settings = Object(retaining: UnsafeMutableRawPointer(try #require(gtk_settings_get_default())))
            settings[property: "gtk-enable-animations"] = false
            defer { settings[property: "gtk-enable-animations"] = true }
            view.show(speaking: 3)
            #expect(ring() == [1])
        }
    }

    /// A page that shows a screen.
    @MainActor private func sharing() -> (view: CallView, screen: VideoPaintable, window: Widget) {
        let screen = VideoPaintable(mirrored: false)
        let view = CallView(
            remote: VideoPaintable(mirrored: false), screen: screen, local: VideoPaintable(mirrored: true))
        screen.attach(StillVideo(FakePicture(width: 640, height: 360, hue: 0, step: 0)))
        view.show(presentation(sharesScreen: true))
        let window = window(view.root, width: 700, height: 500)
        wait(for: "the page") { gtk_widget_get_mapped(view.root.pointer()) != 0 }
        return (view, screen, window)
    }

    @MainActor private func scale(of paintable: VideoPaintable) -> Double {
        PaintablePeer.gclass.peer(of: paintable.object).zoom.scale
    }

    @MainActor private func shown(hasPicture: Bool = true) -> (view: CallView, window: Widget) {
        let remote = VideoPaintable(mirrored: false)
        let view = CallView(
            remote: remote, screen: VideoPaintable(mirrored: false), local: VideoPaintable(mirrored: true))
        remote.attach(StillVideo(FakePicture(width: 320, height: 240, hue: 0, step: 0)))
        view.show(presentation(hasPicture: hasPicture))
        let window = window(view.root, width: 700, height: 500)
        wait(for: "the page") { gtk_widget_get_mapped(view.root.pointer()) != 0 }
        gtk_widget_grab_focus(view.rest.pointer())
        return (view, window)
    }

    private func presentation(
        _ stage: CallStage = .active(since: .now), hasPicture: Bool = true, sharesScreen: Bool = false
    ) -> CallPresentation {
        var snapshot = CallSnapshot(stage: stage, peerCamera: true)
        snapshot.peerScreen = sharesScreen
        return CallPresentation(
            contact: ContactItem(id: "a", name: "Ada", isTestCall: false, isConnected: true), kind: .video,
            snapshot: snapshot, cameraCount: 1,
            surroundings: .init(now: .now, hasRemotePicture: hasPicture, hasRemoteScreen: sharesScreen))
    }

    /// Presses a key that moves the focus, as far as the page hears of it.
    @MainActor private func pressTab(_ view: CallView) throws { try press(GDK_KEY_Tab, view) }

    /// Presses a key, as far as the page hears of it.
    @MainActor private func press(_ key: Int32, _ view: CallView) throws {
        let list = Object(adopting: UnsafeMutableRawPointer(gtk_widget_observe_controllers(view.root.pointer())))
        for index in 0..<g_list_model_get_n_items(list.pointer()) {
            guard let item = g_list_model_get_item(list.pointer(), index) else { continue }
            let controller = Object(adopting: item)
            guard controller.isA(gtk_event_controller_key_get_type()) else { continue }
            try controller.emit("key-pressed", UInt32(key), UInt32(0), UInt32(0))
        }
    }

    @MainActor private func isShaded(_ view: CallView) -> Bool {
        gtk_widget_has_css_class(view.root.pointer(), "shaded") != 0
    }

    /// Whether a click where it lies goes to it.
    @MainActor private func canBeClicked(_ widget: Widget) -> Bool {
        var next: UnsafeMutablePointer<GtkWidget>? = widget.pointer()
        while let current = next {
            if gtk_widget_get_can_target(current) == 0 { return false }
            next = gtk_widget_get_parent(current)
        }
        return true
    }

    @MainActor private func fit(of view: CallView) -> GtkContentFit? {
        descendants(of: view.root).first { gtk_widget_has_css_class($0.pointer(), "remote") != 0 }
            .map { gtk_picture_get_content_fit($0.pointer()) }
    }

    @MainActor private func button(_ sentence: String, in view: CallView) throws -> Widget {
        try #require(descendants(of: view.root).first { $0[property: "tooltip-text"] == sentence })
    }
}
