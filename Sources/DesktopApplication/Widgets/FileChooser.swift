import CGtk
import GLibKit
import Wording

/// The desktop's window in which the person chooses a file.
@MainActor final class FileChooser {
    /// What is chosen.
    enum Kind {
        case sound
        case picture
        /// A picture with a QR code.
        case code
        /// A profile that was carried into a file.
        case profile
        /// Where a profile is to be carried to.
        case newProfile

        fileprivate var action: GtkFileChooserAction {
            self == .newProfile ? GTK_FILE_CHOOSER_ACTION_SAVE : GTK_FILE_CHOOSER_ACTION_OPEN
        }

        fileprivate var title: String {
            switch self {
            case .sound: tr("Choose a ring sound")
            case .picture: tr("Choose a picture")
            case .code: tr("Choose a picture with a QR code")
            case .profile: tr("Choose the file of the profile")
            case .newProfile: tr("Where is the file to be?")
            }
        }

        fileprivate var filter: Object? {
            guard self != .profile, self != .newProfile else { return nil }
            let filter = Object(adopting: UnsafeMutableRawPointer(gtk_file_filter_new()))
            switch self {
            case .sound:
                gtk_file_filter_set_name(filter.pointer(), tr("Sounds"))
                gtk_file_filter_add_mime_type(filter.pointer(), "audio/*")
            case .picture, .code:
                gtk_file_filter_set_name(filter.pointer(), tr("Pictures"))
                gtk_file_filter_add_pixbuf_formats(filter.pointer())
            case .profile, .newProfile: break
            }
            return filter
        }
    }

    private let chooser: Object

    /// Opens it over another window; it is open as long as this object is kept. `onChoice` gets the path of what is chosen.
    init(_ kind: Kind, over parent: Widget, onChoice: @escaping @MainActor (String) -> Void) {
        chooser = Object(
            adopting: UnsafeMutableRawPointer(
                gtk_file_chooser_native_new(
                    kind.title, parent.pointer(), kind.action, tr("Choose"),
                    tr("Cancel"))))
        if let filter = kind.filter { gtk_file_chooser_add_filter(chooser.pointer(), filter.pointer()) }
        chooser.connect("response") { [weak self] arguments in
            guard let self, arguments.get(0, as: Int32.self) == GTK_RESPONSE_ACCEPT.rawValue, let path else { return }
            onChoice(path)
        }
        gtk_native_dialog_show(chooser.pointer())
    }

    isolated deinit { gtk_native_dialog_destroy(chooser.pointer()) }

    /// What is chosen; nil for what is no file of this machine.
    private var path: String? {
        guard let chosen = gtk_file_chooser_get_file(chooser.pointer()) else { return nil }
        let file = Object(adopting: UnsafeMutableRawPointer(chosen))
        guard let path = g_file_get_path(file.pointer()) else { return nil }
        defer { g_free(path) }
        return String(cString: path)
    }
}
