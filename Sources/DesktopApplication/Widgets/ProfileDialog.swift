import CGtk
import GLibKit
import Parley
import Wording

/// How the person shows themselves: name, a line, a picture, seen here before anybody is sent them.
@MainActor final class ProfileDialog: Dialog {
    let window: DialogWindow
    private let template = Template("own-profile")
    private let provider: any ProfileProvider
    private var picture: PicturePicker?
    private var kept: OwnProfile?

    /// Makes the window, to lie over another.
    init(over parent: Widget, provider: any ProfileProvider) {
        window = DialogWindow(template.root, over: parent)
        self.provider = provider
        picture = PicturePicker(template) { [weak self] in self?.say($0) }
        picture?.onChange = { [weak self] in self?.changed() }
        for entry in ["name_entry", "description_entry"] {
            template[entry].connect("changed") { [weak self] in self?.changed() }
            template[entry].connect("entry-activated") { [weak self] in self?.save() }
        }
        template["save_button"].connect("clicked") { [weak self] in self?.save() }
        template["save_button"].isSensitive = false
        run { dialog in
            let profile = try await dialog.provider.ownProfile()
            dialog.kept = profile
            dialog.picture?.picture = profile.picture
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
            picture: picture?.picture)
    }

    private func changed() {
        let wanted = wanted
        picture?.name = wanted.displayName
        template["save_button"].isSensitive = kept != nil && wanted != kept && !wanted.displayName.isEmpty
    }

    /// Shows what the file becomes; nothing is sent before it is saved.
    func setPicture(_ path: String) { picture?.set(path) }

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
        say("")
        Task { [weak self] in
            guard let self else { return }
            do {
                try await body(self)
            } catch {
                say(sentence(of: error))
            }
        }
    }

    private func say(_ sentence: String) {
        template["error"].text = sentence
        template["error"].isVisible = !sentence.isEmpty
    }
}
