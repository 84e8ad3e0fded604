import CGtk
import GLibKit
import XCTest

@testable import DesktopApplication

final class WidgetTests: WindowTestCase, @unchecked Sendable {
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

    func testEveryTemplateCanBeBuilt() {
        onMain {
            for name in [
                "main-window", "contact-row", "add-contact", "call-view", "control-bar", "incoming-call",
                "ended-call", "mini-window", "shortcuts", "request-row", "relay-row", "nearby-row", "contact-address",
                "preferences", "passphrase", "ringing-bar", "invitation", "reach", "nearby", "offered-relay",
                "call-log",
                "call-log-row", "call-details",
                "contact-page", "own-profile",
                "messages", "message-view", "message-row",
            ] {
                XCTAssertTrue(Template(name).root.isA(gtk_widget_get_type()), name)
            }
        }
    }

    func testTheContactListFollowsTheAccount() {
        onMain {
            let box = Widget(retaining: UnsafeMutableRawPointer(gtk_list_box_new()))
            let empty = Widget(retaining: UnsafeMutableRawPointer(gtk_label_new("")))
            let nothing = Widget(retaining: UnsafeMutableRawPointer(gtk_label_new("")))
            let list = ContactList(list: box, emptyPage: empty, nothingFound: nothing) { _, _ in }
            list.show([])
            XCTAssertTrue(empty.isVisible)
            XCTAssertFalse(box.isVisible)
            list.show([contact("a", "Ada"), contact("b", "Ben")])
            XCTAssertEqual(titles(box), ["Ada", "Ben"])
            let ada = gtk_widget_get_first_child(box.pointer())
            list.show([contact("a", "Ada L."), contact("c", "Cem"), contact("b", "Ben")])
            XCTAssertEqual(titles(box), ["Ada L.", "Cem", "Ben"])
            XCTAssertEqual(gtk_widget_get_first_child(box.pointer()), ada, "a row that stays is not rebuilt")
            list.show([contact("b", "Ben"), contact("c", "Cem")])
            XCTAssertEqual(titles(box), ["Ben", "Cem"])
            XCTAssertFalse(empty.isVisible)
        }
    }

    func testOnlyAConnectedContactCanBeCalled() throws {
        try onMain {
            var asked: [ContactWish] = []
            let row = ContactRow(contact("a", "Ada", isConnected: false)) { _, wish in asked.append(wish) }
            let buttons = descendants(of: row.root).filter {
                $0.isA(gtk_button_get_type()) && !$0.isA(gtk_toggle_button_get_type())
            }
            XCTAssertEqual(buttons.filter(\.isVisible), [])
            row.show(contact("a", "Ada"))
            let shown = buttons.filter(\.isVisible)
            XCTAssertEqual(shown.map { $0[property: "tooltip-text"] }, ["Call Ada", "Video call with Ada"])
            for button in shown { try button.emit("clicked") }
            XCTAssertEqual(asked, [.call(.audio), .call(.video)])
        }
    }

    func testALinkThatNobodyHasOpenedIsWithdrawnAndNotRemoved() {
        onMain {
            var asked: [ContactWish] = []
            let item = ContactItem(
                id: "a", name: "Hilda", isTestCall: false, isConnected: false, invitation: "simplex:/invitation")
            let row = ContactRow(item) { _, wish in asked.append(wish) }
            for action in ["contact.withdraw", "contact.remove"] {
                gtk_widget_activate_action_variant(row.root.pointer(), action, nil)
            }
            XCTAssertEqual(asked, [.withdrawLink])
            row.show(contact("a", "Hilda"))
            for action in ["contact.withdraw", "contact.remove"] {
                gtk_widget_activate_action_variant(row.root.pointer(), action, nil)
            }
            XCTAssertEqual(asked, [.withdrawLink, .remove])
        }
    }

    func testWhoAsksIsListedOnlyWhileTheyAsk() throws {
        try onMain {
            let box = Widget(retaining: UnsafeMutableRawPointer(gtk_list_box_new()))
            let section = Widget(retaining: UnsafeMutableRawPointer(gtk_label_new("")))
            var answers: [String] = []
            let list = RequestList(list: box, section: section) { answers.append("\($0.name) \($1)") }
            list.show([RequestItem(id: 1, name: "Ada"), RequestItem(id: 2, name: "Ben")])
            XCTAssertTrue(section.isVisible)
            XCTAssertEqual(titles(box), ["Ada", "Ben"])
            for sentence in ["Decline Ada", "Accept Ben"] {
                try descendants(of: box).first { $0[property: "tooltip-text"] == sentence }?.emit("clicked")
            }
            XCTAssertEqual(answers, ["Ada false", "Ben true"])
            list.show([])
            XCTAssertFalse(section.isVisible)
            XCTAssertEqual(titles(box), [])
        }
    }

    func testANameIsNeverReadAsMarkup() {
        onMain {
            let row = ContactRow(contact("x", "<b>Bobby & Co</b>")) { _, _ in }
            let labels = descendants(of: row.root).filter { $0.isA(gtk_label_get_type()) }.map(\.text)
            XCTAssertTrue(labels.contains("<b>Bobby & Co</b>"), "\(labels)")
        }
    }

    func testTheControlBarShowsFlipOnlyWhenThereIsAnotherCamera() {
        onMain {
            let bar = ControlBar()
            let flip = descendants(of: bar.root).first { $0[property: "icon-name"] == "camera-switch-symbolic" }
            let snapshot = CallSnapshot(stage: .active(since: .now), cameraEnabled: true)
            bar.show(ControlState(snapshot, kind: .video, cameraCount: 1))
            XCTAssertEqual(flip?.isVisible, false)
            bar.show(ControlState(snapshot, kind: .video, cameraCount: 2))
            XCTAssertEqual(flip?.isVisible, true)
        }
    }
}
