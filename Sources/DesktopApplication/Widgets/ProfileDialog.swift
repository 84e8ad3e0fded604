import CGtk
import GLibKit
import Parley
import Pictures
import Signaling
import Wording

/// How the person shows themselves: name, a line, a picture, seen here before anybody is sent them.
@MainActor final class ProfileDialog: Dialog {
    let window: DialogWindow
    private let template = Template("own-profile")
    private let provider: any ProfileProvider
    private let avatar: Avatar
    private var chooser: FileChooser?
    private var kept: OwnProfile?
    private var picture: ProfilePicture?

    /// Makes the window, to lie over another.
    init(over parent: Widget, provider: any ProfileProvider) {
        window = DialogWindow(template.root, over: parent)
        avatar = Avatar(template["avatar"])
        self.provider = provider
        for entry in ["name_entry", "description_entry"] {
            template[entry].connect("changed") { [weak self] in self?.changed() }
            template[entry].connect("entry-activated") { [weak self] in self?.save() }
        }
        template["picture_button"].connect("clicked") { [weak self] in self?.choosePicture() }
        template["no_picture_button"].connect("clicked") { [weak self] in
            self?.picture = nil
            self?.changed()
        }
        template["save_button"].connect("clicked") { [weak self] in self?.save() }
        template["save_button"].isSensitive = false
        run { dialog in
            let profile = try await dialog.provider.ownProfile()
            dialog.kept = profile
            dialog.picture = profile.picture
            dialog.template["name_entry"].text = profile.displayName
            dialog.template["description_entry"].text = profile.shortDescription ?? ""
            dialog.changed()
        }
    }

    /// What stands there now.
    private var wanted: OwnProfile {
        let description = template["description_entry"].text.trimmed
        return OwnProfile(
            displayName: template["name_entry"].text.trimmed, shortDescription: description.isEmpty ? nil : description,
            picture: picture)
    }

    private func changed() {
        let wanted = wanted
        avatar.show(name: wanted.displayName, picture: picture)
        template["no_picture_button"].isVisible = picture != nil
        template["save_button"].isSensitive = kept != nil && wanted != kept && !wanted.displayName.isEmpty
    }

    private func choosePicture() {
        chooser = FileChooser(.picture, over: template.root) { [weak self] path in self?.take(path) }
    }

    /// Shows what the file becomes; nothing is sent before it is saved.
    func take(_ path: String) {
        run { dialog in
            let made = await Task.detached {
                Result { () throws(PictureFileError) in try PictureFile.picture(at: path) }
            }.value
            do throws(PictureFileError) {
                dialog.picture = try made.get()
                dialog.changed()
            } catch {
                throw AccountError.picture(error)
            }
        }
    }

    private func save() {
        let wanted = wanted
        guard wanted != kept, !wanted.displayName.isEmpty else { return }
        template["save_button"].isSensitive = false
        run { dialog in
            defer { dialog.changed() }
            try await dialog.provider.setOwnProfile(wanted)
            dialog.kept = wanted
            dialog.window.close()
        }
    }

    private func run(_ body: @escaping @MainActor (ProfileDialog) async throws -> Void) {
        template["error"].isVisible = false
        Task { [weak self] in
            guard let self else { return }
            do {
                try await body(self)
            } catch {
                template["error"].text = sentence(of: error)
                template["error"].isVisible = true
            }
        }
    }
}
