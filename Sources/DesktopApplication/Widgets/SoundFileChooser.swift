import CGtk
import GLibKit
import Wording

/// The desktop's window in which the person chooses a file with sound.
@MainActor final class SoundFileChooser {
    private let chooser: Object

    /// Opens it over another window; it is open as long as this object is kept. `onChoice` gets the path of what is chosen.
    init(over parent: Widget, onChoice: @escaping @MainActor (String) -> Void) {
        chooser = Object(
            adopting: UnsafeMutableRawPointer(
                gtk_file_chooser_native_new(
                    tr("Choose a ring sound"), parent.pointer(), GTK_FILE_CHOOSER_ACTION_OPEN, tr("Choose"),
                    tr("Cancel"))))
        let filter = Object(adopting: UnsafeMutableRawPointer(gtk_file_filter_new()))
        gtk_file_filter_set_name(filter.pointer(), tr("Sounds"))
        gtk_file_filter_add_mime_type(filter.pointer(), "audio/*")
        gtk_file_chooser_add_filter(chooser.pointer(), filter.pointer())
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
