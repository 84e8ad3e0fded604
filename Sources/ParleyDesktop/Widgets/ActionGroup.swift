import CGtk
import GLibKit

/// The actions of one widget, for the menus inside it.
@MainActor final class ActionGroup {
    private let group = Object(adopting: UnsafeMutableRawPointer(g_simple_action_group_new()))
    private var actions: [String: Object] = [:]

    /// Makes the group known in a widget as `name`; its actions are called `name.action` in menus.
    init(_ name: String, in widget: Widget) {
        gtk_widget_insert_action_group(widget.pointer(), name, group.pointer())
    }

    /// Adds an action.
    func add(_ name: String, _ perform: @escaping @MainActor () -> Void) {
        let action = Object(adopting: UnsafeMutableRawPointer(g_simple_action_new(name, nil)))
        action.connect("activate") { perform() }
        g_action_map_add_action(group.pointer(), action.pointer())
        actions[name] = action
    }

    /// Says whether an action is possible.
    func set(_ name: String, _ isEnabled: Bool) {
        guard let action = actions[name] else { return }
        g_simple_action_set_enabled(action.pointer(), isEnabled ? 1 : 0)
    }
}
