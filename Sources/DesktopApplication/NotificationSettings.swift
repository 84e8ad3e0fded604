import GLibKit

/// What notifications may say. Without an installed settings schema, as in a build folder, it is kept until the program ends.
@MainActor final class NotificationSettings {
    private let settings: Settings?
    private let isKnown: Bool
    private var present = true

    private static let key = "notifications-show-caller"

    /// Opens the settings of the installed schema, or of the compiled one in `directory`.
    init(directory: String? = nil) {
        settings = try? Settings(schema: ApplicationIdentity.id, directory: directory)
        // An older schema may be installed; GLib ends programs that ask it for a key it does not have.
        isKnown = settings?.hasKey(Self.key) ?? false
    }

    /// Whether they say who calls.
    var showsCaller: Bool {
        get { isKnown ? settings?[flag: Self.key] ?? present : present }
        set {
            present = newValue
            if isKnown { settings?[flag: Self.key] = newValue }
        }
    }
}
