import CGtk
import GLibKit
import MediaRules
import Testing

@testable import DesktopApplication
@testable import FakeCalls

/// The windows of a call, and what a person sees and switches there.
@Suite(.windows, .serialized, .timeLimit(.minutes(5)))
final class CallWindowsTests: CallWindowsSuite, @unchecked Sendable {
    // Unchecked, as its parent.

    @Test func `the connection of a call is shown, and its code is compared`() throws {
        try onMain {
            let world = CallWindowsWorld()
            defer { world.close() }
            let call = StillCall("Ada", .active(since: .now))
            var counts = MediaStatistics()
            counts.link.loss = 0.2
            call.counts = counts
            call.check = SecurityCheck(code: "12345 67890", isCompared: false)
            world.roster.add(call)
            wait(for: "the quality") {
                canPress("Connection: Poor. Your connection loses part of what you send.", in: world)
            }
            world.start("connection")
            let dialog = try #require(world.dialogs[.connection] as? ConnectionDialog)
            let window = dialog.window.root
            #expect(descendants(of: window).contains { $0.text == "Connection: Poor" })
            let toggle = try #require(descendants(of: window).first { $0.isA(gtk_switch_get_type()) })
            wait(for: "the code") {
                descendants(of: window).contains {
                    $0.isA(adw_action_row_get_type()) && $0[property: "subtitle"] == "12345 67890"
                }
            }
            #expect(call.done == [], "what is shown is no choice")
            toggle[property: "active"] = true
            wait(for: "the mark") { call.done == ["compared 12345 67890"] }
            call.check = SecurityCheck(code: "99999 00000", isCompared: false)
            toggle[property: "active"] = false
            wait(for: "the mark to go") { call.done.last == "compared nothing" }
            toggle[property: "active"] = true
            wait(for: "why it does not hold") { descendants(of: window).contains { $0.text == "Another code holds." } }
            #expect(toggle[property: "active"] == false)
            call.change { $0.stage = .ended(sentence: "Over.") }
            wait(for: "the window to go") { world.dialogs[.connection] == nil }
        }
    }

    @Test func `the focus begins at the microphone, unseen, and rests elsewhere while that can't be used`() throws {
        try onMain {
            let world = CallWindowsWorld()
            defer { world.close() }
            let call = ringingCall(in: world)
            call.change { $0.stage = .connecting }
            wait(for: "the call") { world.window.page == .call }
            let mute = try button("Mute microphone", in: world.window.root)
            wait(for: "the focus: it is at \(world.focusText), mute is \(mute.isSensitive ? "on" : "off")") {
                world.focus == mute
            }
            #expect(gtk_window_get_focus_visible(world.window.root.pointer()) == 0, "its ring is seen")
            call.change { $0.stage = .active(since: .now) }
            call.change { $0.isHeld = true }
            wait(for: "the hold") { !mute.isSensitive }
            wait(for: "a place for the focus") { world.focus != nil }
            #expect(world.focus?.isA(gtk_button_get_type()) == false)
        }
    }

    @Test func `the focus begins at the microphone also when the page hears of the call before its actions`() throws {
        try onMain {
            let world = CallWindowsWorld()
            defer { world.close() }
            let call = ringingCall(in: world)
            call.changeForLast { $0.stage = .connecting }
            wait(for: "the call") { world.window.page == .call }
            let mute = try button("Mute microphone", in: world.window.root)
            #expect(world.focus == mute, "it is at \(world.focusText)")
        }
    }

    @Test func `how loud they speak is measured while their face is seen and silence draws nothing`() throws {
        try onMain {
            let world = CallWindowsWorld()
            defer { world.close() }
            let call = StillCall("Ada", .connecting, kind: .audio)
            world.roster.add(call)
            wait(for: "the call") { world.window.page == .call }
            #expect(!call.voice.isHeard)
            call.change { $0.stage = .active(since: .now) }
            wait(for: "somebody to listen") { call.voice.isHeard }
            @MainActor func ring() -> Bool {
                descendants(of: world.window.root).contains {
                    gtk_widget_has_css_class($0.pointer(), "speaking-2") != 0
                }
            }
            call.voice.send(2)
            wait(for: "the ring") { ring() }
            call.change { $0.peerMicrophone = false }
            wait(for: "nobody to listen") { !call.voice.isHeard && !ring() }
            call.change { $0.peerMicrophone = true }
            wait(for: "somebody to listen") { call.voice.isHeard }
            call.change { $0.isHeld = true }
            wait(for: "nobody to listen") { !call.voice.isHeard }
            let clock = try #require(gtk_widget_get_frame_clock(world.window.root.pointer()))
            pass(.seconds(1))
            let first = gdk_frame_clock_get_frame_counter(clock)
            pass(.seconds(2))
            #expect(gdk_frame_clock_get_frame_counter(clock) - first < 5)
        }
    }

    @Test func `who holds Space in the small window is heard as long, and no longer`() throws {
        try onMain {
            let world = CallWindowsWorld()
            defer { world.close() }
            world.windows.talksWithSpace = { true }
            let (call, mini) = try collapsed(in: world) { $0.microphoneEnabled = false }
            let talking = try #require(
                descendants(of: mini).first { $0.isA(gtk_label_get_type()) && $0.text.hasPrefix("You are heard") })
            let keys = try controller(gtk_event_controller_key_get_type(), of: mini)
            let isTaken = try keys.emit("key-pressed", UInt32(GDK_KEY_space), UInt32(0), UInt32(0))
            #expect(isTaken?.get(as: Bool.self) == true, "it would press a button")
            wait(for: "the microphone") { call.done == ["microphone true"] }
            #expect(talking.isVisible)
            try keys.emit("key-released", UInt32(GDK_KEY_space), UInt32(0), UInt32(0))
            wait(for: "silence") { call.done == ["microphone true", "microphone false"] }
            #expect(!talking.isVisible)
        }
    }

    @Test func `a small window and the way back say that a call is not encrypted end to end`() throws {
        try onMain {
            let world = CallWindowsWorld()
            defer { world.close() }
            let (call, mini) = try collapsed(in: world) { $0.isClear = true }
            @MainActor func says() -> Bool {
                descendants(of: mini).contains {
                    $0.isA(gtk_label_get_type()) && $0.isVisible && $0.text == "Not encrypted end to end"
                }
            }
            wait(for: "the small window to say so") { says() }
            wait(for: "the way back to say so") { shows("Not encrypted end to end", in: world) }
            call.change { $0.isClear = false }
            wait(for: "it to be over") { !says() }
        }
    }

    @Test func `what is shared is sharp, or moves smoothly where that is chosen`() throws {
        try onMain {
            for (isMotion, done) in [(false, "share text"), (true, "share motion")] {
                let world = CallWindowsWorld()
                defer { world.close() }
                let call = StillCall("Ada", .active(since: .now))
                world.roster.add(call)
                wait(for: "the call") { world.window.page == .call }
                world.start("share-screen")
                @MainActor func found(_ text: String, _ type: GType) -> Widget? {
                    guard let list = gtk_window_get_toplevels() else { return nil }
                    let windows = Object(retaining: UnsafeMutableRawPointer(list))
                    return (0..<g_list_model_get_n_items(windows.pointer())).lazy
                        .compactMap { g_list_model_get_item(windows.pointer(), $0).map { Widget(adopting: $0) } }
                        .flatMap { self.descendants(of: $0) }
                        .first { $0.isA(type) && $0[property: "label"] == text }
                }
                wait(for: "the question") { found("Smooth motion", gtk_check_button_get_type()) != nil }
                if isMotion {
                    let choice = try #require(found("Smooth motion", gtk_check_button_get_type()))
                    gtk_check_button_set_active(choice.pointer(), 1)
                }
                try #require(found("Share without sound", gtk_button_get_type())).emit("clicked")
                wait(for: "what is shared") { call.done == [done] }
            }
        }
    }

    /// A call that is on and collapsed, and its window.
    @MainActor private func collapsed(
        in world: CallWindowsWorld, change: (inout CallSnapshot) -> Void
    ) throws -> (call: StillCall, window: Widget) {
        let call = StillCall("Ada", .active(since: .now))
        call.change(change)
        world.roster.add(call)
        wait(for: "the call") { world.window.page == .call }
        world.start("collapse")
        wait(for: "the small window") { world.windows.isCollapsed }
        let windows = Object(retaining: UnsafeMutableRawPointer(try #require(gtk_window_get_toplevels())))
        let window = try #require(
            (0..<g_list_model_get_n_items(windows.pointer())).lazy
                .compactMap { g_list_model_get_item(windows.pointer(), $0).map { Widget(adopting: $0) } }
                .first { $0[property: "title"] == "Parley call" })
        return (call, window)
    }

    @Test func `a call that comes takes the devices from who looks at themselves`() {
        onMain {
            let world = CallWindowsWorld()
            defer { world.close() }
            let provider = FakeProvider(pause: .zero)
            var answers: [Bool] = []
            world.dialogs.open(.beforeCall) {
                BeforeCallDialog(
                    over: world.window.root, contacts: [StillCall("Bo", .ringingIn).contact], kind: .video,
                    provider: provider
                ) { answers.append($0) }
            }
            let call = StillCall("Ada", .ringingIn)
            world.roster.add(call)
            wait(for: "the call") { world.window.page == .incoming }
            #expect(world.dialogs[.beforeCall] != nil)
            call.change { $0.stage = .connecting }
            wait(for: "the window to go") { world.dialogs[.beforeCall] == nil && answers == [false] }
            wait(for: "the devices to be closed") { !provider.machine.isFilming && !provider.machine.isListening }
        }
    }

    @Test func `a switch that is pressed twice ends as it was`() throws {
        onMain {
            let world = CallWindowsWorld()
            let call = StillCall("Ada", .active(since: .now))
            call.delay = .milliseconds(50)
            world.roster.add(call)
            for _ in 0..<2 {
                world.start("mute")
                world.start("camera")
            }
            wait(for: "the switches") { call.done.count == 4 }
            #expect(call.snapshot.microphoneEnabled && call.snapshot.cameraEnabled, "\(call.done)")
            world.close()
        }
    }

    @Test func `a switch asks the call how it stands`() throws {
        onMain {
            let world = CallWindowsWorld()
            let call = StillCall("Ada", .active(since: .now))
            world.roster.add(call)
            wait(for: "the call") { world.window.page == .call }
            call.change(isTold: false) {
                $0.microphoneEnabled = false
                $0.cameraEnabled = false
            }
            world.start("mute")
            world.start("camera")
            wait(for: "the switches") { call.done.count == 2 }
            #expect(call.done.sorted() == ["camera true", "microphone true"])
            world.close()
        }
    }

    @Test func `a key puts the call on hold and goes on with it`() throws {
        onMain {
            let world = CallWindowsWorld()
            let call = StillCall("Ada", .active(since: .now))
            world.roster.add(call)
            wait(for: "the call") { world.window.page == .call }
            world.start("hold")
            wait(for: "the hold") { call.done == ["hold"] }
            wait(for: "the word of it") { shows("On hold", in: world) }
            world.start("hold")
            wait(for: "the end of it") { call.done == ["hold", "resume"] }
            world.close()
        }
    }

    @Test func `a call that is on is no reason to block`() throws {
        onMain {
            let world = CallWindowsWorld()
            let call = StillCall("Ada", .active(since: .now))
            world.roster.add(call)
            wait(for: "the call") { world.window.page == .call }
            world.start("block")
            #expect(world.blocked == [])
            #expect(world.presenter.call === call)
            world.close()
        }
    }
}
