import CGLib
import GLibKit

/// GObjects that need no display: a cancellable has a signal, an application has properties of several kinds.
enum Fixture {
    static func cancellable() -> Object { Object(adopting: UnsafeMutableRawPointer(g_cancellable_new())) }

    static func application() -> Object { Object(type: g_application_get_type()) }

    static func simpleAction(_ name: String) -> Object {
        Object(adopting: UnsafeMutableRawPointer(g_simple_action_new(name, nil)))
    }
}
