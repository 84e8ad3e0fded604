import CGtk
import GLibKit
import MediaRules
import Testing

@testable import DesktopApplication

/// How loud a call is, and talking while a key is held, on the page of a call.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class CallSoundTests: WindowSuite, @unchecked Sendable {
    // Unchecked, as its parent.

    @Test func `what is chosen in the menu is told, and what is shown is no choice`() throws {
        try onMain {
            let (view, window, told) = shown()
            defer { gtk_window_destroy(window.pointer()) }
            let scales = descendants(of: try menu(of: view)).filter { $0.isA(gtk_scale_get_type()) }
            #expect(scales.map { gtk_range_get_value($0.pointer()) } == [100, 100])
            gtk_range_set_value(scales[0].pointer(), 40)
            gtk_range_set_value(scales[1].pointer(), 150)
            #expect(told.volumes == [SoundVolumes(speaker: 0.4), SoundVolumes(microphone: 1.5, speaker: 0.4)])
            view.show(presentation(SoundVolumes(microphone: 1.5, speaker: 0.4)))
            view.show(presentation(SoundVolumes(microphone: 0.5, speaker: 2, isSpeakerOn: false)))
            #expect(scales.map { gtk_range_get_value($0.pointer()) } == [200, 50])
            #expect(told.volumes.count == 2)
            gtk_range_set_value(scales[0].pointer(), 190)
            #expect(told.volumes.last?.isSpeakerOn == false, "a slider turns the sound on")
        }
    }

    @Test func `a slider does not jump back while what was chosen is on its way`() throws {
        try onMain {
            let (view, window, told) = shown()
            defer { gtk_window_destroy(window.pointer()) }
            let scales = descendants(of: try menu(of: view)).filter { $0.isA(gtk_scale_get_type()) }
            gtk_range_set_value(scales[0].pointer(), 40)
            gtk_range_set_value(scales[0].pointer(), 30)
            for speaker in [1, 0.4] {
                view.show(presentation(SoundVolumes(speaker: speaker, isSpeakerOn: false)))
                #expect(gtk_range_get_value(scales[0].pointer()) == 30)
            }
            gtk_range_set_value(scales[0].pointer(), 20)
            #expect(told.volumes.last == SoundVolumes(speaker: 0.2, isSpeakerOn: false), "all else is what is in force")
        }
    }

    @Test func `the button and a sentence say that their sound is off`() throws {
        try onMain {
            let (view, window, _) = shown()
            defer { gtk_window_destroy(window.pointer()) }
            #expect(!says("You have turned their sound off", view))
            let button = try #require(descendants(of: try menu(of: view)).first { $0.isA(gtk_button_get_type()) })
            #expect(button[property: "tooltip-text"] == "Turn their sound off")
            view.show(presentation(SoundVolumes(isSpeakerOn: false)))
            #expect(says("You have turned their sound off", view))
            #expect(button[property: "tooltip-text"] == "Turn their sound on")
        }
    }

    @Test func `Space talks while it is held by who wants that and is muted`() throws {
        try onMain {
            let (view, window, told) = shown(microphone: false)
            defer { gtk_window_destroy(window.pointer()) }
            #expect(try !press(GDK_KEY_space, view), "without the choice Space presses buttons")
            view.setTalksWithSpace { true }
            #expect(try !press(GDK_KEY_Return, view))
            #expect(try press(GDK_KEY_space, view))
            #expect(try press(GDK_KEY_space, view))
            #expect(told.talks == [true])
            #expect(says("You are heard as long as you hold Space", view))
            try release(view)
            #expect(told.talks == [true, false])
            #expect(!says("You are heard as long as you hold Space", view))
        }
    }

    @Test func `a call that cannot be heard ends the talk, and so does leaving the page`() throws {
        try onMain {
            let (view, window, told) = shown(microphone: false)
            defer { gtk_window_destroy(window.pointer()) }
            view.setTalksWithSpace { true }
            _ = try press(GDK_KEY_space, view)
            view.show(presentation(microphone: true, isHeld: true))
            #expect(told.talks == [true, false])
            view.show(presentation(microphone: false))
            _ = try press(GDK_KEY_space, view)
            gtk_widget_set_visible(view.root.pointer(), 0)
            #expect(told.talks == [true, false, true, false])
        }
    }

    /// What a page has told.
    @MainActor private final class Told {
        var volumes: [SoundVolumes] = []
        var talks: [Bool] = []
    }

    @MainActor private func shown(microphone: Bool = true) -> (view: CallView, window: Widget, told: Told) {
        let view = CallView(
            remote: VideoPaintable(mirrored: false), screen: VideoPaintable(mirrored: false),
            local: VideoPaintable(mirrored: true))
        let told = Told()
        view.onVolumes = { told.volumes.append($0) }
        view.onTalk = { told.talks.append($0) }
        view.show(presentation(microphone: microphone))
        let window = window(view.root, width: 700, height: 500)
        wait(for: "the page") { gtk_widget_get_mapped(view.root.pointer()) != 0 }
        return (view, window, told)
    }

    private func presentation(
        _ volumes: SoundVolumes = SoundVolumes(), microphone: Bool = true, isHeld: Bool = false
    ) -> CallPresentation {
        var snapshot = CallSnapshot(stage: .active(since: .now), microphoneEnabled: microphone)
        (snapshot.volumes, snapshot.isHeld) = (volumes, isHeld)
        return CallPresentation(
            contact: ContactItem(id: "a", name: "Ada", isTestCall: false, isConnected: true), kind: .audio,
            snapshot: snapshot, cameraCount: 1, surroundings: .init(now: .now))
    }

    @MainActor private func menu(of view: CallView) throws -> Widget {
        let button = try #require(
            descendants(of: view.root).first {
                $0.isA(gtk_menu_button_get_type()) && $0[property: "tooltip-text"] == "Volume"
            })
        let popover = try #require(gtk_menu_button_get_popover(button.pointer()))
        return Widget(retaining: UnsafeMutableRawPointer(popover))
    }

    @MainActor private func says(_ sentence: String, _ view: CallView) -> Bool {
        descendants(of: view.root).contains {
            $0.isA(gtk_label_get_type()) && $0.text == sentence && gtk_widget_get_child_visible($0.pointer()) != 0
                && isShown($0)
        }
    }

    @MainActor private func isShown(_ widget: Widget) -> Bool {
        var next: UnsafeMutablePointer<GtkWidget>? = widget.pointer()
        while let current = next {
            if gtk_widget_get_visible(current) == 0 { return false }
            next = gtk_widget_get_parent(current)
        }
        return true
    }

    /// Whether anything on the page uses the key up.
    @MainActor private func press(_ key: Int32, _ view: CallView) throws -> Bool {
        try keys(of: view).map {
            try $0.emit("key-pressed", UInt32(key), UInt32(0), UInt32(0))?.get(as: Bool.self) == true
        }
        .contains(true)
    }

    @MainActor private func release(_ view: CallView) throws {
        for controller in keys(of: view) {
            try controller.emit("key-released", UInt32(GDK_KEY_space), UInt32(0), UInt32(0))
        }
    }

    @MainActor private func keys(of view: CallView) -> [Object] {
        let list = Object(adopting: UnsafeMutableRawPointer(gtk_widget_observe_controllers(view.root.pointer())))
        return (0..<g_list_model_get_n_items(list.pointer())).compactMap { index in
            g_list_model_get_item(list.pointer(), index).map { Object(adopting: $0) }
        }.filter { $0.isA(gtk_event_controller_key_get_type()) }
    }
}
