import CGtk
import GLibKit
import Wording

/// The messages with a contact, in a window of their own.
@MainActor final class MessagesDialog: Dialog {
    let window: DialogWindow
    private let template = Template("messages")
    private let view: MessageView
    private let actions: ActionGroup

    /// Makes the window, to lie over another; `onDelete` is told that all of them are to be deleted.
    init(
        over parent: Widget, provider: any MessageProvider, contact: ContactItem,
        onDelete: @escaping @MainActor () -> Void
    ) {
        view = MessageView(provider, contact: contact)
        gtk_widget_set_vexpand(view.root.pointer(), 1)
        gtk_box_append(template["content"].pointer(), view.root.pointer())
        template["title"][property: "subtitle"] = contact.name
        actions = ActionGroup("messages", in: template.root)
        actions.add("delete-all") { onDelete() }
        template["menu_button"].describe(tr("Menu for messages with %s", contact.name))
        template["menu_button"].nameMenuItems()
        window = DialogWindow(template.root, over: parent)
        view.focusEntry()
    }
}
