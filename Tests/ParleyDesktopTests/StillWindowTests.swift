import BaseKit
import CGtk
import Foundation
import GLibKit
import Testing

@testable import DesktopApplication
@testable import FakeCalls

/// What waits for a person, perhaps for ever, is not drawn again and again.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class StillWindowTests: WindowSuite, @unchecked Sendable {
    // Unchecked, as its parent.

    /// Whether GTK draws fewer frames than so many in two seconds, once everything has been laid out, which takes a busy machine a while.
    @MainActor private func draws(_ widget: Widget, fewerThan most: Int64) throws -> Bool {
        let clock = try #require(gtk_widget_get_frame_clock(widget.pointer()))
        pass(.seconds(1))
        for _ in 0..<10 {
            let first = gdk_frame_clock_get_frame_counter(clock)
            pass(.seconds(2))
            if Int64(gdk_frame_clock_get_frame_counter(clock)) - Int64(first) < most { return true }
        }
        return false
    }

    @MainActor private func pass(_ time: Duration) {
        let end = Instant.now + time
        wait(for: "time to pass") { Instant.now >= end }
    }

    private func contact(invitation: String?) -> ContactItem {
        ContactItem(id: "new", name: "New contact", isTestCall: false, isConnected: false, invitation: invitation)
    }

    @Test func `a contact that is not connected yet is not drawn again`() throws {
        for invitation in [nil, "https://parley.invalid/invitation"] {
            try onMain {
                let row = ContactRow(contact(invitation: invitation)) { _, _ in }
                let list = Widget(retaining: UnsafeMutableRawPointer(gtk_list_box_new()))
                gtk_list_box_append(list.pointer(), row.root.pointer())
                let shown = window(list, width: 400, height: 200)
                try #expect(draws(list, fewerThan: 4))
                gtk_window_destroy(shown.pointer())
            }
        }
    }

    @Test func `an open invitation is not drawn again`() throws {
        try onMain {
            let parent = Widget(retaining: UnsafeMutableRawPointer(gtk_window_new()))
            let dialog = AddContactDialog(over: parent, provider: FakeProvider(pause: .seconds(60))) { _ in }
            dialog.window.present()
            let create = try #require(
                descendants(of: dialog.window.root).first { $0.isA(gtk_button_get_type()) && $0.text == "Create link" })
            try create.emit("clicked")
            wait(for: "the link") {
                descendants(of: dialog.window.root).contains {
                    $0.isA(gtk_label_get_type()) && $0.text.hasPrefix("Waiting for")
                }
            }
            try #expect(draws(dialog.window.root, fewerThan: 4))
            dialog.window.close()
        }
    }

    @Test func `a call that rings is drawn only when its ring changes`() throws {
        try onMain {
            let page = FaceView(template: "incoming-call")
            let shown = window(page.root, width: 600, height: 500)
            page.setPulsing(true)
            // Twice a second, and a little for what the screen asks for.
            try #expect(draws(page.root, fewerThan: 10))
            page.setPulsing(false)
            try #expect(draws(page.root, fewerThan: 4))
            gtk_window_destroy(shown.pointer())
        }
    }

    @Test func `nothing moves where the person wants no animations`() throws {
        try onMain {
            let settings = Object(retaining: UnsafeMutableRawPointer(gtk_settings_get_default()))
            settings[property: "gtk-enable-animations"] = false
            defer { settings[property: "gtk-enable-animations"] = true }
            let page = FaceView(template: "incoming-call")
            let box = Widget(retaining: UnsafeMutableRawPointer(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)))
            gtk_box_append(page.root.pointer(), box.pointer())
            let mark = WaitingMark(box)
            let shown = window(page.root, width: 600, height: 600)
            mark.show(true)
            page.setPulsing(true)
            // A little for what the screen asks for.
            try #expect(draws(page.root, fewerThan: 4))
            #expect(
                descendants(of: box).contains { $0.isA(gtk_image_get_type()) && $0.isVisible }, "nothing is seen of it")
            gtk_window_destroy(shown.pointer())
        }
    }

    @Test func `what takes long stops turning`() throws {
        try onMain {
            let box = Widget(retaining: UnsafeMutableRawPointer(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)))
            let mark = WaitingMark(box, turning: .milliseconds(300))
            let label = Widget(retaining: UnsafeMutableRawPointer(gtk_label_new("…")))
            let both = Widget(retaining: UnsafeMutableRawPointer(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)))
            for part in [label, box] { gtk_box_append(both.pointer(), part.pointer()) }
            let shown = window(both, width: 200, height: 100)
            #expect(!box.isVisible)
            mark.show(true)
            #expect(box.isVisible)
            #expect(
                descendants(of: box).contains { $0.isA(gtk_spinner_get_type()) && $0[property: "spinning"] == true })
            try #expect(draws(both, fewerThan: 4))
            #expect(box.isVisible, "it is still waited for")
            mark.show(false)
            #expect(!box.isVisible)
            gtk_window_destroy(shown.pointer())
        }
    }
}
