import CGtk
import GLibKit

/// The application's actions: what buttons, keys and menus do, with one place that says which are possible now.
@MainActor final class Actions {
    /// Everything a person can ask for.
    enum Name: String, CaseIterable {
        case addContact = "add-contact"
        case lookAgain = "look-again"
        case goOn = "go-on"
        case address, preferences, shortcuts, about, quit
        case mute, camera
        case flipCamera = "flip-camera"
        case shareScreen = "share-screen"
        case stopSharing = "stop-sharing"
        case collapse, expand
        case toggleSize = "toggle-size"
        case endCall = "end-call"
        case decline
        case leaveCall = "leave-call"
        case acceptAudio = "accept-audio"
        case acceptVideo = "accept-video"
        case accept
        case callAgain = "call-again"
        case closeCall = "close-call"
    }

    private let application: Object
    private var actions: [Name: Object] = [:]

    /// Adds the actions to the application; all keys are those of `resources/ui/shortcuts.ui`.
    init(application: Object, perform: @escaping @MainActor (Name) -> Void) {
        self.application = application
        for name in Name.allCases {
            let action = Object(adopting: UnsafeMutableRawPointer(g_simple_action_new(name.rawValue, nil)))
            action.connect("activate") { perform(name) }
            g_action_map_add_action(application.pointer(), action.pointer())
            actions[name] = action
        }
        setKeys()
    }

    /// Says which of the call's actions are possible.
    func enable(_ controls: ControlState?, isCollapsed: Bool) {
        set(.mute, controls?.microphone.isEnabled)
        set(.camera, controls?.camera.isEnabled)
        set(.flipCamera, controls?.canFlip)
        set(.shareScreen, controls?.share.isEnabled)
        set(.stopSharing, controls.map { $0.share.isEnabled && $0.share.isActive })
        set(.collapse, controls.map { $0.canCollapse && !isCollapsed })
        set(.expand, controls.map { $0.canCollapse && isCollapsed })
        set(.toggleSize, controls?.canCollapse)
        set(.endCall, controls?.canEnd)
        set(.leaveCall, controls.map { $0.canEnd || $0.canAccept })
        for name in [Name.accept, .acceptAudio, .acceptVideo, .decline] { set(name, controls?.canAccept) }
    }

    private func set(_ name: Name, _ isEnabled: Bool?) {
        guard let action = actions[name] else { return }
        g_simple_action_set_enabled(action.pointer(), isEnabled == true ? 1 : 0)
    }

    private func setKeys() {
        let keys: [(Name, String)] = [
            (.addContact, "<Control>n"), (.preferences, "<Control>comma"), (.shortcuts, "<Control>question"),
            (.quit, "<Control>q"),
            (.mute, "<Control>m"), (.camera, "<Control>e"),
            (.flipCamera, "<Control>t"), (.shareScreen, "<Control>s"), (.toggleSize, "<Control>d"),
            (.accept, "<Control>Return"),
            (.leaveCall, "<Control>BackSpace"),
        ]
        for (name, key) in keys {
            key.withCString { key in
                var list: [UnsafePointer<CChar>?] = [key, nil]
                gtk_application_set_accels_for_action(application.pointer(), "app." + name.rawValue, &list)
            }
        }
    }
}
