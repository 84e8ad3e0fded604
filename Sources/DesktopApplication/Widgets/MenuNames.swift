import CGtk
import GLibKit

extension Widget {
    /// Has the items of this menu button's menu named for assistive tools each time the menu opens.
    ///
    /// GTK names an item by the label inside it, which it declares to be of no meaning (GtkModelButton, at least in 4.18): a screen
    /// reader would find items without a name.
    func nameMenuItems() {
        guard let popover = gtk_menu_button_get_popover(pointer()) else { return }
        Widget(retaining: UnsafeMutableRawPointer(popover)).nameItemsWhenShown()
    }

    /// Has the items of this menu named each time it opens.
    func nameItemsWhenShown() {
        let menu = UnsafeMutableRawPointer(raw)
        // The menu calls this itself, so it is there; to hold it would keep it for ever.
        Widget(retaining: menu).connect("map") { Widget(retaining: menu).nameItemsInside() }
    }

    private func nameItemsInside() {
        var next = gtk_widget_get_first_child(pointer())
        while let child = next {
            next = gtk_widget_get_next_sibling(child)
            let inner = Widget(retaining: UnsafeMutableRawPointer(child))
            guard inner.typeName == "GtkModelButton" else {
                inner.nameItemsInside()
                continue
            }
            guard let text: String = inner[property: "text"] else { continue }
            inner.setAccessibleLabel(MenuText.withoutMnemonics(text))
        }
    }
}

/// Texts of menus, in which an underscore marks the key that chooses the item.
enum MenuText {
    /// The text as it is shown.
    static func withoutMnemonics(_ text: String) -> String {
        var shown = ""
        var isMarked = false
        for character in text {
            if character == "_", !isMarked {
                isMarked = true
            } else {
                shown.append(character)
                isMarked = false
            }
        }
        return shown
    }

    /// The text so that none of its underscores marks a key.
    static func withoutKeys(_ text: String) -> String { text.replacing("_", with: "__") }
}
