import CGtk
import Foundation
import GLibKit
import Testing

@testable import DesktopApplication
@testable import FakeCalls

/// The windows over the main one: how they are made, and what becomes of them when one below goes.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class DialogsTests: WindowSuite, @unchecked Sendable {
    // Unchecked, as its parent.

    @MainActor private final class Answers {
        var all: [String?] = []
    }

    @Test func `a question for a passphrase is given up when the window below it goes`() {
        onMain {
            let world = PretendedWindows()
            defer { world.close() }
            for _ in 0..<2 {
                world.dialogs.showPreferences()
                let answers = Answers()
                Task { answers.all.append(await world.provider.askForPassphrase?(.new) ?? nil) }
                wait(for: "the question") {
                    guard let asked = world.dialogs.open[.passphrase]?.window.root else { return false }
                    return gtk_widget_get_mapped(asked.pointer()) != 0
                }
                world.dialogs.open[.preferences]?.window.close()
                wait(for: "the answer") { answers.all == [nil] }
                #expect(world.dialogs.open[.passphrase] == nil)
            }
        }
    }

    @Test func `windows over the main one are dialogs, and questions alerts`() throws {
        try onMain {
            let world = PretendedWindows()
            defer { world.close() }
            world.dialogs.showPreferences()
            world.dialogs.askToStay { _ in }
            let window = try #require(world.dialogs.open[.preferences]?.window.root)
            let question = try #require(world.dialogs.open[.question("stay")]?.window.root)
            #expect(gtk_accessible_get_accessible_role(window.pointer()) == GTK_ACCESSIBLE_ROLE_DIALOG)
            #expect(gtk_accessible_get_accessible_role(question.pointer()) == GTK_ACCESSIBLE_ROLE_ALERT_DIALOG)
        }
    }

    @Test func `a passphrase that was typed is the only answer`() throws {
        try onMain {
            let world = PretendedWindows()
            defer { world.close() }
            let answers = Answers()
            Task { answers.all.append(await world.provider.askForPassphrase?(.open(isRepeat: false)) ?? nil) }
            wait(for: "the question") { world.dialogs.open[.passphrase] != nil }
            let root = try #require(world.dialogs.open[.passphrase]?.window.root)
            let entry = descendants(of: root).first { $0.isA(adw_password_entry_row_get_type()) }
            entry?.text = "correct horse"
            adw_message_dialog_response(root.pointer(), "go-on")
            wait(for: "the answer") { answers.all == ["correct horse"] }
        }
    }

    @Test func `a removal can be undone as long as that is offered, also behind another one`() throws {
        try onMain {
            let world = PretendedWindows()
            defer { world.close() }
            world.provider.contacts = ["Ada & <Ben>", "Cem", "Dora"].map {
                ContactItem(id: $0, name: $0, isTestCall: false, isConnected: true)
            }
            let all = world.provider.contacts
            world.dialogs.remove([all[1]])
            wait(for: "the first removal") { world.provider.removed.map(\.1.id) == ["Cem"] }
            world.dialogs.remove([all[0]])
            wait(for: "the second removal") { world.provider.removed.count == 2 }
            wait(for: "the first sentence") { label("Cem was removed.", in: world) != nil }
            try #require(closeButton(in: world)).emit("clicked")
            wait(for: "the first one's end") { world.provider.removed.map(\.1.id) == ["Ada & <Ben>"] }
            // A name that looks like markup.
            wait(for: "the second sentence") { label("Ada & <Ben> was removed.", in: world) != nil }
            // The other one's goes slowly.
            wait(for: "a single button") { undoButtons(in: world).count == 1 }
            try #require(undoButtons(in: world).first).emit("clicked")
            wait(for: "who is back") { world.provider.contacts.map(\.id) == ["Ada & <Ben>", "Dora"] }
            #expect(world.provider.removed.isEmpty)
        }
    }

    @MainActor private func label(_ text: String, in world: PretendedWindows) -> Widget? {
        descendants(of: world.window.root).first {
            // What is shown, without markup.
            $0.isA(gtk_label_get_type()) && gtk_label_get_text($0.pointer()).map { String(cString: $0) } == text
        }
    }

    @MainActor private func undoButtons(in world: PretendedWindows) -> [Widget] {
        descendants(of: world.window.root).filter { $0.isA(gtk_button_get_type()) && $0.text == "Undo" }
    }

    /// What sends a toast away.
    @MainActor private func closeButton(in world: PretendedWindows) -> Widget? {
        descendants(of: world.window.root).first {
            $0.isA(gtk_button_get_type()) && $0[property: "icon-name"] == "window-close-symbolic"
        }
    }

    @Test func `a question that is open is not made again`() throws {
        try onMain {
            let world = PretendedWindows()
            defer { world.close() }
            world.provider.address = "https://parley.invalid/a#pretended"
            world.dialogs.showAddress()
            let address = try #require(world.dialogs.open[.address]?.window.root)
            let delete = try #require(
                descendants(of: address).first { $0.isA(gtk_button_get_type()) && $0.text.hasPrefix("Delete") })
            let before = world.windowCount
            for _ in 0..<3 { try delete.emit("clicked") }
            #expect(world.windowCount == before + 1, "the question itself")
            world.dialogs.open[.question("address")]?.window.close()
            wait(for: "the question to go") { world.windowCount == before }
        }
    }

    @Test func `preferences that are open follow a relay that is chosen elsewhere`() throws {
        try onMain {
            let world = PretendedWindows()
            defer { world.close() }
            world.dialogs.showPreferences()
            world.dialogs.showReach()
            let preferences = try #require(world.dialogs.open[.preferences]?.window.root)
            let reach = try #require(world.dialogs.open[.reach]?.window.root)
            let title = "Ask my relays for my address"
            let toggle = try #require(
                descendants(of: preferences).first { $0.isA(adw_action_row_get_type()) && $0.text == title }
                    .flatMap { $0.first(gtk_switch_get_type()) })
            #expect(toggle[property: "active"] == false)
            let accept = try #require(
                descendants(of: reach).first {
                    $0.isA(gtk_button_get_type()) && $0.first(gtk_label_get_type())?.text == "Accept and Use"
                })
            try accept.emit("clicked")
            wait(for: "the switch to follow") { toggle[property: "active"] == true }
        }
    }

    @Test func `that somebody was asked is not said once they have accepted`() throws {
        try onMain {
            let world = PretendedWindows()
            defer { world.close() }
            let link = LinkItem(link: "https://parley.invalid/a#asked", kind: .address, relays: ["relay.invalid"])
            world.dialogs.open(link) {}
            let question = try #require(world.dialogs.open[.link]?.window.root)
            let connect = try #require(
                descendants(of: question).first { $0.isA(gtk_button_get_type()) && $0.text == "Connect" })
            try connect.emit("clicked")
            wait(for: "the first sentence") { labels("Asked.", in: world).contains { isMapped($0) } }
            wait(for: "the second sentence") { labels("Friend by link is now", in: world).contains { isMapped($0) } }
            wait(for: "the first one to go") { !labels("Asked.", in: world).contains { isMapped($0) } }
        }
    }

    @MainActor private func labels(_ beginning: String, in world: PretendedWindows) -> [Widget] {
        descendants(of: world.window.root).filter { $0.isA(gtk_label_get_type()) && $0.text.hasPrefix(beginning) }
    }

    @MainActor private func isMapped(_ widget: Widget) -> Bool { gtk_widget_get_mapped(widget.pointer()) != 0 }

    @Test func `no window is made that is not shown`() {
        onMain {
            let world = PretendedWindows()
            defer { world.close() }
            let before = world.windowCount
            let all: [@MainActor () -> Void] = [
                { world.dialogs.addContact() }, { world.dialogs.showAddress() }, { world.dialogs.showPreferences() },
                { world.dialogs.showShortcuts() }, { world.dialogs.showAbout() }, { world.dialogs.showProfile() },
            ]
            for _ in 0..<2 { for open in all { open() } }
            #expect(world.windowCount == before + UInt32(all.count))
            world.dialogs.open.closeAll()
            wait(for: "all to go") { world.windowCount == before }
        }
    }
}
