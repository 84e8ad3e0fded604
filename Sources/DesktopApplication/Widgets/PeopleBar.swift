import CGtk
import GLibKit
import Wording

/// What stands around the list of contacts: the search, and what is done to several of them at once.
@MainActor final class PeopleBar {
    /// Is told which contacts the person wants to remove.
    var onRemove: @MainActor ([ContactItem]) -> Void = { _ in }
    /// Is told which contacts the person wants to call together.
    var onCallTogether: @MainActor ([ContactItem], CallKind) -> Void = { _, _ in }
    private var takesGroupCalls = false
    private var mostInGroupCall = GroupPresentation.capacity
    private let template: Template
    private let contacts: ContactList

    /// Fills the widgets of the template of contacts.
    init(_ template: Template, _ contacts: ContactList) {
        self.template = template
        self.contacts = contacts
        let (bar, entry) = (template["contact_search_bar"], template["contact_search_entry"])
        gtk_search_bar_connect_entry(bar.pointer(), entry.pointer())
        // Typing anywhere among the contacts begins a search.
        gtk_search_bar_set_key_capture_widget(bar.pointer(), template["contacts_view"].pointer())
        bar.connect("notify::search-mode-enabled") { [weak self] in self?.searchChanged() }
        entry.connect("search-changed") { [weak self] in self?.searchChanged() }
        template["contact_search_button"].connect("toggled") { [weak self] in self?.searchToggled() }
        template["select_button"].connect("toggled") { [weak self] in self?.selectToggled() }
        template["remove_selected_button"].connect("clicked") { [weak self] in self?.remove() }
        template["call_selected_button"].connect("clicked") { [weak self] in self?.call(.audio) }
        template["video_selected_button"].connect("clicked") { [weak self] in self?.call(.video) }
        contacts.onSelection = { [weak self] in self?.show($0) }
    }

    /// Shows the field for a name.
    func search() {
        gtk_search_bar_set_search_mode(template["contact_search_bar"].pointer(), 1)
        gtk_widget_grab_focus(template["contact_search_entry"].pointer())
    }

    /// What is not seen is hidden: GTK would still read it out to assistive tools.
    func setShown(_ isShown: Bool) {
        template["contact_search_bar"].isVisible = isShown
        template["selection_bar"].isVisible = isShown && isSelecting
    }

    private var isSelecting: Bool { template["select_button"][property: "active"] ?? false }

    private func searchToggled() {
        let isOn: Bool = template["contact_search_button"][property: "active"] ?? false
        if isOn { search() } else { gtk_search_bar_set_search_mode(template["contact_search_bar"].pointer(), 0) }
    }

    private func searchChanged() {
        let isOn = gtk_search_bar_get_search_mode(template["contact_search_bar"].pointer()) != 0
        template["contact_search_button"][property: "active"] = isOn
        contacts.search(isOn ? template["contact_search_entry"].text.trimmed : "")
    }

    private func selectToggled() {
        contacts.setSelecting(isSelecting)
        template["selection_bar"].isVisible = isSelecting
        gtk_action_bar_set_revealed(template["selection_bar"].pointer(), isSelecting ? 1 : 0)
    }

    /// Says whether calls of several are offered, and of how many people at most.
    func setTakesGroupCalls(_ isOn: Bool, most: Int) {
        (takesGroupCalls, mostInGroupCall) = (isOn, most)
        show(contacts.selected)
    }

    private func show(_ selected: [ContactItem]) {
        let choice = TogetherChoice(selected, takesGroupCalls: takesGroupCalls, most: mostInGroupCall)
        template["selection_label"].text = choice.sentence
        template["remove_selected_button"].isSensitive = !selected.isEmpty
        for button in ["call_selected_button", "video_selected_button"] {
            template[button].isVisible = choice.isOffered
            template[button].isSensitive = choice.canCall
        }
    }

    private func call(_ kind: CallKind) {
        let selected = contacts.selected
        template["select_button"][property: "active"] = false
        if !selected.isEmpty { onCallTogether(selected, kind) }
    }

    private func remove() {
        let selected = contacts.selected
        template["select_button"][property: "active"] = false
        if !selected.isEmpty { onRemove(selected) }
    }
}
