import CGtk
import GLibKit
import Wording

/// The contacts, the log of calls beside them, and what is said above and below them.
@MainActor final class PeopleView {
    /// The page of the main window.
    let root: Widget
    private let template = Template("people-view")
    private let contacts: ContactList
    private let bar: PeopleBar
    private let requests: RequestList
    private var calls: CallLogPage?
    private var items: [ContactItem] = []
    /// Makes the log of calls, which the person has turned to for the first time.
    var makeCalls: @MainActor () -> CallLogPage? = { nil }
    /// Is told that the person wants to reach the relay now.
    var onRetry: @MainActor () -> Void = {}
    /// Is told which contacts the person wants to remove together.
    var onRemove: @MainActor ([ContactItem]) -> Void {
        get { bar.onRemove }
        set { bar.onRemove = newValue }
    }

    /// Is told which contacts the person wants to call together.
    var onCallTogether: @MainActor ([ContactItem], CallKind) -> Void {
        get { bar.onCallTogether }
        set { bar.onCallTogether = newValue }
    }
    /// Is told that the person wants to come back into the call of several that goes on.
    var onComeBack: @MainActor () -> Void = {}

    /// Makes the page; `onWish` is told what the person wants of a contact, `onAnswer` whom they take as one.
    init(
        onWish: @escaping @MainActor (ContactItem, ContactWish) -> Void,
        onAnswer: @escaping @MainActor (RequestItem, Bool) -> Void
    ) {
        root = template.root
        contacts = ContactList(
            list: template["contact_list"], emptyPage: template["empty_page"], nothingFound: template["nothing_found"],
            onWish: onWish)
        bar = PeopleBar(template, contacts)
        requests = RequestList(
            list: template["request_list"], section: template["request_section"], onAnswer: onAnswer)
        template["retry_button"].connect("clicked") { [weak self] in self?.onRetry() }
        template["come_back_button"].connect("clicked") { [weak self] in self?.onComeBack() }
        template["menu_button"].nameMenuItems()
        template["views"].connect("notify::visible-child-name") { [weak self] in self?.viewChanged() }
        template["switcher"].connect("notify::title-visible") { [weak self] in self?.titleChanged() }
    }

    /// Shows these contacts.
    func show(_ items: [ContactItem]) {
        self.items = items
        contacts.show(items)
        calls?.show(items)
    }

    /// Shows those who ask to become contacts.
    func show(_ items: [RequestItem]) { requests.show(items) }

    /// Shows the field for a name of a contact.
    func searchContacts() { bar.search() }

    /// Says which of several profiles is shown, nil where one alone is open.
    func setProfile(_ name: String?) {
        template["profile_button"].isVisible = name != nil
        template["profile_label"].text = name ?? ""
        if let name { template["profile_button"].setAccessibleLabel(name) }
        template["switcher"].text = name ?? ApplicationIdentity.name
    }

    /// Whether the log of calls is shown in place of the contacts.
    var showsCalls: Bool { template["views"][property: "visible-child-name"] == "calls" }

    /// Turns to the log of calls, or back to the contacts.
    func show(calls isWanted: Bool) {
        adw_view_stack_set_visible_child_name(template["views"].pointer(), isWanted ? "calls" : "contacts")
    }

    /// What is not seen is hidden: GTK would still read it out to assistive tools.
    private func viewChanged() {
        if showsCalls { addCalls() }
        template["contacts_view"].isVisible = !showsCalls
        bar.setShown(!showsCalls)
        calls?.root.isVisible = showsCalls
        calls?.setShown(showsCalls)
    }

    private func addCalls() {
        guard calls == nil, let calls = makeCalls() else { return }
        self.calls = calls
        calls.show(items)
        calls.root.isVisible = false
        gtk_widget_set_vexpand(calls.root.pointer(), 1)
        gtk_box_append(template["calls_view"].pointer(), calls.root.pointer())
    }

    /// In a narrow window the views are chosen at the lower edge.
    private func titleChanged() {
        adw_view_switcher_bar_set_reveal(
            template["switcher_bar"].pointer(),
            adw_view_switcher_title_get_title_visible(template["switcher"].pointer()))
    }

    /// Shows that there is no network, nil when there is one.
    func showNetwork(_ sentence: String?) {
        if let sentence { template["network_label"].text = sentence }
        template["network_bar"].isVisible = sentence != nil
    }

    /// Shows a line about the relay below the title, nil for none, and whether it can be tried again.
    func showRelay(_ sentence: String?, canRetry: Bool) {
        template["relay_label"].text = sentence ?? ""
        template["relay_label"].isVisible = sentence != nil
        template["retry_button"].isVisible = canRetry
    }

    /// Shows that there is a call in another window, with the way to it; nil when there is none.
    func showReturn(_ sentence: String?) {
        template["return_label"].text = sentence ?? ""
        template["return_bar"].isVisible = sentence != nil
    }

    /// Says whether calls of several are offered, and of how many people at most.
    func setTakesGroupCalls(_ isOn: Bool, most: Int) { bar.setTakesGroupCalls(isOn, most: most) }

    /// Shows that the call of several that the person was in goes on, with the way back into it.
    func showComeBack(_ isShown: Bool) { template["come_back_bar"].isVisible = isShown }

    /// Shows what is wrong as long as it is, at the lower edge, where it moves nothing; nil when all is well.
    func showTrouble(_ sentence: String?) {
        template["trouble_label"].text = sentence ?? ""
        template["trouble_bar"].isVisible = sentence != nil
    }
}
