import CGtk
import GLibKit

/// A reference to a GtkWidget with the few verbs all our windows use.
@MainActor class Widget: Object {
    /// Whether it takes part in the layout.
    var isVisible: Bool {
        get { gtk_widget_get_visible(pointer()) != 0 }
        set { gtk_widget_set_visible(pointer(), newValue ? 1 : 0) }
    }

    /// Whether it can be used.
    var isSensitive: Bool {
        get { gtk_widget_get_sensitive(pointer()) != 0 }
        set {
            if !newValue { takeFocusFromField() }
            gtk_widget_set_sensitive(pointer(), newValue ? 1 : 0)
        }
    }

    /// A field of GTK 4.8 is not told that it has lost the focus by becoming insensitive: it draws its cursor on, and warns.
    private func takeFocusFromField() {
        guard let root = gtk_widget_get_root(pointer()), let focus = gtk_root_get_focus(root),
            Widget(retaining: UnsafeMutableRawPointer(focus)).isA(gtk_text_get_type()),
            gtk_widget_is_ancestor(focus, pointer()) != 0
        else { return }
        gtk_root_set_focus(root, nil)
    }

    /// Takes the focus where nothing in its window has it, as after a button that has it can't be used any more: then no key counts that is
    /// for what is around the focus.
    func takeFocusOfNobody() {
        guard gtk_widget_get_mapped(pointer()) != 0, let root = gtk_widget_get_root(pointer()),
            gtk_root_get_focus(root) == nil
        else { return }
        gtk_widget_grab_focus(pointer())
    }

    /// The label or title text of a widget that has one.
    var text: String {
        get { self[property: textProperty] ?? "" }
        set { if text != newValue { self[property: textProperty] = newValue } }
    }

    private var textProperty: String {
        if isA(adw_avatar_get_type()) || isA(gtk_editable_get_type()) { return "text" }
        return isA(gtk_label_get_type()) || isA(gtk_button_get_type()) ? "label" : "title"
    }

    /// Adds or removes a style class.
    func setClass(_ name: String, _ isOn: Bool) {
        if isOn { gtk_widget_add_css_class(pointer(), name) } else { gtk_widget_remove_css_class(pointer(), name) }
    }

    /// Lets a key start an action while the focus is somewhere in it.
    func addKey(_ key: String, starting action: String) {
        guard let trigger = gtk_shortcut_trigger_parse_string(key) else { return }
        let controller = gtk_shortcut_controller_new()
        let shortcut = gtk_shortcut_new(trigger, gtk_named_action_new(action))
        gtk_shortcut_controller_add_shortcut(controller, shortcut)
        gtk_widget_add_controller(pointer(), controller)
    }

    /// What a screen reader says of it, and the tooltip.
    func describe(_ sentence: String) {
        gtk_widget_set_tooltip_text(pointer(), sentence)
        setAccessibleLabel(sentence)
    }

    /// What a screen reader says of it, in place of a text it shows. (A button that is given its text, and not a label as its child,
    /// counts as labelled by it for GTK 4.10 and later, and that goes before.)
    func setAccessibleLabel(_ sentence: String) {
        gtk_accessible_reset_relation(pointer(), GTK_ACCESSIBLE_RELATION_LABELLED_BY)
        let value = Value(type: FundamentalType.string.rawValue)
        value.set(sentence)
        var property = GTK_ACCESSIBLE_PROPERTY_LABEL
        gtk_accessible_update_property_value(pointer(), 1, &property, value.storage)
    }

    /// Says whether it is among those that are selected; nil where nothing is.
    func setAccessibleSelected(_ isSelected: Bool?) {
        var state = GTK_ACCESSIBLE_STATE_SELECTED
        guard let isSelected else { return gtk_accessible_reset_state(pointer(), state) }
        // Of a state that may be undefined GTK takes a number.
        let value = Value(type: FundamentalType.int.rawValue)
        value.set(isSelected ? 1 : 0)
        gtk_accessible_update_state_value(pointer(), 1, &state, value.storage)
    }

    /// Describes the buttons somewhere inside it that have a picture only: a password row's, which shows what was typed.
    func describePictureButtons(_ sentence: String) {
        var next = gtk_widget_get_first_child(pointer())
        while let child = next {
            next = gtk_widget_get_next_sibling(child)
            let inner = Widget(retaining: UnsafeMutableRawPointer(child))
            guard ["GtkButton", "GtkToggleButton"].contains(inner.typeName) else {
                inner.describePictureButtons(sentence)
                continue
            }
            guard let content = gtk_widget_get_first_child(child) else { continue }
            if Widget(retaining: UnsafeMutableRawPointer(content)).typeName == "GtkImage" { inner.describe(sentence) }
        }
    }

    /// The first widget of a type inside it, such as one that libadwaita has made.
    func first(_ type: GType) -> Widget? {
        var next = gtk_widget_get_first_child(pointer())
        while let child = next {
            next = gtk_widget_get_next_sibling(child)
            let inner = Widget(retaining: UnsafeMutableRawPointer(child))
            if let found = inner.isA(type) ? inner : inner.first(type) { return found }
        }
        return nil
    }

    /// Shows one page of a stack and hides the others, which GTK would otherwise still read out to assistive tools.
    func showPage(_ name: String) {
        guard let shown = gtk_stack_get_child_by_name(pointer(), name) else { return }
        gtk_widget_set_visible(shown, 1)
        gtk_stack_set_visible_child(pointer(), shown)
        var page = gtk_widget_get_first_child(pointer())
        while let current = page {
            if current != shown { gtk_widget_set_visible(current, 0) }
            page = gtk_widget_get_next_sibling(current)
        }
    }
}
