import CGtk
import GLibKit
import TestSupport
import Testing

@testable import DesktopApplication

/// Lists of which rows may be pressed while they change.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class ItemRowsTests: WindowSuite, @unchecked Sendable {
    // Unchecked, as its parent.

    private struct Item: Identifiable, Equatable {
        let id: Int
        var name: String
    }

    @MainActor private func show(_ items: [Item], in rows: ItemRows<Item, Template>) {
        rows.show(items, make: { _ in Template("nearby-row") }, fill: { $0.root.text = $1.name })
    }

    @MainActor private func children(_ list: Widget) -> [Widget] {
        let first = gtk_widget_get_first_child(list.pointer())
        return sequence(first: first) { $0.flatMap { gtk_widget_get_next_sibling($0) } }
            .prefix { $0 != nil }.compactMap { $0.map { Widget(retaining: UnsafeMutableRawPointer($0)) } }
    }

    @Test func `a row stays while its item is there, whatever comes and goes`() {
        onMain {
            let list = Widget(retaining: UnsafeMutableRawPointer(gtk_list_box_new()))
            let rows = ItemRows<Item, Template>(list)
            var random = SeededGenerator(seed: 7)
            var items: [Item] = []
            var widgets: [Int: Widget] = [:]
            for step in 0..<300 {
                items = (0..<8).filter { _ in Bool.random(using: &random) }.shuffled(using: &random)
                    .map { Item(id: $0, name: "\($0) \(Bool.random(using: &random) ? 0 : step)") }
                show(items, in: rows)
                let shown = children(list)
                #expect(shown.map(\.text) == items.map(\.name), "step \(step)")
                let now = Dictionary(uniqueKeysWithValues: zip(items.map(\.id), shown))
                for (id, widget) in now {
                    if let before = widgets[id] { #expect(before.raw == widget.raw, "step \(step)") }
                    let item = items.first { $0.id == id }
                    #expect(rows[id] == item)
                }
                widgets = now
            }
        }
    }

    @Test func `a key that is down on a row's button does its work though the list changes`() throws {
        try onMain {
            let list = Widget(retaining: UnsafeMutableRawPointer(gtk_list_box_new()))
            let rows = ItemRows<Item, Template>(list)
            var pressed: [Int] = []
            let make = { @MainActor (id: Int) in
                let row = Template("nearby-row")
                row["connect_button"].connect("clicked") { pressed.append(id) }
                return row
            }
            rows.show([Item(id: 1, name: "Ada")], make: make) { $0.root.text = $1.name }
            let window = window(list, width: 300, height: 200)
            defer { gtk_window_destroy(window.pointer()) }
            let button = try #require(descendants(of: list).first { $0.isA(gtk_button_get_type()) })
            gtk_widget_activate(button.pointer())
            rows.show([Item(id: 2, name: "Ben"), Item(id: 1, name: "Ada L.")], make: make) { $0.root.text = $1.name }
            wait(for: "the press") { pressed == [1] }
        }
    }
}
