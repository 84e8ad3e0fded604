import CGtk
import GLibKit

/// The list of contacts, kept in step with the account without rebuilding rows that stay.
@MainActor final class ContactList {
    private let list: Widget
    private let emptyPage: Widget
    private let onWish: @MainActor (ContactItem, ContactWish) -> Void
    private var rows: [ContactItem.ID: ContactRow] = [:]
    private var order: [ContactItem.ID] = []

    /// Fills the given list box; the empty page is shown instead while there is nobody.
    init(list: Widget, emptyPage: Widget, onWish: @escaping @MainActor (ContactItem, ContactWish) -> Void) {
        self.list = list
        self.emptyPage = emptyPage
        self.onWish = onWish
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
                rows[contact.id] = row
                gtk_list_box_insert(list.pointer(), row.root.pointer(), gint(clamping: index))
            }
        }
        order = wanted
        list.isVisible = !contacts.isEmpty
        emptyPage.isVisible = contacts.isEmpty
    }

    private func remove(_ id: ContactItem.ID) {
        guard let row = rows.removeValue(forKey: id) else { return }
        gtk_list_box_remove(list.pointer(), row.root.pointer())
    }
}
