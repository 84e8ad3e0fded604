import CGtk
import GLibKit
import Parley
import Pictures
import Signaling
import Wording

/// The person's own picture, chosen from a file and seen here before anybody is sent it.
@MainActor final class PicturePicker {
    /// The picture; nil for none.
    var picture: ProfilePicture? { didSet { show() } }
    /// The name it stands beside, whose initials are shown without one.
    var name = "" { didSet { show() } }
    /// Is told when the person has chosen another one.
    var onChange: @MainActor () -> Void = {}
    private let template: Template
    private let avatar: Avatar
    private let say: @MainActor (String) -> Void
    private var chooser: FileChooser?

    /// Fills the widgets of a template; `say` shows what is wrong, empty for nothing.
    init(_ template: Template, say: @escaping @MainActor (String) -> Void) {
        self.template = template
        self.say = say
        avatar = Avatar(template["avatar"])
        template["picture_button"].connect("clicked") { [weak self] in
            guard let self, let window = gtk_widget_get_root(template["picture_button"].pointer()) else { return }
            chooser = FileChooser(.picture, over: Widget(retaining: UnsafeMutableRawPointer(window))) {
                [weak self] in self?.set($0)
            }
        }
        template["no_picture_button"].connect("clicked") { [weak self] in
            self?.picture = nil
            self?.onChange()
        }
        show()
    }

    /// Shows what a file becomes.
    func set(_ path: String) {
        say("")
        Task { [weak self] in
            let made = await Task.detached {
                Result { () throws(PictureFileError) in try PictureFile.picture(at: path) }
            }.value
            guard let self else { return }
            do throws(PictureFileError) {
                picture = try made.get()
                onChange()
            } catch {
                say(AccountError.picture(error).sentence)
            }
        }
    }

    private func show() {
        avatar.show(name: name, picture: picture)
        template["no_picture_button"].isVisible = picture != nil
    }
}
