import CGtk
import GLibKit
import UserGuide
import Wording

/// The user's guide in a window of its own: a list of chapters, and the one that was chosen. In a narrow window it is one or the other.
@MainActor final class HelpWindow: Dialog {
    let window: DialogWindow
    private let template = Template("help")
    private let library: GuideLibrary
    private var page: GuidePage?
    private var shown: String?
    private let actions: ActionGroup

    /// Makes the window, to lie over another; with the first chapter, or with the list where there is no room beside it.
    init(over parent: Widget, library: GuideLibrary = GuideLibrary()) {
        self.library = library
        actions = ActionGroup("help", in: template.root)
        window = DialogWindow(template.root, over: parent)
        page = GuidePage(template["chapter"]) { [weak self] in self?.follow($0) }
        for entry in library.entries { add(row(entry)) }
        template["chapters"].connect("row-activated") { [weak self] in
            guard let self, let row = $0.object(0) else { return }
            let index = Int(gtk_list_box_row_get_index(row.pointer()))
            guard library.entries.indices.contains(index) else { return }
            follow(library.entries[index].file)
        }
        template["leaflet"].connect("notify::folded") { [weak self] in self?.arrange() }
        actions.add("list") { [weak self] in self?.showList() }
        template.root.addKey("<Alt>Left", starting: "help.list")
        if let first = library.entries.first { show(first.file) }
        arrange()
        focusList()
    }

    /// The file of the chapter that is shown.
    var chapter: String? { shown }

    private func add(_ row: Widget) { gtk_list_box_append(template["chapters"].pointer(), row.pointer()) }

    private func row(_ entry: GuideLibrary.Entry) -> Widget {
        let row = Template("guide-row").root
        let label = gtk_list_box_row_get_child(row.pointer()).map { Widget(retaining: UnsafeMutableRawPointer($0)) }
        label?.text = entry.title
        return row
    }

    /// Goes to a chapter that a person has chosen.
    private func follow(_ file: String) {
        guard show(file) else { return }
        adw_leaflet_set_visible_child_name(template["leaflet"].pointer(), "chapter")
        gtk_widget_grab_focus(template["chapter_view"].pointer())
    }

    @discardableResult private func show(_ file: String) -> Bool {
        guard let index = library.entries.firstIndex(where: { $0.file == file }), let chapter = library.chapter(file)
        else { return false }
        shown = file
        page?.show(chapter) { library.resource(of: $0) }
        template["chapter_title"].text = library.entries[index].title
        template["chapter_view"].setAccessibleLabel(library.entries[index].title)
        let row = gtk_list_box_get_row_at_index(template["chapters"].pointer(), Int32(index))
        gtk_list_box_select_row(template["chapters"].pointer(), row)
        let position = gtk_scrolled_window_get_vadjustment(template["chapter_scroll"].pointer())
        gtk_adjustment_set_value(position, 0)
        return true
    }

    private func showList() {
        adw_leaflet_set_visible_child_name(template["leaflet"].pointer(), "list")
        focusList()
    }

    private func focusList() {
        let list = template["chapters"]
        guard let row = gtk_list_box_get_selected_row(list.pointer()) else { return }
        gtk_widget_grab_focus(UnsafeMutableRawPointer(row).assumingMemoryBound(to: GtkWidget.self))
    }

    /// Closes where the window's edge is, and goes back where there is something behind.
    private func arrange() {
        let isFolded = adw_leaflet_get_folded(template["leaflet"].pointer()) != 0
        template["back"].isVisible = isFolded
        adw_header_bar_set_show_end_title_buttons(template["list_bar"].pointer(), isFolded ? 1 : 0)
        // Two titles beside each other say the same.
        template["chapter_title"].isVisible = isFolded
    }
}
