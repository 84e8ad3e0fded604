import CGtk
import GLibKit

/// The list of contacts, kept in step with the account without rebuilding rows that stay.
@MainActor final class ContactList {
    /// Is told whose rows are chosen.
    var onSelection: @MainActor ([ContactItem]) -> Void = { _ in }
    private let list: Widget
    private let emptyPage: Widget
    private let nothingFound: Widget
    private let onWish: @MainActor (ContactItem, ContactWish) -> Void
    private var rows: [ContactItem.ID: ContactRow] = [:]
    private var order: [ContactItem.ID] = []
    private var isSelecting = false
    private var text = ""

    /// Fills the given list box; the empty page is shown instead while there is nobody, `nothingFound` while nobody is found.
    init(
        list: Widget, emptyPage: Widget, nothingFound: Widget,
        onWish: @escaping @MainActor (ContactItem, ContactWish) -> Void
    ) {
        self.list = list
        self.emptyPage = emptyPage
        self.nothingFound = nothingFound
        self.onWish = onWish
        list.connect("row-activated") { [weak self] arguments in
            guard let pressed = arguments.object(0) else { return }
            self?.rows.values.first { $0.root.raw == pressed.raw }?.activate()
        }
    }

    /// Shows exactly these contacts, in this order.
    func show(_ contacts: [ContactItem]) {
        let wanted = contacts.map(\.id)
        for id in order where !wanted.contains(id) { remove(id) }
        if order.filter(wanted.contains) != wanted.filter({ rows[$0] != nil }) { order.forEach(remove) }
        for (index, contact) in contacts.enumerated() {
            if let row = rows[contact.id] {
                row.show(contact)
            } else {
                let row = ContactRow(contact, onWish: onWish)
                row.onSelection = { [weak self] in self?.tellSelection() }
                if isSelecting { row.setSelecting(true) }
                rows[contact.id] = row
                gtk_list_box_insert(list.pointer(), row.root.pointer(), gint(clamping: index))
            }
        }
        order = wanted
        filter()
        tellSelection()
    }

    /// Shows only those who have this text in one of their names.
    func search(_ text: String) {
        self.text = text
        filter()
    }

    /// Has rows chosen, or does what rows do.
    func setSelecting(_ isSelecting: Bool) {
        self.isSelecting = isSelecting
        for row in rows.values { row.setSelecting(isSelecting) }
        tellSelection()
    }

    /// Those whose rows are chosen.
    var selected: [ContactItem] { order.compactMap { rows[$0] }.filter(\.isSelected).map(\.contact) }

    private func filter() {
        var isAnybodyShown = false
        for row in rows.values {
            row.root.isVisible = row.matches(text)
            isAnybodyShown = isAnybodyShown || row.root.isVisible
        }
        list.isVisible = isAnybodyShown
        emptyPage.isVisible = order.isEmpty
        nothingFound.isVisible = !order.isEmpty && !isAnybodyShown
    }

    private func tellSelection() { onSelection(selected) }

    private func remove(_ id: ContactItem.ID) {
        guard let row = rows.removeValue(forKey: id) else { return }
        gtk_list_box_remove(list.pointer(), row.root.pointer())
    }
}
