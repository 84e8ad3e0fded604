import CGtk
import GLibKit

/// The rows of a list box, one for each item.
///
/// A row stays the widget it is for as long as its item is there, so that the focus, and a press that is under way, outlast news of
/// this item and of others.
@MainActor final class ItemRows<Item: Identifiable & Equatable, Row: ItemRow> {
    private let list: Widget
    private var shown: [(item: Item, row: Row)] = []

    /// Fills a list box that is empty.
    init(_ list: Widget) { self.list = list }

    /// Whether there are none.
    var isEmpty: Bool { shown.isEmpty }

    /// An item as it is shown now.
    subscript(id: Item.ID) -> Item? { shown.first { $0.item.id == id }?.item }

    /// Shows exactly these, in their order: `make` gives a new row for an item, and `fill` has it show what the item says now.
    func show(_ items: [Item], make: (Item.ID) -> Row, fill: (Row, Item) -> Void) {
        let ids = Set(items.map(\.id))
        for (item, row) in shown where !ids.contains(item.id) {
            gtk_list_box_remove(list.pointer(), row.root.pointer())
        }
        // What the list holds behind the rows that are in their place already.
        var waiting = shown.filter { ids.contains($0.item.id) }
        shown = items.enumerated().map { index, item in
            guard let place = waiting.firstIndex(where: { $0.item.id == item.id }) else {
                let row = make(item.id)
                fill(row, item)
                gtk_list_box_insert(list.pointer(), row.root.pointer(), Int32(index))
                return (item, row)
            }
            let (old, row) = waiting.remove(at: place)
            if old != item { fill(row, item) }
            if place > 0 {
                gtk_list_box_remove(list.pointer(), row.root.pointer())
                gtk_list_box_insert(list.pointer(), row.root.pointer(), Int32(index))
            }
            return (item, row)
        }
    }
}

/// What a list shows of one item.
@MainActor protocol ItemRow {
    /// The row itself.
    var root: Widget { get }
}

extension Template: ItemRow {}
