import CGtk
import GLibKit
import Testing

@testable import DesktopApplication

@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class WidgetTests: WindowSuite, @unchecked Sendable {
    // Unchecked, as its parent.
    private func contact(_ id: String, _ name: String, isConnected: Bool = true) -> ContactItem {
        ContactItem(id: id, name: name, isTestCall: false, isConnected: isConnected)
    }

    @MainActor private func titles(_ list: Widget) -> [String] {
        var result: [String] = []
        var child = gtk_widget_get_first_child(list.pointer())
        while let row = child {
            result.append(Widget(retaining: UnsafeMutableRawPointer(row)).text)
            child = gtk_widget_get_next_sibling(row)
        }
        return result
    }

    @MainActor private func press(_ sentence: String, in widget: Widget) throws {
        try #require(descendants(of: widget).first { $0[property: "tooltip-text"] == sentence }).emit("clicked")
    }

    @Test func `every template can be built`() {
        onMain {
            for name in [
                "main-window", "main-content", "people-view", "obstacle", "contact-row", "add-contact", "call-view",
                "control-bar",
                "incoming-call",
                "ended-call", "mini-window", "shortcuts", "request-row", "relay-row", "nearby-row", "contact-address",
                "preferences", "passphrase", "ringing-bar", "invitation", "reach", "nearby", "offered-relay",
                "call-log",
                "call-log-row", "call-details",
                "contact-page", "own-profile",
                "messages", "message-view", "message-row", "group-call-view", "group-tile", "group-person",
                "group-guest",
            ] {
                #expect(Template(name).root.isA(gtk_widget_get_type()), "\(name)")
            }
        }
    }

    @Test func `the contact list follows the account`() {
        onMain {
            let box = Widget(retaining: UnsafeMutableRawPointer(gtk_list_box_new()))
            let empty = Widget(retaining: UnsafeMutableRawPointer(gtk_label_new("")))
            let nothing = Widget(retaining: UnsafeMutableRawPointer(gtk_label_new("")))
            let list = ContactList(list: box, emptyPage: empty, nothingFound: nothing) { _, _ in }
            list.show([])
            #expect(empty.isVisible)
            #expect(!box.isVisible)
            list.show([contact("a", "Ada"), contact("b", "Ben")])
            #expect(titles(box) == ["Ada", "Ben"])
            let ada = gtk_widget_get_first_child(box.pointer())
            list.show([contact("a", "Ada L."), contact("c", "Cem"), contact("b", "Ben")])
            #expect(titles(box) == ["Ada L.", "Cem", "Ben"])
            #expect(gtk_widget_get_first_child(box.pointer()) == ada, "a row that stays is not rebuilt")
            list.show([contact("b", "Ben"), contact("c", "Cem")])
            #expect(titles(box) == ["Ben", "Cem"])
            #expect(!empty.isVisible)
        }
    }

    @Test func `only a connected contact can be called`() throws {
        try onMain {
            var asked: [ContactWish] = []
            let row = ContactRow(contact("a", "Ada", isConnected: false)) { _, wish in asked.append(wish) }
            let buttons = descendants(of: row.root).filter {
                $0.isA(gtk_button_get_type()) && !$0.isA(gtk_toggle_button_get_type())
            }
            #expect(buttons.filter(\.isVisible) == [])
            row.show(contact("a", "Ada"))
            let shown = buttons.filter(\.isVisible)
            #expect(shown.map { $0[property: "tooltip-text"] } == ["Call Ada", "Video call with Ada"])
            for button in shown { try button.emit("clicked") }
            #expect(asked == [.call(.audio), .call(.video)])
        }
    }

    @Test func `a link that nobody has opened is withdrawn and not removed`() {
        onMain {
            var asked: [ContactWish] = []
            let item = ContactItem(
                id: "a", name: "Hilda", isTestCall: false, isConnected: false, invitation: "simplex:/invitation")
            let row = ContactRow(item) { _, wish in asked.append(wish) }
            for action in ["contact.withdraw", "contact.remove"] {
                gtk_widget_activate_action_variant(row.root.pointer(), action, nil)
            }
            #expect(asked == [.withdrawLink])
            row.show(contact("a", "Hilda"))
            for action in ["contact.withdraw", "contact.remove"] {
                gtk_widget_activate_action_variant(row.root.pointer(), action, nil)
            }
            #expect(asked == [.withdrawLink, .remove])
        }
    }

    @Test func `who asks is listed only while they ask`() throws {
        try onMain {
            let box = Widget(retaining: UnsafeMutableRawPointer(gtk_list_box_new()))
            let section = Widget(retaining: UnsafeMutableRawPointer(gtk_label_new("")))
            var answers: [String] = []
            let list = RequestList(list: box, section: section) { answers.append("\($0.name) \($1)") }
            list.show([RequestItem(id: 1, name: "Ada"), RequestItem(id: 2, name: "Ben")])
            #expect(section.isVisible)
            #expect(titles(box) == ["Ada", "Ben"])
            for sentence in ["Decline Ada", "Accept Ben"] { try press(sentence, in: box) }
            #expect(answers == ["Ada false", "Ben true"])
            list.show([])
            #expect(!section.isVisible)
            #expect(titles(box) == [])
        }
    }

    @Test func `a name is never read as markup`() {
        onMain {
            let row = ContactRow(contact("x", "<b>Bobby & Co</b>")) { _, _ in }
            let labels = descendants(of: row.root).filter { $0.isA(gtk_label_get_type()) }.map(\.text)
            #expect(labels.contains("<b>Bobby & Co</b>"), "\(labels)")
        }
    }

    @Test func `the control bar shows the flip button only when there is another camera`() {
        onMain {
            let bar = ControlBar()
            let flip = descendants(of: bar.root).first { $0[property: "icon-name"] == "camera-switch-symbolic" }
            let snapshot = CallSnapshot(stage: .active(since: .now), cameraEnabled: true)
            bar.show(ControlState(snapshot, kind: .video, cameraCount: 1))
            #expect(flip?.isVisible == false)
            bar.show(ControlState(snapshot, kind: .video, cameraCount: 2))
            #expect(flip?.isVisible == true)
        }
    }
}
