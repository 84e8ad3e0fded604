import BaseKit
import CGtk
import Calling
import Foundation
import GLibKit
import Parley
import Testing
import Wording

@testable import DesktopApplication
@testable import FakeCalls

/// The log of calls in the main window, in this process.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class CallLogPageTests: WindowSuite, @unchecked Sendable {
    // Unchecked, as its parent.

    /// A page and what it asks for.
    @MainActor private final class World {
        let provider: FakeProvider
        private(set) var page: CallLogPage!
        var called: [String] = []
        var details: [LoggedCall] = []
        var said: [String] = []
        var onYes: (@MainActor () -> Void)?
        var undo: (@MainActor () -> Void)?
        var done: (@MainActor () -> Void)?

        init(_ count: Int) {
            provider = FakeProvider(pause: .zero, callCount: count)
            page = CallLogPage(
                provider,
                requests: CallLogPage.Requests(
                    call: { [weak self] in self?.called.append("\($0.id) \($1)") },
                    callTogether: { [weak self] in
                        self?.called.append("together " + $0.map(\.id).joined(separator: " ") + " \($1)")
                    }, comeBack: { [weak self] in self?.called.append("come back") },
                    details: { [weak self] call, _ in self?.details.append(call) },
                    askToDeleteAll: { [weak self] in self?.onYes = $0 },
                    undo: { [weak self] sentence, onUndo, onDone in
                        self?.said.append(sentence)
                        self?.undo = onUndo
                        self?.done = onDone
                    }, say: { [weak self] error, _ in self?.said.append(sentence(of: error)) }))
            page.show(FakeScript.allCases.map(\.contact))
        }
    }

    @MainActor private func open(_ count: Int) -> (World, Widget) {
        let world = World(count)
        let window = window(world.page.root, width: 600, height: 700)
        world.page.setShown(true)
        wait(for: "the log") { self.shows(count == 0 ? "No calls yet" : "Today", in: world.page.root) }
        return (world, window)
    }

    @MainActor private func labels(_ widget: Widget) -> [String] {
        descendants(of: widget).filter { $0.isA(gtk_label_get_type()) && gtk_widget_get_mapped($0.pointer()) != 0 }
            .map(\.text)
    }

    @MainActor private func shows(_ text: String, in widget: Widget) -> Bool {
        labels(widget).contains { $0.contains(text) }
    }

    /// The mapped buttons whose tooltips begin with this.
    @MainActor private func buttons(_ text: String, in widget: Widget) -> [Widget] {
        descendants(of: widget).filter {
            ($0.isA(gtk_button_get_type()) || $0.isA(gtk_menu_button_get_type()))
                && gtk_widget_get_mapped($0.pointer()) != 0
                && ($0[property: "tooltip-text"] as String?)?.hasPrefix(text) == true
        }
    }

    @MainActor private func view(_ root: Widget) throws -> Widget {
        try #require(descendants(of: root).first { $0.isA(gtk_list_view_get_type()) })
    }

    @MainActor private func count(_ root: Widget) throws -> Int {
        gtk_list_view_get_model(try view(root).pointer()).map { Int(g_list_model_get_n_items($0)) } ?? 0
    }

    @Test func `the menu key opens the menu of the call with the focus`() throws {
        try onMain {
            let (world, window) = open(8)
            defer { gtk_window_destroy(window.pointer()) }
            let view = try view(world.page.root)
            let menus = { self.descendants(of: view).filter { $0.typeName == "GtkPopoverMenu" } }
            let before = menus().count
            let button = try #require(buttons("Menu for", in: view).dropFirst().first)
            gtk_widget_grab_focus(button.pointer())
            gtk_widget_activate_action_variant(view.pointer(), "call-list.menu", nil)
            let opened = menus().filter { gtk_widget_get_mapped($0.pointer()) != 0 }
            #expect(menus().count == before + 1)
            let row = try #require(opened.first.flatMap { gtk_widget_get_parent($0.pointer()) })
            #expect(gtk_widget_is_ancestor(button.pointer(), row) != 0)
        }
    }

    @Test func `nothing is read before the page is seen, and an empty log says so`() {
        onMain {
            let world = World(3)
            let window = window(world.page.root, width: 600, height: 700)
            for _ in 0..<50 { g_main_context_iteration(nil, 0) }
            #expect(!shows("Today", in: world.page.root))
            gtk_window_destroy(window.pointer())
            let (empty, other) = open(0)
            #expect(shows("Calls that have ended are listed here.", in: empty.page.root))
            gtk_window_destroy(other.pointer())
        }
    }

    @Test func `calls are listed by day and called back`() throws {
        try onMain {
            let (world, window) = open(30)
            let texts = labels(world.page.root)
            #expect(texts.first { $0 == "Today" || $0 == "Yesterday" } == "Today")
            #expect(texts.contains("Test call"), "\(texts)")
            #expect(texts.contains { $0.hasPrefix("Missed call · ") }, "\(texts)")
            try #require(buttons("Call Dora Declines back", in: world.page.root).first).emit("clicked")
            try #require(buttons("Call Cem Calls-Back back with video", in: world.page.root).first).emit("clicked")
            #expect(world.called == ["declines audio", "callsBack video"])
            gtk_window_destroy(window.pointer())
        }
    }

    @Test func `the list reads on as one scrolls`() throws {
        try onMain {
            let (world, window) = open(100_000)
            wait(for: "the first page") { (try? self.count(world.page.root)) ?? 0 > 50 }
            let first = try count(world.page.root)
            #expect(first < 400)
            // GTK makes rows for what is seen only.
            #expect(buttons("Menu for", in: world.page.root).count < 250)
            // Menus scroll, too.
            let scroller = try #require(
                gtk_widget_get_ancestor(try view(world.page.root).pointer(), gtk_scrolled_window_get_type()))
            let adjustment = gtk_scrolled_window_get_vadjustment(OpaquePointer(scroller))
            for _ in 0..<3 {
                let before = try count(world.page.root)
                wait(for: "more calls") {
                    // The list learns how high it is as it makes rows.
                    gtk_adjustment_set_value(adjustment, gtk_adjustment_get_upper(adjustment))
                    return (try? self.count(world.page.root)) ?? 0 > before
                }
            }
            gtk_window_destroy(window.pointer())
        }
    }

    @Test func `missed calls, kinds and names are looked for`() throws {
        try onMain {
            let (world, window) = open(60)
            let root = world.page.root
            let toggles = descendants(of: root).filter { $0.isA(gtk_toggle_button_get_type()) }
            let missed = try #require(toggles.first { $0.text == "Missed" })
            missed[property: "active"] = true
            wait(for: "missed calls only") {
                let texts = self.labels(root).filter { $0.contains(" · ") }
                return !texts.isEmpty && texts.allSatisfy { $0.hasPrefix("Missed") }
            }
            gtk_widget_activate_action_variant(root.pointer(), "log.kind", g_variant_new_string("video"))
            wait(for: "missed video calls only") {
                let texts = self.labels(root).filter { $0.contains(" · ") }
                return !texts.isEmpty && texts.allSatisfy { $0.hasPrefix("Missed video call") }
            }
            try #require(toggles.first { $0.text == "All" })[property: "active"] = true
            gtk_widget_activate_action_variant(root.pointer(), "log.kind", g_variant_new_string("all"))
            world.page.search()
            let entry = try #require(descendants(of: root).first { $0.isA(gtk_search_entry_get_type()) })
            entry.text = "dora"
            wait(for: "one name only") {
                self.labels(root).contains("Dora Declines") && !self.labels(root).contains("Test call")
            }
            entry.text = "nobody of that name"
            wait(for: "nothing") { self.shows("No such calls", in: root) }
            try entry.emit("stop-search")
            wait(for: "all again") { self.labels(root).contains("Test call") }
            gtk_window_destroy(window.pointer())
        }
    }

    @Test func `a call is deleted unless that is undone`() throws {
        try onMain {
            let (world, window) = open(3)
            let root = world.page.root
            let names = { self.labels(root).filter { ["Test call", "Dora Declines", "Cem Calls-Back"].contains($0) } }
            #expect(names() == ["Test call", "Dora Declines", "Cem Calls-Back"])
            let call = try #require(world.provider.log.calls.dropFirst().first)
            world.page.perform(.delete, call)
            wait(for: "the call to go") { names() == ["Test call", "Cem Calls-Back"] }
            #expect(world.said == ["The call was deleted."])
            #expect(world.provider.log.calls.count == 3)
            world.undo?()
            wait(for: "the call to come back") { names().count == 3 }
            world.done?()
            world.page.perform(.delete, call)
            world.done?()
            wait(for: "the end of the call") { world.provider.log.calls.count == 2 }
            #expect(names() == ["Test call", "Cem Calls-Back"])
            // What waits is deleted when the window closes.
            world.page.perform(.delete, try #require(world.provider.log.calls.first))
            world.page.commit()
            wait(for: "the end of the other") { world.provider.log.calls.count == 1 }
            gtk_window_destroy(window.pointer())
        }
    }

    @Test func `all calls are deleted only when that was asked for`() {
        onMain {
            let (world, window) = open(5)
            gtk_widget_activate_action_variant(world.page.root.pointer(), "log.delete-all", nil)
            #expect(world.onYes != nil)
            #expect(world.provider.log.calls.count == 5)
            world.onYes?()
            wait(for: "an empty log") { self.shows("No calls yet", in: world.page.root) }
            #expect(world.provider.log.calls == [])
            gtk_window_destroy(window.pointer())
        }
    }

    @Test func `a call that ends is the first of the list`() throws {
        try onMain {
            let (world, window) = open(2)
            var record = try #require(world.provider.log.calls.first).record
            record.name = "Somebody new"
            record.contact = ContactID(rawValue: "nobody")
            world.provider.log.add(record)
            wait(for: "the call") { self.labels(world.page.root).contains("Somebody new") }
            let names = labels(world.page.root).filter { ["Somebody new", "Test call"].contains($0) }
            #expect(names == ["Somebody new", "Test call"])
            // Who is no contact can't be called.
            #expect(buttons("Call Somebody new back", in: world.page.root).count == 0)
            gtk_window_destroy(window.pointer())
        }
    }

    @Test func `a call of several is one entry, from which all are called again or one comes back`() throws {
        try onMain {
            let (world, window) = open(2)
            defer { gtk_window_destroy(window.pointer()) }
            let root = world.page.root
            let record = FakeLog.ofSeveral(with: [FakeScript.callsBack.contact, FakeScript.shares.contact], .random())
            world.provider.log.add(record)
            let names = "Cem Calls-Back, Sven Shares, Nora Newcomer"
            wait(for: "the call") { self.labels(root).contains(names) }
            let together = "Call Cem Calls-Back, Sven Shares together"
            #expect(buttons(together, in: root).isEmpty, "calls of several are switched off")
            world.page.show(takesGroupCalls: true, goesOn: nil)
            wait(for: "the button") { !self.buttons(together, in: root).isEmpty }
            try #require(buttons(together, in: root).first).emit("clicked")
            let row = try #require(buttons("Menu for " + names, in: root).first)
            gtk_widget_activate_action_variant(row.pointer(), "entry.video-call-all", nil)
            #expect(world.called == ["together callsBack shares audio", "together callsBack shares video"])
            gtk_widget_activate_action_variant(row.pointer(), "entry.come-back", nil)
            #expect(world.called.count == 2, "nobody goes on")
            world.page.show(takesGroupCalls: true, goesOn: record.callID)
            wait(for: "the way back") { self.buttons(together, in: root).isEmpty }
            gtk_widget_activate_action_variant(row.pointer(), "entry.call-all", nil)
            gtk_widget_activate_action_variant(row.pointer(), "entry.come-back", nil)
            #expect(world.called.dropFirst(2) == ["come back"])
        }
    }

    @Test func `details are shown and answered`() throws {
        try onMain {
            let (world, window) = open(3)
            let call = try #require(world.provider.log.calls.first)
            try view(world.page.root).emit("activate", UInt32(1))
            #expect(world.details == [call])
            var wishes: [CallLogWish] = []
            for tooltip in ["Call Test call back", "Call Test call back with video", "Delete this call from the log"] {
                let dialog = CallDetailsDialog(
                    over: window, call: call, .init(contacts: ["answers": FakeScript.answers.contact])
                ) {
                    wishes.append($0)
                }
                dialog.window.present()
                wait(for: "the details") { !self.buttons("Delete this call", in: dialog.window.root).isEmpty }
                let rows = descendants(of: dialog.window.root).filter { $0.isA(adw_action_row_get_type()) }
                #expect(rows.first?.text == "Call")
                #expect(rows.contains { $0.text == "Quality" })
                let button = buttons(tooltip, in: dialog.window.root).first { $0[property: "tooltip-text"] == tooltip }
                try #require(button).emit("clicked")
                wait(for: "the window to close") { !dialog.window.isOpen }
            }
            #expect(wishes == [.call(.audio), .call(.video), .delete])
            gtk_window_destroy(window.pointer())
        }
    }

    @Test func `how the log is kept is chosen`() throws {
        try onMain {
            let provider = FakeProvider(pause: .zero)
            let parent = Widget(retaining: UnsafeMutableRawPointer(gtk_window_new()))
            let preferences = PreferencesWindow(over: parent, provider: provider)
            preferences.window.present()
            let rows = descendants(of: preferences.window.root)
            let row = try #require(rows.first { $0.isA(adw_combo_row_get_type()) && $0.text == "Keep them" })
            wait(for: "what holds") { adw_combo_row_get_selected(row.pointer()) == 4 }
            adw_combo_row_set_selected(row.pointer(), 2)
            wait(for: "the choice to be kept") { provider.log.settings.period == .month }
            let action = try #require(
                rows.first { $0.isA(adw_action_row_get_type()) && $0.text == "Keep calls in the log" })
            let toggle = try #require(descendants(of: action).first { $0.isA(gtk_switch_get_type()) })
            toggle[property: "active"] = false
            wait(for: "the log to be off") { !provider.log.settings.isOn }
            #expect(provider.log.settings.period == .month)
            preferences.window.close()
        }
    }
}
