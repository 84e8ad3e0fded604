import BaseKit
import CGtk
import GLibKit
import Notifications
import Testing

@testable import DesktopApplication

/// The windows of a call that rings, with a person who presses too early or too late.
@Suite(.windows, .serialized, .timeLimit(.minutes(5)))
final class RingingCallWindowsTests: CallWindowsSuite, @unchecked Sendable {
    // Unchecked, as its parent.

    @Test func `a key on Decline that counts late leaves the next call alone`() throws {
        for sentence in ["Decline the call", "Accept with sound only", "Accept with video"] {
            try onMain {
                let world = CallWindowsWorld()
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
            let world = CallWindowsWorld()
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
            let world = CallWindowsWorld()
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

    @Test func `the focus rests on no button of a call that rings`() throws {
        try onMain {
            let world = CallWindowsWorld()
            let call = StillCall("Ada", .ringingIn)
            world.roster.add(call)
            wait(for: "the buttons") { canPress("Decline the call", in: world) }
            let focus = try #require(world.focus)
            #expect(!focus.isA(gtk_button_get_type()), "\(focus.typeName)")
            #expect(gtk_widget_activate(focus.pointer()) == 0, "a key would press something")
            world.close()
        }
    }

    @Test func `a dialog has the switches and shows a call that rings`() throws {
        try onMain {
            let world = CallWindowsWorld()
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
            let world = CallWindowsWorld(CallNotifier(for: NotificationSender(name: "Test", desktopEntry: "test")))
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
            let world = CallWindowsWorld()
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
