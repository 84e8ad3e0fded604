import BaseKit
import CGtk
import Calling
import GLibKit
import Parley
import Wording
import XCTest

@testable import DesktopApplication
@testable import FakeCalls

/// The log of calls in the main window, in this process.
final class CallLogPageTests: WindowTestCase, @unchecked Sendable {
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
        try XCTUnwrap(descendants(of: root).first { $0.isA(gtk_list_view_get_type()) })
    }

    @MainActor private func count(_ root: Widget) throws -> Int {
        gtk_list_view_get_model(try view(root).pointer()).map { Int(g_list_model_get_n_items($0)) } ?? 0
    }

    func testTheMenuKeyOpensTheMenuOfTheCallWithTheFocus() throws {
        try onMain {
            let (world, window) = open(8)
            defer { gtk_window_destroy(window.pointer()) }
            let view = try view(world.page.root)
            let menus = { self.descendants(of: view).filter { $0.typeName == "GtkPopoverMenu" } }
            let before = menus().count
            let button = try XCTUnwrap(buttons("Menu for", in: view).dropFirst().first)
            gtk_widget_grab_focus(button.pointer())
            gtk_widget_activate_action_variant(view.pointer(), "call-list.menu", nil)
            let opened = menus().filter { gtk_widget_get_mapped($0.pointer()) != 0 }
            XCTAssertEqual(menus().count, before + 1)
            let row = try XCTUnwrap(opened.first.flatMap { gtk_widget_get_parent($0.pointer()) })
            XCTAssertNotEqual(gtk_widget_is_ancestor(button.pointer(), row), 0)
        }
    }

    func testNothingIsReadBeforeThePageIsSeenAndAnEmptyLogSaysSo() {
        onMain {
            let world = World(3)
            let window = window(world.page.root, width: 600, height: 700)
            for _ in 0..<50 { g_main_context_iteration(nil, 0) }
            XCTAssertFalse(shows("Today", in: world.page.root))
            gtk_window_destroy(window.pointer())
            let (empty, other) = open(0)
            XCTAssertTrue(shows("Calls that have ended are listed here.", in: empty.page.root))
            gtk_window_destroy(other.pointer())
        }
    }

    func testCallsAreListedByDayAndCalledBack() throws {
        try onMain {
            let (world, window) = open(30)
            let texts = labels(world.page.root)
            XCTAssertEqual(texts.first { $0 == "Today" || $0 == "Yesterday" }, "Today")
            XCTAssertTrue(texts.contains("Test call"), "\(texts)")
            XCTAssertTrue(texts.contains { $0.hasPrefix("Missed call · ") }, "\(texts)")
            try XCTUnwrap(buttons("Call Dora Declines back", in: world.page.root).first).emit("clicked")
            try XCTUnwrap(buttons("Call Cem Calls-Back back with video", in: world.page.root).first).emit("clicked")
            XCTAssertEqual(world.called, ["declines audio", "callsBack video"])
            gtk_window_destroy(window.pointer())
        }
    }

    func testTheListReadsOnAsOneScrolls() throws {
        try onMain {
            let (world, window) = open(100_000)
            wait(for: "the first page") { (try? self.count(world.page.root)) ?? 0 > 50 }
            let first = try count(world.page.root)
            XCTAssertLessThan(first, 400)
            // GTK makes rows for what is seen only.
            XCTAssertLessThan(buttons("Menu for", in: world.page.root).count, 250)
            // Menus scroll, too.
            let scroller = try XCTUnwrap(
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

    func testMissedCallsKindsAndNamesAreLookedFor() throws {
        try onMain {
            let (world, window) = open(60)
            let root = world.page.root
            let toggles = descendants(of: root).filter { $0.isA(gtk_toggle_button_get_type()) }
            let missed = try XCTUnwrap(toggles.first { $0.text == "Missed" })
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
            try XCTUnwrap(toggles.first { $0.text == "All" })[property: "active"] = true
            gtk_widget_activate_action_variant(root.pointer(), "log.kind", g_variant_new_string("all"))
            world.page.search()
            let entry = try XCTUnwrap(descendants(of: root).first { $0.isA(gtk_search_entry_get_type()) })
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

    func testACallIsDeletedUnlessThatIsUndone() throws {
        try onMain {
            let (world, window) = open(3)
            let root = world.page.root
            let names = { self.labels(root).filter { ["Test call", "Dora Declines", "Cem Calls-Back"].contains($0) } }
            XCTAssertEqual(names(), ["Test call", "Dora Declines", "Cem Calls-Back"])
            let call = try XCTUnwrap(world.provider.log.calls.dropFirst().first)
            world.page.perform(.delete, call)
            wait(for: "the call to go") { names() == ["Test call", "Cem Calls-Back"] }
            XCTAssertEqual(world.said, ["The call was deleted."])
            XCTAssertEqual(world.provider.log.calls.count, 3)
            world.undo?()
            wait(for: "the call to come back") { names().count == 3 }
            world.done?()
            world.page.perform(.delete, call)
            world.done?()
            wait(for: "the end of the call") { world.provider.log.calls.count == 2 }
            XCTAssertEqual(names(), ["Test call", "Cem Calls-Back"])
            // What waits is deleted when the window closes.
            world.page.perform(.delete, try XCTUnwrap(world.provider.log.calls.first))
            world.page.commit()
            wait(for: "the end of the other") { world.provider.log.calls.count == 1 }
            gtk_window_destroy(window.pointer())
        }
    }

    func testAllCallsAreDeletedOnlyWhenThatWasAskedFor() {
        onMain {
            let (world, window) = open(5)
            gtk_widget_activate_action_variant(world.page.root.pointer(), "log.delete-all", nil)
            XCTAssertNotNil(world.onYes)
            XCTAssertEqual(world.provider.log.calls.count, 5)
            world.onYes?()
            wait(for: "an empty log") { self.shows("No calls yet", in: world.page.root) }
            XCTAssertEqual(world.provider.log.calls, [])
            gtk_window_destroy(window.pointer())
        }
    }

    func testACallThatEndsIsTheFirstOfTheList() throws {
        try onMain {
            let (world, window) = open(2)
            var record = try XCTUnwrap(world.provider.log.calls.first).record
            record.name = "Somebody new"
            record.contact = ContactID(rawValue: "nobody")
            world.provider.log.add(record)
            wait(for: "the call") { self.labels(world.page.root).contains("Somebody new") }
            let names = labels(world.page.root).filter { ["Somebody new", "Test call"].contains($0) }
            XCTAssertEqual(names, ["Somebody new", "Test call"])
            // Who is no contact can't be called.
            XCTAssertEqual(buttons("Call Somebody new back", in: world.page.root).count, 0)
            gtk_window_destroy(window.pointer())
        }
    }

    func testDetailsAreShownAndAnswered() throws {
        try onMain {
            let (world, window) = open(3)
            let call = try XCTUnwrap(world.provider.log.calls.first)
            try view(world.page.root).emit("activate", UInt32(1))
            XCTAssertEqual(world.details, [call])
            var wishes: [CallLogWish] = []
            for tooltip in ["Call Test call back", "Call Test call back with video", "Delete this call from the log"] {
                let dialog = CallDetailsDialog(over: window, call: call, contact: FakeScript.answers.contact) {
                    wishes.append($0)
                }
                dialog.window.present()
                wait(for: "the details") { !self.buttons("Delete this call", in: dialog.window.root).isEmpty }
                let rows = descendants(of: dialog.window.root).filter { $0.isA(adw_action_row_get_type()) }
                XCTAssertEqual(rows.first?.text, "Call")
                XCTAssertTrue(rows.contains { $0.text == "Quality" })
                let button = buttons(tooltip, in: dialog.window.root).first { $0[property: "tooltip-text"] == tooltip }
                try XCTUnwrap(button).emit("clicked")
                wait(for: "the window to close") { !dialog.window.isOpen }
            }
            XCTAssertEqual(wishes, [.call(.audio), .call(.video), .delete])
            gtk_window_destroy(window.pointer())
        }
    }

    func testHowTheLogIsKeptIsChosen() throws {
        try onMain {
            let provider = FakeProvider(pause: .zero)
            let parent = Widget(retaining: UnsafeMutableRawPointer(gtk_window_new()))
            let preferences = PreferencesWindow(over: parent, provider: provider)
            preferences.window.present()
            let rows = descendants(of: preferences.window.root)
            let row = try XCTUnwrap(rows.first { $0.isA(adw_combo_row_get_type()) && $0.text == "Keep them" })
            wait(for: "what holds") { adw_combo_row_get_selected(row.pointer()) == 4 }
            adw_combo_row_set_selected(row.pointer(), 2)
            wait(for: "the choice to be kept") { provider.log.settings.period == .month }
            let action = try XCTUnwrap(
                rows.first { $0.isA(adw_action_row_get_type()) && $0.text == "Keep calls in the log" })
            let toggle = try XCTUnwrap(descendants(of: action).first { $0.isA(gtk_switch_get_type()) })
            toggle[property: "active"] = false
            wait(for: "the log to be off") { !provider.log.settings.isOn }
            XCTAssertEqual(provider.log.settings.period, .month)
            preferences.window.close()
        }
    }
}
