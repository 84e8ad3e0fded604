import CAtspi
import GLibKit

/// A widget of another program, as assistive tools see it.
struct Accessible {
    private let object: Object

    /// The programs on the accessibility bus.
    static func applications() -> [Accessible] {
        guard let desktop = atspi_get_desktop(0) else { return [] }
        let root = Accessible(object: Object(adopting: UnsafeMutableRawPointer(desktop)))
        return root.children
    }

    /// What it is called.
    var name: String { take(atspi_accessible_get_name(object.pointer(), nil)) }

    /// What kind of widget it is, such as "push button".
    var role: String { take(atspi_accessible_get_role_name(object.pointer(), nil)) }

    /// The process it belongs to.
    var processIdentifier: Int32 { Int32(bitPattern: atspi_accessible_get_process_id(object.pointer(), nil)) }

    /// Whether it is there for people. GTK 4.8 never reports more ("showing") of a widget inside a window.
    var isVisible: Bool { has(ATSPI_STATE_VISIBLE) }

    /// Whether it can be used.
    var isSensitive: Bool { has(ATSPI_STATE_SENSITIVE) }

    /// Whether it is selected.
    var isSelected: Bool { has(ATSPI_STATE_SELECTED) }

    /// Whether it has the focus of the keyboard.
    var isFocused: Bool { has(ATSPI_STATE_FOCUSED) }

    /// Whether it is switched on.
    var isChecked: Bool { has(ATSPI_STATE_CHECKED) }

    /// Whether it can be used and has been given a place. What lies on a page that was never shown has none yet; GTK says of a button
    /// there that it was pressed, and does nothing.
    var isReady: Bool { isSensitive && middle != nil }

    /// The widgets in it.
    var children: [Accessible] {
        let count = atspi_accessible_get_child_count(object.pointer(), nil)
        guard count > 0 else { return [] }
        return (0..<count).compactMap { index in
            atspi_accessible_get_child_at_index(object.pointer(), index, nil)
                .map { Accessible(object: Object(adopting: UnsafeMutableRawPointer($0))) }
        }
    }

    /// Asks for one of the widgets in it, which need not be there.
    func askForChild(_ index: Int32) {
        if let child = atspi_accessible_get_child_at_index(object.pointer(), index, nil) { g_object_unref(child) }
    }

    /// Everything in it that is there for people.
    var visible: [Accessible] { children.filter(\.isVisible).flatMap { [$0] + $0.visible } }

    /// The first in it, in order, that is there for people and meets a condition. Each question to a widget is a message to its program and
    /// back, so those behind it are not asked.
    func firstVisible(where matches: (Accessible) -> Bool) -> Accessible? {
        let count = atspi_accessible_get_child_count(object.pointer(), nil)
        guard count > 0 else { return nil }
        for index in 0..<count {
            guard let native = atspi_accessible_get_child_at_index(object.pointer(), index, nil) else { continue }
            let child = Accessible(object: Object(adopting: UnsafeMutableRawPointer(native)))
            guard child.isVisible else { continue }
            if matches(child) { return child }
            if let inner = child.firstVisible(where: matches) { return inner }
        }
        return nil
    }

    /// Presses it; false when it has nothing to press.
    func press() -> Bool {
        guard let action = atspi_accessible_get_action_iface(object.pointer()) else { return false }
        defer { g_object_unref(action) }
        return atspi_action_do_action(action, 0, nil) != 0
    }

    /// The text in it; empty when it has none.
    var content: String {
        guard let text = atspi_accessible_get_text_iface(object.pointer()) else { return "" }
        defer { g_object_unref(text) }
        return take(atspi_text_get_text(text, 0, atspi_text_get_character_count(text, nil), nil))
    }

    /// Its middle inside its window, in pixels; nil when it has no place.
    var middle: (x: Int, y: Int)? { frame.map { ($0.x + $0.width / 2, $0.y + $0.height / 2) } }

    /// Where it is inside its window, in pixels; nil when it has no place.
    var frame: (x: Int, y: Int, width: Int, height: Int)? {
        guard let component = atspi_accessible_get_component_iface(object.pointer()) else { return nil }
        defer { g_object_unref(component) }
        guard let place = atspi_component_get_extents(component, ATSPI_COORD_TYPE_WINDOW, nil) else { return nil }
        defer { g_free(place) }
        guard place.pointee.width > 0, place.pointee.height > 0 else { return nil }
        let rectangle = place.pointee
        return (Int(rectangle.x), Int(rectangle.y), Int(rectangle.width), Int(rectangle.height))
    }

    /// Replaces the text in it; false when it has none.
    func type(_ text: String) -> Bool {
        guard let editable = atspi_accessible_get_editable_text_iface(object.pointer()) else { return false }
        defer { g_object_unref(editable) }
        return atspi_editable_text_set_text_contents(editable, text, nil) != 0
    }

    private func has(_ state: AtspiStateType) -> Bool {
        guard let states = atspi_accessible_get_state_set(object.pointer()) else { return false }
        defer { g_object_unref(states) }
        return atspi_state_set_contains(states, state) != 0
    }

    private func take(_ text: UnsafeMutablePointer<CChar>?) -> String {
        guard let text else { return "" }
        defer { g_free(text) }
        return String(cString: text)
    }
}
