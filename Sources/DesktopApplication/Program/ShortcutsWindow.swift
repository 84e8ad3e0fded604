import CGtk
import GLibKit

/// The window of keyboard shortcuts. It is not GTK's, which has columns of a fixed width: large text is cut off there. Made anew each
/// time, so that no window is kept hidden (see `MiniWindow`).
@MainActor enum ShortcutsWindow {
    /// Makes it, to lie over another window. The keys of calls of several are shown where these are switched on.
    static func make(over parent: Widget, takesGroupCalls: Bool = false) -> DialogWindow {
        let template = Template("shortcuts")
        for row in ["hand_row", "people_row", "group_view_row", "add_people_row"] {
            template[row].isVisible = takesGroupCalls
        }
        let root = template.root
        name(rowsIn: root)
        return DialogWindow(root, over: parent)
    }

    /// A screen reader hears what a row says, and its keys in words.
    private static func name(rowsIn widget: Widget) {
        if widget.isA(gtk_list_box_row_get_type()) {
            let title = widget.first(gtk_label_get_type())?.text ?? ""
            let keys: String = widget.first(gtk_shortcut_label_get_type())?[property: "accelerator"] ?? ""
            widget.setAccessibleLabel(
                ([title] + keys.split(separator: " ").map { words(String($0)) }).joined(separator: ", "))
            return
        }
        var next = gtk_widget_get_first_child(widget.pointer())
        while let child = next {
            next = gtk_widget_get_next_sibling(child)
            name(rowsIn: Widget(retaining: UnsafeMutableRawPointer(child)))
        }
    }

    private static func words(_ accelerator: String) -> String {
        var (key, modifiers) = (guint(0), GdkModifierType(0))
        guard gtk_accelerator_parse(accelerator, &key, &modifiers) != 0,
            let label = gtk_accelerator_get_label(key, modifiers)
        else { return accelerator }
        defer { g_free(label) }
        return String(cString: label)
    }
}
