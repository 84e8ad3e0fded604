import CGtk
import Foundation
import GLibKit
import Parley
import TestSupport
import Testing

@testable import DesktopApplication
@testable import FakeCalls

/// The list of contacts, a contact's page and the own profile, with a pretended account.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class PeopleWidgetTests: WindowSuite, @unchecked Sendable {
    // Unchecked, as its parent.

    private func contact(_ id: String, _ name: String) -> ContactItem {
        var contact = ContactItem(id: id, name: name, isTestCall: false, isConnected: true)
        contact.ownName = name
        return contact
    }

    @MainActor private func find(_ type: GType, in root: Widget) -> [Widget] {
        descendants(of: root).filter { $0.isA(type) }
    }

    @Test func `rows are found by name, and several are chosen`() {
        onMain {
            let box = Widget(retaining: UnsafeMutableRawPointer(gtk_list_box_new()))
            // Its rows take the focus, which windows have.
            let window = Widget(retaining: UnsafeMutableRawPointer(gtk_window_new()))
            gtk_window_set_child(window.pointer(), box.pointer())
            defer { gtk_window_destroy(window.pointer()) }
            let (empty, nothing) = (
                Widget(retaining: UnsafeMutableRawPointer(gtk_label_new(""))),
                Widget(retaining: UnsafeMutableRawPointer(gtk_label_new("")))
            )
            var opened: [ContactItem.ID] = []
            let list = ContactList(list: box, emptyPage: empty, nothingFound: nothing) { contact, wish in
                if wish == .open { opened.append(contact.id) }
            }
            var counts: [Int] = []
            list.onSelection = { counts.append($0.count) }
            var mum = contact("a", "Mum")
            mum.ownName = "Ánna"
            list.show([mum, contact("b", "Ben"), contact("c", "Cem")])
            let rows = find(adw_action_row_get_type(), in: box)
            list.search("anna")
            #expect(rows.map(\.isVisible) == [true, false, false])
            list.search("zz")
            #expect(nothing.isVisible && !box.isVisible && !empty.isVisible)
            list.search("")
            #expect(rows.map(\.isVisible) == [true, true, true])
            gtk_widget_activate(rows[1].pointer())
            #expect(opened == ["b"])
            list.setSelecting(true)
            for row in rows.prefix(2) { gtk_widget_activate(row.pointer()) }
            #expect(list.selected.map(\.id) == ["a", "b"])
            #expect(counts.last == 2)
            list.show([mum, contact("c", "Cem")])
            #expect(list.selected.map(\.id) == ["a"])
            list.setSelecting(false)
            #expect(list.selected == [])
            #expect(opened == ["b"])
        }
    }

    @Test func `what is changed on a contact's page is kept`() throws {
        try onMain {
            let world = PretendedWindows()
            defer { world.close() }
            world.provider.contacts = [contact("a", "Ada")]
            world.provider.notes["a"] = "Tea"
            world.dialogs.showContact(contact("a", "Ada"), onWish: { _, _ in }, onAllCalls: {})
            let dialog = try #require(world.dialogs.open[.contact("a")] as? ContactDialog)
            let root = dialog.window.root
            let view = try #require(find(gtk_text_view_get_type(), in: root).first)
            wait(for: "the notes") { view.isSensitive }
            gtk_text_buffer_set_text(gtk_text_view_get_buffer(view.pointer()), "Coffee", -1)
            let entries = find(adw_entry_row_get_type(), in: root)
            let name = try #require(entries.first { $0[property: "title"] == "Name" })
            name.text = "Countess"
            try name.emit("apply")
            wait(for: "the name") { world.provider.contacts.first?.name == "Countess" }
            world.provider.contacts.first.map { dialog.show($0) }
            let words = try #require(entries.first { ($0[property: "title"] ?? "").hasPrefix("Words") })
            words.text = "Work,  Sums "
            try words.emit("apply")
            wait(for: "the labels") { world.provider.contacts.first?.labels == [.own("Work"), .own("Sums")] }
            dialog.window.close()
            wait(for: "the notes to be kept") { world.provider.notes["a"] == "Coffee" }
        }
    }

    @Test func `a contact's page leads to the messages with them if they can be written to`() throws {
        try onMain {
            let world = PretendedWindows()
            defer { world.close() }
            var wishes: [ContactWish] = []
            let test = ContactItem(id: "t", name: "Test", isTestCall: true, isConnected: true)
            for (contact, canWrite) in [(contact("a", "Ada"), true), (test, false)] {
                world.dialogs.showContact(contact, onWish: { wishes.append($1) }, onAllCalls: {})
                let dialog = try #require(world.dialogs.open[.contact(contact.id)] as? ContactDialog)
                let button = try #require(
                    descendants(of: dialog.window.root).first {
                        $0[property: "tooltip-text"] == "Messages with \(contact.name)"
                    })
                #expect(button.isVisible == canWrite)
                if canWrite { try button.emit("clicked") }
                #expect(world.dialogs.open[.contact(contact.id)] != nil)
            }
            #expect(wishes == [.messages])
        }
    }

    @Test func `a page goes with its contact`() {
        onMain {
            let world = PretendedWindows()
            defer { world.close() }
            world.dialogs.showContact(contact("a", "Ada"), onWish: { _, _ in }, onAllCalls: {})
            world.dialogs.show([contact("a", "Ada L."), contact("b", "Ben")])
            #expect(world.dialogs.open[.contact("a")] != nil)
            world.dialogs.show([contact("b", "Ben")])
            #expect(world.dialogs.open[.contact("a")] == nil)
        }
    }

    @Test func `a picture is seen before it is kept`() throws {
        try onMain {
            let world = PretendedWindows()
            defer { world.close() }
            world.dialogs.showProfile()
            let dialog = try #require(world.dialogs.open[.ownProfile] as? ProfileDialog)
            let folder = try TemporaryFolder()
            let file = folder.file("a.jpg")
            try Data(SamplePictures.jpeg).write(to: URL(fileURLWithPath: file))
            let avatar = try #require(find(adw_avatar_get_type(), in: dialog.window.root).first)
            let save = try #require(
                find(gtk_button_get_type(), in: dialog.window.root).first { $0[property: "label"] == "Save" })
            dialog.setPicture(folder.file("none.jpg"))
            wait(for: "the reason") {
                find(gtk_label_get_type(), in: dialog.window.root).contains {
                    $0.text == "The picture can't be read; choose another file." && $0.isVisible
                }
            }
            #expect(!save.isSensitive)
            dialog.setPicture(file)
            wait(for: "the picture") { adw_avatar_get_custom_image(avatar.pointer()) != nil }
            #expect(world.provider.profile.picture == nil)
            #expect(save.isSensitive)
            try save.emit("clicked")
            wait(for: "it to be kept") { world.provider.profile.picture?.width == 16 }
            wait(for: "the window to go") { world.dialogs.open[.ownProfile] == nil }
        }
    }
}
