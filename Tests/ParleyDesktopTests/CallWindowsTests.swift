import BaseKit
import CGtk
import Foundation
import GLibKit
import MediaRules
import Notifications
import Portal
import Testing

@testable import DesktopApplication
@testable import FakeCalls

/// The windows of calls, one after the other, with a person who presses too early or too late.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class CallWindowsTests: WindowSuite, @unchecked Sendable {
    // Unchecked, as its parent.

    /// The windows of a program without an account.
    @MainActor private final class World {
        private static var count = 0
        let application: Object
        let window: MainWindow
        let presenter = CallPresenter()
        let roster: CallRoster
        let dialogs = OpenDialogs()
        let windows: CallWindows
        private let reception: CallReception
        /// Whose calls ended behind others.
        private(set) var ended: [String] = []
        /// Whom the person has blocked.
        private(set) var blocked: [String] = []
        /// Whom the person wants to call.
        private(set) var wanted: [String] = []

        /// `notifier` tells of calls; without one nobody does.
        init(
            _ notifier: CallNotifier = CallNotifier(
                for: NotificationSender(name: "", desktopEntry: ""),
                openBus: { () async throws(PortalError) in throw .noBus("none for this test") }),
            timeToRead: Duration = CallWindows.timeToRead
        ) {
            Self.count += 1
            let id = "im.parley.Test\(Self.count)"
            application = Object(
                adopting: UnsafeMutableRawPointer(adw_application_new(id, G_APPLICATION_NON_UNIQUE)))
            g_application_register(application.pointer(), nil, nil)
            window = MainWindow(application: application, onWish: { _, _ in }, onAnswer: { _, _ in })
            let notifications = CallNotifications(notifier: notifier)
            notifications.watch(application)
            roster = CallRoster(presenter)
            reception = CallReception(roster, notifications) {
                RingDecision(isHeard: true, urgency: .critical, opensWindow: false)
            }
            windows = CallWindows(
                application: application, dialogs: dialogs, presenter: presenter, onDevice: { _, _ in },
                timeToRead: timeToRead, onOpen: {})
            windows.open(in: window)
            roster.onEnd = { [weak self] in self?.ended.append($0.session.contact.name) }
            reception.windows = windows
            reception.onBlock = { [weak self] in self?.blocked.append($0.contact.name) }
            reception.onCall = { [weak self] contact, _ in self?.wanted.append(contact.name) }
            window.page = .contacts
            window.present()
        }

        func close() {
            dialogs.closeAll()
            reception.close()
            window.close()
        }

        /// Starts an action as a key does in a window.
        func start(_ action: String, in widget: Widget? = nil) {
            gtk_widget_activate_action_variant((widget ?? window.root).pointer(), "call." + action, nil)
        }

        var focus: Widget? {
            gtk_window_get_focus(window.root.pointer()).map { Widget(retaining: UnsafeMutableRawPointer($0)) }
        }
    }

    @MainActor private func button(_ sentence: String, in widget: Widget) throws -> Widget {
        try #require(descendants(of: widget).first { $0[property: "tooltip-text"] == sentence && $0.isSensitive })
    }

    /// Iterates the loop for a while.
    @MainActor private func pass(_ time: Duration) {
        let end = Instant.now + time
        wait(for: "time to pass") { Instant.now >= end }
    }

    @MainActor private func canPress(_ sentence: String, in world: World) -> Bool {
        descendants(of: world.window.root).contains { $0[property: "tooltip-text"] == sentence && $0.isSensitive }
    }

    @Test func `the connection of a call is shown, and its code is compared`() throws {
        try onMain {
            let world = World()
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

    @Test func `how loud they speak is measured while their face is seen and silence draws nothing`() throws {
        try onMain {
            let world = World()
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

    @Test func `a call that comes takes the devices from who looks at themselves`() {
        onMain {
            let world = World()
            defer { world.close() }
            let provider = FakeProvider(pause: .zero)
            var answers: [Bool] = []
            world.dialogs.open(.beforeCall) {
                BeforeCallDialog(
                    over: world.window.root, contact: StillCall("Bo", .ringingIn).contact, kind: .video,
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

    @Test func `the end of a call goes by itself`() {
        onMain {
            let world = World(timeToRead: .milliseconds(200))
            defer { world.close() }
            let call = StillCall("Ada", .active(since: .now - .seconds(75)))
            world.roster.add(call)
            wait(for: "the call") { world.window.page == .call }
            call.change { $0.stage = .ended(sentence: "Ada hung up.") }
            wait(for: "its length") {
                descendants(of: world.window.root).contains { $0.text.hasPrefix("The call lasted 1:1") }
            }
            wait(for: "the contacts") { world.window.page == .contacts }
            #expect(world.presenter.call == nil)
        }
    }

    @Test func `the end of one call does not take away the next`() {
        onMain {
            let world = World(timeToRead: .milliseconds(200))
            defer { world.close() }
            world.roster.add(StillCall("Ada", .ended(sentence: "Over.")))
            #expect(world.window.page == .ended)
            let next = StillCall("Ben", .ringingIn)
            world.roster.add(next)
            pass(.milliseconds(400))
            #expect(world.window.page == .incoming)
            #expect(world.presenter.call === next)
        }
    }

    // MARK: Several calls

    /// A window with a call that is on and another one that waits, which can be answered.
    @MainActor private func worldWithWaitingCall() -> (world: World, first: StillCall, second: StillCall) {
        let world = World()
        let (first, second) = (StillCall("Ada", .active(since: .now)), StillCall("Ben", .ringingIn))
        world.roster.add(first)
        wait(for: "the call") { world.window.page == .call }
        second.change { $0.isWaiting = true }
        world.roster.add(second)
        wait(for: "the banner") { shows("Ben", in: world) }
        wait(for: "its buttons") { presses("End and accept", in: world) }
        return (world, first, second)
    }

    @MainActor private func shows(_ text: String, in world: World) -> Bool {
        descendants(of: world.window.root).contains {
            $0.isA(gtk_label_get_type()) && $0.text.contains(text) && gtk_widget_get_mapped($0.pointer()) != 0
        }
    }

    @MainActor private func textButton(_ text: String, in world: World) -> Widget? {
        descendants(of: world.window.root).first { widget in
            widget.isA(gtk_button_get_type()) && gtk_widget_get_mapped(widget.pointer()) != 0
                && descendants(of: widget).contains { $0.isA(gtk_label_get_type()) && $0.text == text }
        }
    }

    @MainActor private func presses(_ text: String, in world: World) -> Bool {
        textButton(text, in: world)?.isSensitive == true
    }

    @Test func `a second caller shows a banner whose buttons do what they say`() throws {
        let answers = [
            ("Hold and accept", "accept video hold"), ("End and accept", "accept video end"), ("Decline", "decline"),
            ("Ignore", "ignore"),
        ]
        for (label, done) in answers {
            try onMain {
                let (world, first, second) = worldWithWaitingCall()
                #expect(world.window.page == .call)
                #expect(world.presenter.call === first)
                try #require(textButton(label, in: world)).emit("clicked")
                wait(for: done) { second.done == [done] }
                #expect(first.done == [])
                world.close()
            }
        }
    }

    @Test func `a banner can be pressed only after it has been seen`() throws {
        onMain {
            let world = World()
            let second = StillCall("Ben", .ringingIn)
            world.roster.add(StillCall("Ada", .active(since: .now)))
            wait(for: "the call") { world.window.page == .call }
            second.change { $0.isWaiting = true }
            world.roster.add(second)
            wait(for: "the banner") { shows("Ben", in: world) }
            #expect(!presses("Decline", in: world))
            wait(for: "its buttons") { presses("Decline", in: world) }
            #expect(second.done == [])
            world.close()
        }
    }

    @Test func `a second video call is taken without our camera when that is not seen`() throws {
        try onMain {
            let (world, first, second) = worldWithWaitingCall()
            first.change { $0.cameraEnabled = false }
            pass(.milliseconds(100))
            try #require(textButton("Hold and accept", in: world)).emit("clicked")
            wait(for: "the answer") { second.done == ["accept audio hold"] }
            world.close()
        }
    }

    @Test func `a call that is not on yet can only be ended for another`() throws {
        onMain {
            let world = World()
            let second = StillCall("Ben", .ringingIn)
            world.roster.add(StillCall("Ada", .ringingOut))
            second.change { $0.isWaiting = true }
            world.roster.add(second)
            wait(for: "the buttons") { presses("End and accept", in: world) }
            #expect(!presses("Hold and accept", in: world))
            world.close()
        }
    }

    @Test func `calls change places, and the one on hold is listed`() throws {
        try onMain {
            let (world, first, second) = worldWithWaitingCall()
            first.change { $0.isHeld = true }
            second.change {
                $0.isWaiting = false
                $0.stage = .active(since: .now)
            }
            wait(for: "the second call") { world.presenter.call === second }
            wait(for: "the first below it") { shows("Ada – On hold", in: world) }
            #expect(world.window.page == .call)
            #expect(textButton("End and accept", in: world) == nil)
            try #require(textButton("Resume", in: world)).emit("clicked")
            wait(for: "the wish") { first.done == ["resume"] }
            second.change { $0.isHeld = true }
            wait(for: "the first call") { world.presenter.call === first }
            wait(for: "the second below it") { shows("Ben – On hold", in: world) }
            try button("End the call with Ben", in: world.window.root).emit("clicked")
            wait(for: "its end") { second.done == ["hang up"] }
            #expect(first.done == ["resume"])
            world.close()
        }
    }

    @Test func `the end of one call leaves the other on hold in front`() throws {
        try onMain {
            let world = World()
            let (first, second) = (StillCall("Ada", .active(since: .now)), StillCall("Ben", .active(since: .now)))
            first.change { $0.isHeld = true }
            world.roster.add(first)
            world.roster.add(second)
            #expect(world.presenter.call === second)
            second.change { $0.stage = .ended(sentence: "Ben hung up.") }
            wait(for: "the call on hold") { world.presenter.call === first }
            #expect(world.window.page == .call)
            #expect(world.ended == ["Ben"])
            #expect(first.done == [], "it goes on by itself")
            wait(for: "the way back") { presses("Resume", in: world) }
            try #require(textButton("Resume", in: world)).emit("clicked")
            wait(for: "the wish") { first.done == ["resume"] }
            world.close()
        }
    }

    @Test func `who waits rings when the other call ends`() throws {
        onMain {
            let (world, first, second) = worldWithWaitingCall()
            first.change { $0.stage = .ended(sentence: "Over.") }
            second.change { $0.isWaiting = false }
            wait(for: "the page") { world.window.page == .incoming && world.presenter.call === second }
            wait(for: "its buttons") { canPress("Accept with video", in: world) }
            world.start("accept")
            wait(for: "the answer") { second.done == ["accept video"] }
            world.close()
        }
    }

    @Test func `a key puts the call on hold and goes on with it`() throws {
        onMain {
            let world = World()
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

    @Test func `the small window stays while calls change places`() throws {
        onMain {
            let (world, first, second) = worldWithWaitingCall()
            world.start("collapse")
            wait(for: "the small window") { world.windows.isCollapsed }
            #expect(world.window.page == .contacts)
            #expect(shows("Ben is calling", in: world), "beside the way back")
            first.change { $0.isHeld = true }
            second.change {
                $0.isWaiting = false
                $0.stage = .active(since: .now)
            }
            wait(for: "the second call") { world.presenter.call === second }
            #expect(world.windows.isCollapsed)
            #expect(world.window.page == .contacts)
            wait(for: "the first one") { shows("Ada is on hold", in: world) }
            world.close()
        }
    }

    @Test func `a dialog shows a call that waits, and its buttons hold the other`() throws {
        try onMain {
            let (world, first, second) = worldWithWaitingCall()
            let dialog = DialogWindow(
                Widget(retaining: UnsafeMutableRawPointer(gtk_window_new())), over: world.window.root)
            world.dialogs.open(.about) { dialog }
            #expect(dialog.ringingBar.root.isVisible)
            try button("Accept with sound only", in: dialog.root).emit("clicked")
            wait(for: "the answer") { second.done == ["accept audio hold"] }
            world.start("mute", in: dialog.root)
            wait(for: "the microphone of the call that is on") { first.done == ["microphone false"] }
            world.close()
        }
    }

    @Test func `a key on Close closes the ended call`() throws {
        try onMain {
            let world = World()
            world.roster.add(StillCall("Ada", .ended(sentence: "Over.")))
            #expect(world.window.page == .ended)
            gtk_widget_activate(try button("Back to the contacts", in: world.window.root).pointer())
            wait(for: "the contacts") { world.window.page == .contacts }
            #expect(world.presenter.call == nil)
            world.close()
        }
    }

    @Test func `a key on Close that counts late leaves the next call alone`() throws {
        for sentence in ["Back to the contacts", "Call again"] {
            try onMain {
                let world = World()
                world.roster.add(StillCall("Ada", .ended(sentence: "Over.")))
                // GTK waits for 250 ms before a button counts as pressed by a key.
                gtk_widget_activate(try button(sentence, in: world.window.root).pointer())
                let next = StillCall("Ben", .ringingIn)
                world.roster.add(next)
                pass(.milliseconds(600))
                #expect(world.presenter.call === next, "\(sentence)")
                #expect(world.window.page == .incoming, "\(sentence)")
                #expect(world.wanted == [], "\(sentence)")
                #expect(next.done == [], "\(sentence)")
                // Nor does it close the next call once that is over.
                next.change { $0.stage = .ended(sentence: "Over, too.") }
                wait(for: "the end") { world.window.page == .ended }
                world.close()
            }
        }
    }

    @Test func `a key on Decline that counts late leaves the next call alone`() throws {
        for sentence in ["Decline the call", "Accept with sound only", "Accept with video"] {
            try onMain {
                let world = World()
                let first = StillCall("Ada", .ringingIn)
                world.roster.add(first)
                wait(for: "the buttons") { canPress(sentence, in: world) }
                gtk_widget_activate(try button(sentence, in: world.window.root).pointer())
                first.change { $0.stage = .ended(sentence: "Ada gave up.") }
                let next = StillCall("Ben", .ringingIn)
                world.roster.add(next)
                pass(.milliseconds(1_600))
                #expect(next.done == [], "\(sentence)")
                #expect(first.done == [], "\(sentence)")
                #expect(world.window.page == .incoming, "\(sentence)")
                world.close()
            }
        }
    }

    @Test func `a call is shown for a moment before it can be answered`() throws {
        onMain {
            let world = World()
            let call = StillCall("Ada", .ringingIn)
            let begin = Instant.now
            world.roster.add(call)
            #expect(!canPress("Decline the call", in: world))
            for action in ["accept", "decline", "accept-audio", "accept-video"] { world.start(action) }
            pass(.milliseconds(100))
            #expect(call.done == [])
            wait(for: "the buttons") { canPress("Decline the call", in: world) }
            #expect(Instant.now - begin >= .seconds(1))
            world.start("accept")
            wait(for: "the answer") { call.done == ["accept video"] }
            world.close()
        }
    }

    @Test func `a call whose caller is blocked goes without a word`() throws {
        onMain {
            let world = World()
            let call = StillCall("Ada", .ringingIn)
            world.roster.add(call)
            world.start("block")
            #expect(world.blocked == [], "before anybody could look")
            wait(for: "the buttons") { canPress("More about this call", in: world) }
            wait(for: "the buttons") { canPress("Decline the call", in: world) }
            world.start("block")
            #expect(world.blocked == ["Ada"])
            #expect(call.done == [])
            #expect(world.presenter.call == nil)
            #expect(world.window.page == .contacts)
            world.close()
        }
    }

    @Test func `a call that is on is no reason to block`() throws {
        onMain {
            let world = World()
            let call = StillCall("Ada", .active(since: .now))
            world.roster.add(call)
            wait(for: "the call") { world.window.page == .call }
            world.start("block")
            #expect(world.blocked == [])
            #expect(world.presenter.call === call)
            world.close()
        }
    }

    @Test func `the focus rests on no button of a call`() throws {
        try onMain {
            let world = World()
            let call = StillCall("Ada", .ringingIn)
            world.roster.add(call)
            wait(for: "the buttons") { canPress("Decline the call", in: world) }
            let focus = try #require(world.focus)
            #expect(!focus.isA(gtk_button_get_type()), "\(focus.typeName)")
            #expect(gtk_widget_activate(focus.pointer()) == 0, "a key would press something")
            call.change { $0.stage = .connecting }
            wait(for: "the call") { world.window.page == .call }
            #expect(world.focus?.isA(gtk_button_get_type()) == false)
            world.close()
        }
    }

    @Test func `a switch that is pressed twice ends as it was`() throws {
        onMain {
            let world = World()
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
            let world = World()
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

    @Test func `a call that falls silent is over for the window`() throws {
        onMain {
            for isOver in [false, true] {
                let world = World()
                let call = StillCall("Ada", .ringingIn)
                world.roster.add(call)
                #expect(world.window.page == .incoming)
                if isOver { call.change(isTold: false) { $0.stage = .ended(sentence: "Ada gave up.") } }
                call.fallSilent()
                wait(for: "the end") { world.window.page == .ended }
                #expect(
                    world.presenter.snapshot.stage == .ended(sentence: isOver ? "Ada gave up." : "The call is over."))
                #expect(!world.presenter.isBusy)
                world.close()
            }
        }
    }

    @Test func `a dialog has the switches and shows a call that rings`() throws {
        try onMain {
            let world = World()
            let dialog = DialogWindow(
                Widget(retaining: UnsafeMutableRawPointer(gtk_window_new())), over: world.window.root)
            world.dialogs.open(.about) { dialog }
            let call = StillCall("Ada", .ringingIn)
            world.roster.add(call)
            #expect(dialog.ringingBar.root.isVisible)
            wait(for: "the buttons") {
                descendants(of: dialog.root).contains {
                    $0[property: "tooltip-text"] == "Accept with video" && $0.isSensitive
                }
            }
            // Keys that may mean something else in a dialog reach no call.
            for action in ["accept", "decline", "end-call"] { world.start(action, in: dialog.root) }
            pass(.milliseconds(100))
            #expect(call.done == [])
            try button("Accept with video", in: dialog.root).emit("clicked")
            wait(for: "the answer") { call.done == ["accept video"] }
            call.change { $0.stage = .active(since: .now) }
            wait(for: "the call") { world.window.page == .call }
            #expect(!dialog.ringingBar.root.isVisible)
            #expect(dialog.isOpen)
            world.start("mute", in: dialog.root)
            wait(for: "the microphone") { call.done.last == "microphone false" }
            world.close()
        }
    }

    @Test func `a call without end-to-end encryption is asked about when its notification accepts it`() throws {
        let server = try SessionNotifications.server()
        try onMain {
            let earlier = server.shown.count
            let world = World(CallNotifier(for: NotificationSender(name: "Test", desktopEntry: "test")))
            let call = StillCall("Ada", .ringingIn)
            call.change { $0.needsDecisionOnClearMedia = true }
            world.roster.add(call)
            wait(for: "the notification") { server.shown.count > earlier }
            let id = try #require(server.shown.last?.id)
            pass(.milliseconds(1_200))  // the time to look
            try server.press("accept", of: id)
            wait(for: "the question") { world.dialogs[.clearMedia] != nil }
            #expect(call.done == [])
            let question = try #require(world.dialogs[.clearMedia])
            adw_message_dialog_response(question.window.root.pointer(), "yes")
            wait(for: "the answer") { call.done == ["clear media", "accept video"] }
            call.change { $0.stage = .connecting }
            wait(for: "the call") { world.window.page == .call }
            wait(for: "the notification to go") { server.closed.contains(id) }
            world.close()
        }
    }

    @Test func `a call without end-to-end encryption is asked about when it is accepted`() throws {
        try onMain {
            let world = World()
            let call = StillCall("Ada", .ringingIn)
            call.change { $0.needsDecisionOnClearMedia = true }
            world.roster.add(call)
            wait(for: "the buttons") { canPress("Accept with video", in: world) }
            #expect(world.dialogs[.clearMedia] == nil, "a question takes the keys as the call rings")
            world.start("accept-video")
            let first = try #require(world.dialogs[.clearMedia])
            first.window.close()
            wait(for: "the question to go") { world.dialogs[.clearMedia] == nil }
            #expect(call.done == [], "Escape declined the call")
            world.start("accept-video")
            let second = try #require(world.dialogs[.clearMedia])
            adw_message_dialog_response(second.window.root.pointer(), "yes")
            wait(for: "the answer") { call.done == ["clear media", "accept video"] }
            world.close()
        }
    }
}
