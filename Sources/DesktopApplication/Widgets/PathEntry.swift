import CGtk
import GLibKit

/// A field with the path of a file, and a button that has the desktop ask for one.
@MainActor final class PathEntry {
    private let entry: Widget
    private var chooser: FileChooser?

    /// Takes charge of the field and its button.
    init(_ entry: Widget, button: Widget, kind: FileChooser.Kind) {
        self.entry = entry
        button.connect("clicked") { [weak self] in
            guard let self, let window = gtk_widget_get_root(entry.pointer()) else { return }
            chooser = FileChooser(kind, over: Widget(retaining: UnsafeMutableRawPointer(window))) { [weak self] in
                self?.text = $0
                self?.chooser = nil
            }
        }
    }

    /// The path.
    var text: String {
        get { entry.text.trimmed }
        set { entry.text = newValue }
    }
}
