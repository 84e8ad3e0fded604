import CGtk
import GLibKit

/// The widgets of one `.ui` file of the embedded resources.
@MainActor struct Template {
    private let builder: Object
    private let name: String

    /// Builds the file `ui/<name>.ui`.
    init(_ name: String) {
        self.name = name
        let path = Self.folder + "/ui/" + name + ".ui"
        builder = Object(adopting: UnsafeMutableRawPointer(gtk_builder_new_from_resource(path)))
    }

    /// The resource folder of the application.
    static let folder = "/im/parley/Parley"

    /// The widget the file is about.
    var root: Widget { self["root"] }

    /// A widget by its id. Files and code are built together, so a missing one is a mistake that the first start shows.
    subscript(_ id: String) -> Widget {
        guard let object = gtk_builder_get_object(builder.pointer(), id) else {
            preconditionFailure("\(name).ui has no object named \(id)")
        }
        return Widget(retaining: UnsafeMutableRawPointer(object))
    }
}
