import CGLib
import GLibKit

/// Whether a program is started at login, as its entry among those that the desktop starts says (Desktop Application Autostart
/// Specification 0.5). The desktop's own tools change the same entry.
public struct Autostart: Sendable {
    /// What the person has decided.
    public enum Choice: Sendable, Equatable {
        /// Nothing yet.
        case undecided
        case on, off
    }

    /// What an entry says.
    public struct Entry: Sendable, Equatable {
        /// The desktop entry's name, such as `im.parley.Parley`, also that of the icon.
        public var name: String
        /// What people call the program.
        public var title: String
        /// What is started: the program's file and its arguments.
        public var command: [String]

        /// An entry.
        public init(name: String, title: String, command: [String]) {
            self.name = name
            self.title = title
            self.command = command
        }
    }

    private static let group = "Desktop Entry"

    private let entry: Entry
    private let folder: String

    /// - Parameter folder: where the entries of the person lie; nil for the desktop's own place.
    public init(_ entry: Entry, folder: String? = nil) {
        self.entry = entry
        self.folder = folder ?? String(cString: g_get_user_config_dir()) + "/autostart"
    }

    private var file: String { "\(folder)/\(entry.name).desktop" }

    /// What the person has decided. An entry that can't be read is none.
    public var choice: Choice {
        guard let kept = try? KeyFile(file) else { return .undecided }
        // The second key is GNOME's and older than the first.
        return kept[flag: "Hidden"] == true || kept[flag: "X-GNOME-Autostart-enabled"] == false ? .off : .on
    }

    /// Keeps a decision.
    /// - Throws: `GLibError` when the entry can't be written.
    public func set(_ isOn: Bool) throws(GLibError) {
        let kept = KeyFile()
        kept[text: "Type"] = "Application"
        kept[text: "Name"] = entry.title
        kept[text: "Exec"] = Self.quoted(entry.command)
        kept[text: "Icon"] = entry.name
        kept[text: "NoDisplay"] = "true"
        kept[text: "Hidden"] = isOn ? "false" : "true"
        g_mkdir_with_parents(folder, 0o700)
        try kept.save(to: file)
    }

    /// Names the program where it is now, should it have been moved since the decision.
    /// - Throws: `GLibError` when the entry can't be written.
    public func refresh() throws(GLibError) {
        guard choice == .on, let kept = try? KeyFile(file), kept[text: "Exec"] != Self.quoted(entry.command) else {
            return
        }
        try set(true)
    }

    /// Words as a command (Desktop Entry Specification 1.5, "The Exec key").
    static func quoted(_ words: [String]) -> String {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./+,:@=%")
        return words.map { word in
            let escaped = word.replacing("%", with: "%%")
            guard word.isEmpty || !word.allSatisfy(plain.contains) else { return escaped }
            let special: Set<Character> = ["\"", "`", "$", "\\"]
            return "\"" + escaped.map { special.contains($0) ? "\\\($0)" : String($0) }.joined() + "\""
        }.joined(separator: " ")
    }

    /// One group of a key file.
    private final class KeyFile {
        private let keys = g_key_file_new()

        init() {}

        init(_ path: String) throws(GLibError) {
            _ = try GLibError.check { g_key_file_load_from_file(keys, path, G_KEY_FILE_NONE, $0) }
        }

        deinit { g_key_file_unref(keys) }

        subscript(text key: String) -> String? {
            get {
                guard let text = g_key_file_get_string(keys, Autostart.group, key, nil) else { return nil }
                defer { g_free(text) }
                return String(cString: text)
            }
            set { g_key_file_set_string(keys, Autostart.group, key, newValue ?? "") }
        }

        subscript(flag key: String) -> Bool? { self[text: key].map { $0 == "true" } }

        func save(to path: String) throws(GLibError) {
            _ = try GLibError.check { g_key_file_save_to_file(keys, path, $0) }
        }
    }
}
