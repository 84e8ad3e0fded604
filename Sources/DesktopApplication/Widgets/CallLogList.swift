import CGtk
import Foundation
import GLibKit
import Parley

/// The list of the log: GTK makes as many rows as are seen and uses them again. Its model has a text for each row, by which the row is
/// found in the ``CallLogRows``.
@MainActor final class CallLogList {
    /// Is told what the person wants of a call.
    var onWish: @MainActor (LoggedCall, CallLogWish) -> Void = { _, _ in }
    /// Works out what is shown of a call.
    var present: @MainActor (LoggedCall) -> CallLogPresentation = { CallLogPresentation($0) }

    private let model = Object(adopting: UnsafeMutableRawPointer(gtk_string_list_new(nil)))
    /// The rows there are, by their items of the list.
    private var made: [UnsafeMutableRawPointer: CallLogRow] = [:]
    /// Those that show something.
    private var bound: [UnsafeMutableRawPointer: CallLogRows.Row] = [:]
    private var rows = CallLogRows()
    private let view: Widget
    private let actions: ActionGroup

    /// Takes charge of a list view.
    init(_ view: Widget) {
        self.view = view
        actions = ActionGroup("call-list", in: view)
        // The list gives the focus to what is around a row, where the row's own keys would not be known.
        actions.add("menu") { [weak self] in self?.openMenu() }
        for key in ["Menu", "<Shift>F10"] { view.addKey(key, starting: "call-list.menu") }
        let factory = Object(adopting: UnsafeMutableRawPointer(gtk_signal_list_item_factory_new()))
        factory.connect("setup") { [weak self] in if let item = $0.object(0) { self?.setUp(item) } }
        factory.connect("bind") { [weak self] in if let item = $0.object(0) { self?.bind(item) } }
        factory.connect("unbind") { [weak self] in if let item = $0.object(0) { self?.bound[item.pointer()] = nil } }
        factory.connect("teardown") { [weak self] in if let item = $0.object(0) { self?.made[item.pointer()] = nil } }
        g_object_ref(model.raw)  // the selection takes a reference over
        let selection = Object(adopting: UnsafeMutableRawPointer(gtk_no_selection_new(model.pointer())))
        gtk_list_view_set_factory(view.pointer(), factory.pointer())
        gtk_list_view_set_model(view.pointer(), selection.pointer())
        view.connect("activate") { [weak self] in
            guard let position = $0.get(0, as: UInt32.self) else { return }
            self?.activate(Int(position))
        }
    }

    /// Takes all rows away.
    func clear() {
        rows = CallLogRows()
        splice(0, Int(g_list_model_get_n_items(model.pointer())), [])
    }

    /// Makes a change; `rows` are as they are behind it.
    func apply(_ change: CallLogRows.Change, _ rows: CallLogRows) {
        self.rows = rows
        guard change.removed > 0 || !change.added.isEmpty else { return }
        splice(change.position, change.removed, change.added.map(\.text))
    }

    /// Shows anew what is seen, as when a contact has changed.
    func renew() { for (item, row) in bound { if let made = made[item] { show(row, in: made) } } }

    private func splice(_ position: Int, _ removed: Int, _ added: [String]) {
        let copies = added.map { g_strdup($0) } + [nil]
        defer { for copy in copies { g_free(copy) } }
        var list = copies.map { UnsafePointer($0) }
        gtk_string_list_splice(model.pointer(), guint(position), guint(removed), &list)
    }

    private func setUp(_ item: Object) {
        let row = CallLogRow { [weak self] in self?.onWish($0, $1) }
        made[item.pointer()] = row
        gtk_list_item_set_child(item.pointer(), row.root.pointer())
    }

    private func bind(_ item: Object) {
        guard
            let text = gtk_list_item_get_item(item.pointer()).flatMap({
                gtk_string_object_get_string(OpaquePointer($0))
            }),
            let row = CallLogRows.Row(text: String(cString: text)), let made = made[item.pointer()]
        else { return }
        bound[item.pointer()] = row
        if case .day = row {
            gtk_list_item_set_activatable(item.pointer(), 0)
        } else {
            gtk_list_item_set_activatable(item.pointer(), 1)
        }
        show(row, in: made)
    }

    private func show(_ row: CallLogRows.Row, in made: CallLogRow) {
        switch row {
        case .day(let date): made.show(heading: CallLogPresentation.heading(date))
        case .call(let id): if let call = rows[id] { made.show(call, present(call)) }
        }
    }

    /// Opens the menu of the row with the focus.
    private func openMenu() {
        guard let root = gtk_widget_get_root(view.pointer()), let focus = gtk_root_get_focus(root) else { return }
        let row = made.values.first {
            let row: UnsafeMutablePointer<GtkWidget> = $0.root.pointer()
            return gtk_widget_is_ancestor(row, focus) != 0 || gtk_widget_is_ancestor(focus, row) != 0
        }
        row?.openMenu()
    }

    private func activate(_ position: Int) {
        guard rows.rows.indices.contains(position), case .call(let id) = rows.rows[position], let call = rows[id] else {
            return
        }
        onWish(call, .details)
    }
}

extension CallLogRows.Row {
    /// What stands for it in the list's model.
    fileprivate var text: String {
        switch self {
        case .day(let date): "day \(Int64(date.timeIntervalSince1970))"
        case .call(let id): "call \(id)"
        }
    }

    fileprivate init?(text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, let number = Int64(words[1]) else { return nil }
        self = words[0] == "day" ? .day(Date(timeIntervalSince1970: TimeInterval(number))) : .call(number)
    }
}
