import CGtk
import GLibKit
import Wording

/// What a person can ask for at a contact's row.
enum ContactWish: Equatable {
    case call(CallKind)
    case verify, takeName, repair, retry, remove, block, unblock
    /// To see the link that was made for them again.
    case showLink
    /// To keep calls with them in the log, or not.
    case keepCalls(Bool)
}

/// One contact: avatar, name, state, a button for each kind of call, a menu.
@MainActor final class ContactRow {
    /// The row for the list.
    let root: Widget
    /// The contact shown.
    private(set) var contact: ContactItem
    private let template = Template("contact-row")
    private let actions: ActionGroup

    /// Makes the row; `onWish` is told what the person wants of the contact.
    init(_ contact: ContactItem, onWish: @escaping @MainActor (ContactItem, ContactWish) -> Void) {
        root = template.root
        self.contact = contact
        actions = ActionGroup("contact", in: root)
        let ask: @MainActor (ContactWish) -> Void = { [weak self] wish in if let self { onWish(self.contact, wish) } }
        template["audio_button"].connect("clicked") { ask(.call(.audio)) }
        template["video_button"].connect("clicked") { ask(.call(.video)) }
        template["link_button"].connect("clicked") { ask(.showLink) }
        actions.add("verify") { ask(.verify) }
        actions.add("take-name") { ask(.takeName) }
        actions.add("repair") { ask(.repair) }
        actions.add("retry") { ask(.retry) }
        actions.add("forget-calls") { ask(.keepCalls(false)) }
        actions.add("keep-calls") { ask(.keepCalls(true)) }
        actions.add("remove") { ask(.remove) }
        actions.add("block") { ask(.block) }
        actions.add("unblock") { ask(.unblock) }
        template["menu_button"].nameMenuItems()
        show(contact)
    }

    /// Shows the contact as it is now.
    func show(_ contact: ContactItem) {
        self.contact = contact
        let shown = ContactPresentation(contact)
        root.text = contact.name
        root[property: "subtitle"] = shown.subtitle
        template["avatar"].text = contact.name
        root.setClass("blocked", shown.isBlocked)
        template["waiting"].isVisible = shown.isWaiting
        for button in ["audio_button", "video_button"] { template[button].isVisible = shown.canCall }
        template["link_button"].isVisible = shown.canShowLink
        template["audio_button"].describe(tr("Call %s", contact.name))
        template["video_button"].describe(tr("Video call with %s", contact.name))
        actions.set("verify", shown.canVerify)
        actions.set("take-name", shown.canTakeName)
        actions.set("repair", shown.canRepair)
        actions.set("retry", shown.canRetry)
        actions.set("forget-calls", shown.canForgetCalls)
        actions.set("keep-calls", shown.canKeepCalls)
        actions.set("remove", shown.canRemove)
        actions.set("block", shown.canBlock)
        actions.set("unblock", shown.isBlocked)
        template["menu_button"].isVisible =
            shown.canVerify || shown.canTakeName || shown.canRepair || shown.canRetry || shown.canRemove
            || shown.canForgetCalls || shown.canKeepCalls || shown.canBlock || shown.isBlocked
        template["menu_button"].describe(tr("Menu for %s", contact.name))
    }
}
