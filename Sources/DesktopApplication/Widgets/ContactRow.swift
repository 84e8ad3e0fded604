import CGtk
import Foundation
import GLibKit
import Wording

/// What a person can ask for at a contact's row.
enum ContactWish: Equatable {
    case call(CallKind)
    /// To see the messages with them.
    case messages
    case open, verify, takeName, repair, retry, remove, block, unblock
    /// To see the link that was made for them again, or to take it back.
    case showLink, withdrawLink
    /// To make a new link, as nothing else connects with them again.
    case newLink
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
    private let avatar: Avatar
    /// GTK gives assistive tools nothing to press at a check button but the actions that are known in it.
    private let choice: ActionGroup
    private var menu: ContextMenu?
    private var isSelecting = false
    /// Whether the row is chosen where several are.
    var isSelected: Bool { isSelecting && template["select_check"][property: "active"] ?? false }
    /// Is told that the row is chosen, or not any more.
    var onSelection: @MainActor () -> Void = {}

    /// Makes the row; `onWish` is told what the person wants of the contact.
    init(_ contact: ContactItem, onWish: @escaping @MainActor (ContactItem, ContactWish) -> Void) {
        root = template.root
        avatar = Avatar(template["avatar"])
        self.contact = contact
        actions = ActionGroup("contact", in: root)
        choice = ActionGroup("choice", in: template["select_check"])
        let ask: @MainActor (ContactWish) -> Void = { [weak self] wish in if let self { onWish(self.contact, wish) } }
        template["audio_button"].connect("clicked") { ask(.call(.audio)) }
        template["video_button"].connect("clicked") { ask(.call(.video)) }
        template["link_button"].connect("clicked") { ask(.showLink) }
        template["new_link_button"].connect("clicked") { ask(.newLink) }
        actions.add("messages") { ask(.messages) }
        actions.add("verify") { ask(.verify) }
        actions.add("take-name") { ask(.takeName) }
        actions.add("repair") { ask(.repair) }
        actions.add("retry") { ask(.retry) }
        actions.add("forget-calls") { ask(.keepCalls(false)) }
        actions.add("keep-calls") { ask(.keepCalls(true)) }
        actions.add("remove") { ask(.remove) }
        actions.add("withdraw") { ask(.withdrawLink) }
        actions.add("block") { ask(.block) }
        actions.add("unblock") { ask(.unblock) }
        actions.add("open") { ask(.open) }
        actions.add("menu") { [weak self] in self?.menu?.open() }
        template["menu_button"].nameMenuItems()
        menu = ContextMenu(on: root, of: template["menu_button"]) { [weak self] in
            self?.template["menu_button"].isVisible == true
        }
        choice.add("toggle") { [weak self] in self?.toggle() }
        template["select_check"].connect("notify::active") { [weak self] in self?.selectionChanged() }
        for key in ["Menu", "<Shift>F10"] { root.addKey(key, starting: "contact.menu") }
        show(contact)
    }

    /// Has rows chosen, or does what rows do.
    func setSelecting(_ isSelecting: Bool) {
        self.isSelecting = isSelecting
        template["select_check"][property: "active"] = false
        show(contact)
        root.setAccessibleSelected(isSelecting && !contact.isTestCall ? false : nil)
    }

    /// The row was pressed.
    func activate() {
        if isSelecting { toggle() } else { actions.perform("open") }
    }

    private func toggle() {
        guard isSelecting, !contact.isTestCall else { return }
        let isOn: Bool = template["select_check"][property: "active"] ?? false
        template["select_check"][property: "active"] = !isOn
    }

    private func selectionChanged() {
        // Whoever presses the row has the focus there, and is to hear it.
        if isSelecting { root.setAccessibleSelected(isSelected) }
        onSelection()
    }

    /// Whether the contact has this text in one of the names.
    func matches(_ text: String) -> Bool {
        text.isEmpty || [contact.name, contact.ownName ?? ""].contains { $0.localizedStandardContains(text) }
    }

    /// Shows the contact as it is now.
    func show(_ contact: ContactItem) {
        self.contact = contact
        let shown = ContactPresentation(contact)
        root.text = contact.name
        root[property: "subtitle"] = shown.subtitle
        avatar.show(name: contact.name, picture: contact.picture)
        template["select_check"].isVisible = isSelecting
        template["select_check"].isSensitive = !contact.isTestCall
        template["select_check"].setAccessibleLabel(tr("Select %s", contact.name))
        template["compared"].isVisible = contact.isCompared
        root.setClass("blocked", shown.isBlocked)
        template["waiting"].isVisible = shown.isWaiting
        for button in ["audio_button", "video_button"] {
            template[button].isVisible = shown.canCall && !isSelecting
        }
        template["link_button"].isVisible = shown.canShowLink && !isSelecting
        template["new_link_button"].isVisible = shown.needsNewLink && !isSelecting
        template["new_link_button"].setAccessibleLabel(tr("Make a new link for %s", contact.name))
        template["audio_button"].describe(tr("Call %s", contact.name))
        template["video_button"].describe(tr("Video call with %s", contact.name))
        template["unread"].text = shown.unread ?? ""
        template["unread"].isVisible = shown.unread != nil
        if let sentence = shown.unreadSentence { template["unread"].describe(sentence) }
        actions.set("messages", shown.canWrite)
        actions.set("verify", shown.canVerify)
        actions.set("take-name", shown.canTakeName)
        actions.set("repair", shown.canRepair)
        actions.set("retry", shown.canRetry)
        actions.set("forget-calls", shown.canForgetCalls)
        actions.set("keep-calls", shown.canKeepCalls)
        // Who has not opened the link is no contact yet.
        actions.set("remove", shown.canRemove && !shown.canShowLink)
        actions.set("withdraw", shown.canShowLink)
        actions.set("block", shown.canBlock)
        actions.set("unblock", shown.isBlocked)
        let hasMenu =
            shown.canWrite || shown.canVerify || shown.canTakeName || shown.canRepair || shown.canRetry
            || shown.canRemove
            || shown.canForgetCalls || shown.canKeepCalls || shown.canBlock || shown.isBlocked
        template["menu_button"].isVisible = hasMenu && !isSelecting
        template["menu_button"].describe(tr("Menu for %s", contact.name))
    }
}
