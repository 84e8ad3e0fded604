import CGtk
import GLibKit
import Wording

/// The person's profiles: which are there, which one is shown, and what can be done to each.
@MainActor final class ProfilesDialog: Dialog {
    /// What a person wants of a profile.
    enum Wish: Equatable { case show, close, remove }

    let window: DialogWindow
    private let template = Template("profiles")
    private let onWish: @MainActor (Wish, ProfileRow) -> Void
    private var shown: [ProfileRow] = []
    private var rows: [Widget] = []

    /// Makes the dialog, to lie over a window; `onNew` is told that the person wants another profile, `onBring` that it is one from another
    /// machine.
    init(
        over parent: Widget, onNew: @escaping @MainActor () -> Void, onBring: @escaping @MainActor () -> Void,
        onWish: @escaping @MainActor (Wish, ProfileRow) -> Void
    ) {
        self.onWish = onWish
        window = DialogWindow(template.root, over: parent)
        template["new_button"].connect("clicked") { onNew() }
        template["bring_button"].connect("clicked") { onBring() }
    }

    /// Shows exactly these.
    func show(_ profiles: [ProfileRow]) {
        guard profiles != shown else { return }
        shown = profiles
        let list = template["profile_list"]
        for row in rows { gtk_list_box_remove(list.pointer(), row.pointer()) }
        rows = profiles.map(row)
        for row in rows { gtk_list_box_append(list.pointer(), row.pointer()) }
    }

    private func row(_ profile: ProfileRow) -> Widget {
        let template = Template("profile-row")
        template.root.text = profile.name
        template.root[property: "subtitle"] = profile.state
        let show = template["show_button"]
        show.isVisible = !profile.isShown
        template["show_label"].text = profile.isClosed ? tr("Open") : tr("Show")
        show.describe(
            profile.isClosed ? tr("Open the profile %s", profile.name) : tr("Show the profile %s", profile.name))
        template["close_button"].isVisible = !profile.isClosed
        gtk_widget_set_sensitive(template["close_button"].pointer(), profile.canClose ? 1 : 0)
        template["close_button"].describe(tr("Close the profile %s", profile.name))
        gtk_widget_set_sensitive(template["remove_button"].pointer(), profile.canRemove ? 1 : 0)
        template["remove_button"].describe(tr("Remove the profile %s", profile.name))
        let wishes: [(String, Wish)] = [("show_button", .show), ("close_button", .close), ("remove_button", .remove)]
        for (button, wish) in wishes {
            template[button].connect("clicked") { [weak self] in self?.onWish(wish, profile) }
        }
        return template.root
    }
}
