import CGtk
import GLibKit

/// The application's actions. GTK exports them on the session bus, where any program may start them: none of them accepts a
/// call, opens a device or shows anything to others. What is done to a call is in `CallActions`.
@MainActor final class Actions {
    /// Everything a person can ask for whether or not there is a call.
    enum Name: String, CaseIterable {
        case addContact = "add-contact"
        case lookAgain = "look-again"
        case goOn = "go-on"
        case tryAgain = "try-again"
        case findCall = "find-call"
        case bringProfile = "bring-profile"
        case contacts, calls, address, profile, profiles, preferences, shortcuts, help, about, quit
    }

    /// Adds the actions to the application; their keys are those of `resources/ui/shortcuts.ui`.
    /// `profiles` is there only where there can be several.
    init(application: Object, hasProfiles: Bool = false, perform: @escaping @MainActor (Name) -> Void) {
        for name in Name.allCases where name != .profiles || hasProfiles {
            let action = Object(adopting: UnsafeMutableRawPointer(g_simple_action_new(name.rawValue, nil)))
            action.connect("activate") { perform(name) }
            g_action_map_add_action(application.pointer(), action.pointer())
        }
        let keys: [(Name, String)] = [
            (.addContact, "<Control>n"), (.contacts, "<Alt>1"), (.calls, "<Alt>2"), (.findCall, "<Control>f"),
            (.preferences, "<Control>comma"), (.shortcuts, "<Control>question"), (.help, "F1"),
            (.quit, "<Control>q"),
        ]
        for (name, key) in keys { application.setKey(key, ofAction: "app." + name.rawValue) }
        application.setKey("<Control>w", ofAction: "window.close")
    }
}
