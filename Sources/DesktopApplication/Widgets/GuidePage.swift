import CGtk
import GLibKit
import UserGuide

/// A chapter of the guide as widgets, one below the other.
@MainActor final class GuidePage {
    private let box: Widget
    private let onLink: @MainActor (String) -> Void

    /// Takes charge of a box; `onLink` is told where a link that was chosen leads.
    init(_ box: Widget, onLink: @escaping @MainActor (String) -> Void) {
        self.box = box
        self.onLink = onLink
    }

    /// Shows a chapter in place of the one before; `resource` says where a picture of it is.
    func show(_ chapter: GuideChapter, resource: (String) -> String) {
        while let child = gtk_widget_get_first_child(box.pointer()) { gtk_box_remove(box.pointer(), child) }
        add(heading(chapter.title, level: 1))
        for block in chapter.blocks {
            switch block {
            case .heading(let text): add(heading(text, level: 2))
            case .paragraph(let text): add(label(text))
            case .list(let items, let isNumbered):
                for (index, item) in items.enumerated() { add(row(item, mark: isNumbered ? "\(index + 1)." : "•")) }
            case .picture(let file, let description): add(picture(resource(file), description))
            }
        }
    }

    private func add(_ widget: Widget) { gtk_box_append(box.pointer(), widget.pointer()) }

    private func heading(_ text: GuideText, level: Int32) -> Widget {
        let heading = Template("guide-heading").root
        heading.text = text.words
        heading.setClass(level == 1 ? "title-1" : "title-3", true)
        let value = Value(type: FundamentalType.int.rawValue)
        value.set(level)
        var property = GTK_ACCESSIBLE_PROPERTY_LEVEL
        gtk_accessible_update_property_value(heading.pointer(), 1, &property, value.storage)
        return heading
    }

    private func label(_ text: GuideText) -> Widget {
        let label = Template("guide-text").root
        gtk_label_set_markup(label.pointer(), GuideMarkup.markup(text))
        label.connect("activate-link", returning: Bool.self) { [weak self] in
            guard let self, let target = $0.get(0, as: String.self), !target.contains(":") else { return false }
            // The label goes with its chapter, so not in the middle of its own signal.
            Task { self.onLink(target) }
            return true
        }
        return label
    }

    private func row(_ text: GuideText, mark: String) -> Widget {
        let template = Template("guide-item")
        template["mark"].text = mark
        let (row, label) = (template.root, label(text))
        gtk_widget_set_hexpand(label.pointer(), 1)
        withExtendedLifetime((row, label)) { gtk_box_append(row.pointer(), label.pointer()) }
        return row
    }

    private func picture(_ resource: String, _ description: String) -> Widget {
        let picture = Widget(retaining: UnsafeMutableRawPointer(gtk_picture_new_for_resource(resource)))
        gtk_picture_set_content_fit(picture.pointer(), GTK_CONTENT_FIT_SCALE_DOWN)
        gtk_picture_set_alternative_text(picture.pointer(), description)
        picture.setAccessibleLabel(description)
        return picture
    }
}
