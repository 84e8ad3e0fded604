import CGtk
import GLibKit

/// Some actions that belong together, for the widgets they are made known in and for what is inside those. Unlike the
/// application's actions, they are not exported on the session bus.
@MainActor final class ActionGroup {
    private let group = Object(adopting: UnsafeMutableRawPointer(g_simple_action_group_new()))
    private var actions: [String: Object] = [:]
    private var isShowing = false

    private let name: String

    /// Makes a group that is known nowhere yet; its actions are called `name.action` in menus and on buttons.
    init(_ name: String) { self.name = name }

    /// Makes a group that is known in a widget.
    convenience init(_ name: String, in widget: Widget) {
        self.init(name)
        insert(into: widget)
    }

    /// Makes the group known in a widget, in place of another one of its name.
    func insert(into widget: Widget) { gtk_widget_insert_action_group(widget.pointer(), name, group.pointer()) }

    /// Makes groups of this name unknown in a widget.
    static func remove(_ name: String, from widget: Widget) {
        gtk_widget_insert_action_group(widget.pointer(), name, nil)
    }

    /// Adds an action.
    func add(_ name: String, _ perform: @escaping @MainActor () -> Void) {
        let action = Object(adopting: UnsafeMutableRawPointer(g_simple_action_new(name, nil)))
        action.connect("activate") { perform() }
        g_action_map_add_action(group.pointer(), action.pointer())
        actions[name] = action
    }

    /// Adds an action that one of several values is chosen by; `perform` is told which.
    func addChoice(_ name: String, _ perform: @escaping @MainActor (String) -> Void) {
        let type = g_variant_type_new("s")
        defer { g_variant_type_free(type) }
        let made = g_simple_action_new_stateful(name, type, g_variant_new_string(""))
        let action = Object(adopting: UnsafeMutableRawPointer(made!))
        action.connect("notify::state") { [weak self] in
            guard let self, !isShowing, let value = chosen(name) else { return }
            perform(value)
        }
        g_action_map_add_action(group.pointer(), action.pointer())
        actions[name] = action
    }

    /// Shows which value is chosen, without performing it.
    func show(_ value: String, of name: String) {
        guard let action = actions[name], chosen(name) != value else { return }
        isShowing = true
        defer { isShowing = false }
        g_simple_action_set_state(action.pointer(), g_variant_new_string(value))
    }

    /// The value that is chosen; nil for an action that is none of several values.
    func value(of name: String) -> String? { chosen(name) }

    private func chosen(_ name: String) -> String? {
        guard let action = actions[name], let state = g_action_get_state(action.pointer()) else { return nil }
        defer { g_variant_unref(state) }
        return String(cString: g_variant_get_string(state, nil))
    }

    /// Does what an action without choices does, if it is possible.
    func perform(_ name: String) {
        if let action = actions[name] { g_action_activate(action.pointer(), nil) }
    }

    /// Says whether an action is possible.
    func set(_ name: String, _ isEnabled: Bool) {
        guard let action = actions[name] else { return }
        g_simple_action_set_enabled(action.pointer(), isEnabled ? 1 : 0)
    }
}

extension Object {
    /// Lets a key start an action in every window of this application that knows the action.
    @MainActor func setKey(_ key: String, ofAction action: String) {
        key.withCString { key in
            var list: [UnsafePointer<CChar>?] = [key, nil]
            gtk_application_set_accels_for_action(pointer(), action, &list)
        }
    }
}
