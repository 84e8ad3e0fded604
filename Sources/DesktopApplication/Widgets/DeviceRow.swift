import CGtk
import GLibKit
import MediaRules

/// A row of the preferences that lists devices of one kind.
@MainActor final class DeviceRow {
    private let row: Widget
    private let model = Object(adopting: UnsafeMutableRawPointer(gtk_string_list_new(nil)))
    private var picker: DevicePicker?
    /// The place that was chosen or shown last.
    private var last = 0
    private var isShowing = false

    /// Takes charge of a combo row; `onChoice` is told what the person chooses.
    init(_ row: Widget, onChoice: @escaping @MainActor (MediaDevice?) -> Void) {
        self.row = row
        adw_combo_row_set_model(row.pointer(), model.pointer())
        row.connect("notify::selected") { [weak self] in
            guard let self, !isShowing, let picker else { return }
            let index = Int(adw_combo_row_get_selected(self.row.pointer()))
            guard picker.entries.indices.contains(index), index != last else { return }
            last = index
            onChoice(picker.entries[index].device)
        }
    }

    /// Shows what there is and what is chosen.
    func show(_ picker: DevicePicker) {
        guard picker != self.picker || picker.selected != last else { return }
        last = picker.selected
        isShowing = true
        defer { isShowing = false }
        if picker.entries != self.picker?.entries { replace(picker.entries.map(\.title)) }
        self.picker = picker
        adw_combo_row_set_selected(row.pointer(), guint(picker.selected))
        row[property: "subtitle"] = picker.subtitle
    }

    private func replace(_ titles: [String]) {
        let copies = titles.map { g_strdup($0) } + [nil]
        defer { for copy in copies { g_free(copy) } }
        var list = copies.map { UnsafePointer($0) }
        gtk_string_list_splice(model.pointer(), 0, g_list_model_get_n_items(model.pointer()), &list)
    }
}
