import CGtk
import GLibKit
import Parley
import Testing

@testable import DesktopApplication
@testable import FakeCalls

/// The list of messages and its entry.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class MessageViewTests: WindowSuite, @unchecked Sendable {
    // Unchecked, as its parent.

    private let contact = FakeScript.mutes.contact

    @MainActor private func texts(_ root: Widget) -> [String] {
        descendants(of: root).filter { $0.isA(gtk_label_get_type()) && gtk_widget_get_mapped($0.pointer()) != 0 }.map(
            \.text)
    }

    @MainActor private func entry(_ root: Widget) throws -> Widget {
        try #require(descendants(of: root).first { $0.isA(gtk_entry_get_type()) })
    }

    @MainActor private func button(_ label: String, _ root: Widget) throws -> Widget {
        try #require(descendants(of: root).first { $0.isA(gtk_button_get_type()) && $0[property: "label"] == label })
    }

    @Test func `messages come, and answers go`() throws {
        try onMain {
            let provider = FakeProvider(pause: .milliseconds(20))
            let view = MessageView(provider, contact: contact)
            let window = window(view.root, width: 400, height: 500)
            wait(for: "the empty page") { self.texts(view.root).contains("No messages yet") }
            provider.messageBoard.add("hello <b>you</b>\nhttps://a.example", with: contact.id)
            wait(for: "the message") { self.texts(view.root).contains("hello <b>you</b>\nhttps://a.example") }
            #expect(!texts(view.root).contains("No messages yet"))
            let send = try button("_Send", view.root)
            #expect(!send.isSensitive)
            try entry(view.root).text = "an answer"
            #expect(send.isSensitive)
            try send.emit("clicked")
            wait(for: "the answer to be delivered") {
                self.texts(view.root).contains("an answer")
                    && self.texts(view.root).contains { $0.hasSuffix(" · Delivered") }
            }
            #expect(try entry(view.root).text == "")
            gtk_window_destroy(window.pointer())
        }
    }

    @Test func `what can't be sent stays with its reason`() throws {
        try onMain {
            let view = MessageView(FakeProvider(pause: .zero), contact: contact)
            let window = window(view.root, width: 400, height: 500)
            try entry(view.root).text = "fail"
            try entry(view.root).emit("activate")
            wait(for: "the reason") { self.texts(view.root).contains("The message can’t be sent.") }
            #expect(try entry(view.root).text == "fail")
            try entry(view.root).text = String(repeating: "a", count: 16_000)
            wait(for: "the hint") { self.texts(view.root).contains { $0.hasPrefix("Too long by ") } }
            #expect(try !button("_Send", view.root).isSensitive)
            gtk_window_destroy(window.pointer())
        }
    }

    @Test func `the text can be selected and holds no link`() throws {
        try onMain {
            let provider = FakeProvider(pause: .zero)
            provider.messageBoard.add("https://a.example <a href='https://b.example'>x</a>", with: contact.id)
            let view = MessageView(provider, contact: contact)
            let window = window(view.root, width: 400, height: 500)
            wait(for: "the message") { self.texts(view.root).contains { $0.hasPrefix("https://a.example") } }
            let label = try #require(
                descendants(of: view.root).first { $0.isA(gtk_label_get_type()) && $0.text.hasPrefix("https://a") })
            #expect(gtk_label_get_selectable(label.pointer()) == 1)
            #expect(gtk_label_get_use_markup(label.pointer()) == 0)
            #expect(gtk_label_get_current_uri(label.pointer()) == nil)
            gtk_window_destroy(window.pointer())
        }
    }

    @Test func `rows that stay are not made anew`() throws {
        try onMain {
            let provider = FakeProvider(pause: .zero)
            for number in 1...30 { provider.messageBoard.add("message \(number)", with: contact.id) }
            let view = MessageView(provider, contact: contact)
            let window = window(view.root, width: 400, height: 500)
            wait(for: "the messages") { self.texts(view.root).contains("message 30") }
            let first = try #require(
                descendants(of: view.root).first { $0.isA(gtk_label_get_type()) && $0.text == "message 1" })
            provider.messageBoard.add("message 31", with: contact.id)
            wait(for: "one more") { self.texts(view.root).contains("message 31") }
            let again = try #require(
                descendants(of: view.root).first { $0.isA(gtk_label_get_type()) && $0.text == "message 1" })
            #expect(first == again)
            let scroller = try #require(
                descendants(of: view.root).first {
                    $0.isA(gtk_scrolled_window_get_type()) && gtk_widget_get_mapped($0.pointer()) != 0
                })
            let adjustment = try #require(gtk_scrolled_window_get_vadjustment(scroller.pointer()))
            wait(for: "the end to be shown") {
                gtk_adjustment_get_value(adjustment) + gtk_adjustment_get_page_size(adjustment)
                    >= gtk_adjustment_get_upper(adjustment) - 1 && gtk_adjustment_get_value(adjustment) > 0
            }
            provider.messageBoard.deleteAll(with: contact.id)
            wait(for: "the empty page") { self.texts(view.root).contains("No messages yet") }
            gtk_window_destroy(window.pointer())
        }
    }

    @Test func `a call is declined at once and a sentence sent`() throws {
        onMain {
            let call = FakeCall(
                contact: contact, kind: .audio, script: .answers, isIncoming: true, pause: .milliseconds(5),
                machine: FakeDevices(), lines: FakeLines())
            var wishes: [CallActions.Wish] = []
            let actions = CallActions(call) { wishes.append($0) }
            actions.answer(.declineAndCallBack)
            #expect(wishes == [.reply(.callBack)])
            wait(for: "the end of the call") { call.snapshot.stage.isEnded }
            // Nothing is sent to somebody whose call does not ring any more.
            actions.answer(.declineForNow)
            actions.answer(.declineAndWrite)
            #expect(wishes == [.reply(.callBack)])
        }
    }

    @Test func `a contact's row counts what nobody has read`() throws {
        onMain {
            var contact = contact
            let row = ContactRow(contact) { _, _ in }
            let list = Widget(retaining: UnsafeMutableRawPointer(gtk_list_box_new()))
            gtk_list_box_append(list.pointer(), row.root.pointer())
            let window = window(list, width: 400, height: 80)
            #expect(!texts(row.root).contains("3"))
            contact.unreadMessages = 3
            row.show(contact)
            wait(for: "the count") { self.texts(row.root).contains("3") }
            contact.unreadMessages = 300
            row.show(contact)
            wait(for: "the count") { self.texts(row.root).contains("99+") }
            gtk_window_destroy(window.pointer())
        }
    }
}
