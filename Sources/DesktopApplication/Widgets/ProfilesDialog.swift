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
    private let rows: ItemRows<ProfileRow, Template>

    /// Makes the dialog, to lie over a window; `onNew` is told that the person wants another profile, `onBring` that it is one from another
    /// machine.
    init(
        over parent: Widget, onNew: @escaping @MainActor () -> Void, onBring: @escaping @MainActor () -> Void,
        onWish: @escaping @MainActor (Wish, ProfileRow) -> Void
    ) {
        self.onWish = onWish
        rows = ItemRows(template["profile_list"])
        window = DialogWindow(template.root, over: parent)
        template["new_button"].connect("clicked") { onNew() }
        template["bring_button"].connect("clicked") { onBring() }
    }

    /// Shows exactly these.
    func show(_ profiles: [ProfileRow]) { rows.show(profiles, make: row, fill: Self.fill) }

    private func row(_ id: ProfileRow.ID) -> Template {
        let row = Template("profile-row")
        let wishes: [(String, Wish)] = [("show_button", .show), ("close_button", .close), ("remove_button", .remove)]
        for (button, wish) in wishes {
            row[button].connect("clicked") { [weak self] in
                if let profile = self?.rows[id] { self?.onWish(wish, profile) }
            }
        }
        return row
    }

    private static func fill(_ row: Template, _ profile: ProfileRow) {
        row.root.text = profile.name
        row.root[property: "subtitle"] = profile.state
        let show = row["show_button"]
        show.isVisible = !profile.isShown
        row["show_label"].text = profile.isClosed ? tr("Open") : tr("Show")
        show.describe(
            profile.isClosed ? tr("Open the profile %s", profile.name) : tr("Show the profile %s", profile.name))
        row["close_button"].isVisible = !profile.isClosed
        row["close_button"].isSensitive = profile.canClose
        row["close_button"].describe(tr("Close the profile %s", profile.name))
        row["remove_button"].isSensitive = profile.canRemove
        row["remove_button"].describe(tr("Remove the profile %s", profile.name))
    }
}
