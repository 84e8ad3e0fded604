import CGtk
import GLibKit
import Wording

/// Who is to be added to a call of two.
@MainActor final class AddPeopleDialog: Dialog {
    let window: DialogWindow
    private let template = Template("add-people")
    private let most: Int
    private let rows: [(contact: ContactItem, check: Widget)]
    /// GTK gives assistive tools nothing to press at a check button but the actions that are known in it.
    private var choices: [ActionGroup] = []

    /// Makes the window, to lie over another. `name` is who is in the call and is asked; at most `most` can be chosen, and `onAdd` is told who.
    init(
        over parent: Widget, name: String, contacts: [ContactItem], most: Int,
        onAdd: @escaping @MainActor ([ContactItem]) -> Void
    ) {
        self.most = most
        window = DialogWindow(template.root, over: parent)
        rows = contacts.map { ($0, Widget(retaining: UnsafeMutableRawPointer(gtk_check_button_new()))) }
        template["explanation"].text = tr("%s is asked first. If they agree, those you choose are called.", name)
        for (contact, check) in rows {
            let row = Widget(retaining: UnsafeMutableRawPointer(adw_action_row_new()))
            row[property: "use-markup"] = false
            row.text = contact.name
            adw_action_row_add_prefix(row.pointer(), check.pointer())
            adw_action_row_set_activatable_widget(row.pointer(), check.pointer())
            check.setAccessibleLabel(tr("Add %s", contact.name))
            check.connect("notify::active") { [weak self] in self?.chosen() }
            let choice = ActionGroup("choice", in: check)
            choice.add("toggle") { [weak check] in
                guard let check, check.isSensitive else { return }
                let isChosen: Bool = check[property: "active"] ?? false
                check[property: "active"] = !isChosen
            }
            choices.append(choice)
            gtk_list_box_append(template["list"].pointer(), row.pointer())
        }
        template["add_button"].connect("clicked") { [weak self] in
            guard let self, !selected.isEmpty else { return }
            let wanted = selected
            window.close()
            onAdd(wanted)
        }
    }

    private var selected: [ContactItem] { rows.filter { $0.check[property: "active"] ?? false }.map(\.contact) }

    /// No more can be chosen than there is room for.
    private func chosen() {
        let count = selected.count
        template["add_button"].isSensitive = count > 0
        for (_, check) in rows {
            let isChosen: Bool = check[property: "active"] ?? false
            check.isSensitive = isChosen || count < most
        }
    }
}
