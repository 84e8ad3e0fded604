import GLibKit

/// How the program behaves on this desktop, by the person's choice. Without an installed settings schema, as in a build folder, a choice
/// is kept until the program ends.
@MainActor final class ProgramSettings {
    /// A choice between yes and no, by its key in the schema.
    enum Flag: String, CaseIterable {
        /// Whether notifications say who calls.
        case showsCaller = "notifications-show-caller"
        /// Whether calls ring although the desktop is not to disturb.
        case ringsAllTheSame = "ring-all-the-same"
        /// Whether who calls is told at once that the person is busy.
        case isBusy = "busy"
        /// The same as long as the desktop is not to disturb.
        case isBusyWhileQuiet = "busy-while-quiet"
        /// Whether calls that ring have a window of their own on every desktop.
        case alwaysHasRingWindow = "ring-window-always"
        /// Whether the keyboard's and headset's media keys answer and mute.
        case takesMediaKeys = "media-keys"
        /// Whether the desktop is asked for keys that end a call and mute wherever one types.
        case hasKeysEverywhere = "keys-everywhere"
        /// Whether who is muted is heard while they hold Space.
        case talksWithSpace = "push-to-talk"
        /// Whether the person looks at themselves before they call.
        case looksBeforeCalls = "look-before-calls"
        /// Whether other programs of the session see and answer calls.
        case letsProgramsCall = "calls-over-bus"

        /// What holds without a choice.
        var standard: Bool {
            switch self {
            case .showsCaller, .letsProgramsCall: true
            case .ringsAllTheSame, .isBusy, .isBusyWhileQuiet, .alwaysHasRingWindow, .takesMediaKeys,
                .hasKeysEverywhere, .talksWithSpace, .looksBeforeCalls:
                false
            }
        }
    }

    /// Called when a choice has changed.
    var onChange: (Flag) -> Void = { _ in }

    private let settings: Settings?
    private var present: [Flag: Bool] = [:]

    /// Opens the settings of the installed schema, or of the compiled one in `directory`.
    init(directory: String? = nil) { settings = try? Settings(schema: ApplicationIdentity.id, directory: directory) }

    /// A choice.
    subscript(_ flag: Flag) -> Bool {
        get { isKnown(flag) ? settings?[flag: flag.rawValue] ?? flag.standard : present[flag] ?? flag.standard }
        set {
            guard self[flag] != newValue else { return }
            present[flag] = newValue
            if isKnown(flag) { settings?[flag: flag.rawValue] = newValue }
            onChange(flag)
        }
    }

    // An older schema may be installed; GLib ends programs that ask it for a key it does not have.
    private func isKnown(_ flag: Flag) -> Bool { settings?.hasKey(flag.rawValue) ?? false }
}
