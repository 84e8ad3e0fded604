import BaseKit
import CGtk
import GLibKit
import Signaling
import Wording

/// The page of those who take part in a call of several, and of those who can be invited.
@MainActor final class GroupPeople {
    /// Is told whom the person pins, or no longer.
    var onPin: @MainActor (MemberNumber) -> Void = { _ in }
    /// Is told how loud the person wants to hear somebody: 1 is as they come.
    var onVolume: @MainActor (MemberNumber, Double) -> Void = { _, _ in }
    /// Is told whom the person puts out.
    var onRemove: @MainActor (MemberNumber) -> Void = { _ in }
    /// Is told with whom the person wants to compare the code.
    var onCompare: @MainActor (MemberNumber) -> Void = { _ in }
    /// Is told whom the person invites.
    var onInvite: @MainActor (ContactItem) -> Void = { _ in }

    @MainActor private final class Row: ItemRow {
        let template: Template
        let avatar: Avatar
        /// Whether what happens to the slider is the program's doing.
        var isShowing = false
        /// How loud the person has chosen to hear them.
        var choice = PendingChoice<Double>()
        var root: Widget { template.root }

        init(_ name: String) {
            template = Template(name)
            avatar = Avatar(template["avatar"])
        }
    }

    private let page: Template
    private let people: ItemRows<GroupPresentation.Person, Row>
    private let guests: ItemRows<ContactItem, Row>

    /// Fills the lists of the page of a call.
    init(_ page: Template) {
        self.page = page
        people = ItemRows(page["people_list"])
        guests = ItemRows(page["guest_list"])
    }

    /// Shows these.
    func show(_ group: GroupPresentation) {
        page["people_title"].text = tr(
            "%s person in the call", plural: "%s people in the call", count: group.count, group.count)
        people.show(group.people, make: makePerson, fill: fill)
        guests.show(group.guests, make: makeGuest, fill: fill)
        page["guest_section"].isVisible = !group.guests.isEmpty
    }

    private func makePerson(_ id: MemberNumber) -> Row {
        let row = Row("group-person")
        row.template["pin_button"].connect("clicked") { [weak self, options = row.template["options"]] in
            gtk_popover_popdown(options.pointer())
            self?.onPin(id)
        }
        let scale = row.template["volume_scale"]
        gtk_scale_add_mark(scale.pointer(), 100, GTK_POS_BOTTOM, nil)
        scale.connect("value-changed") { [weak self, weak row] in
            guard let row, !row.isShowing else { return }
            let volume = gtk_range_get_value(scale.pointer()) / 100
            row.choice.choose(volume, now: .now)
            self?.onVolume(id, volume)
        }
        row.template["remove_button"].connect("clicked") { [weak self] in self?.onRemove(id) }
        row.template["compare_button"].connect("clicked") { [weak self, options = row.template["options"]] in
            gtk_popover_popdown(options.pointer())
            self?.onCompare(id)
        }
        return row
    }

    private func fill(_ row: Row, _ person: GroupPresentation.Person) {
        row.root.text = person.name
        row.root[property: "subtitle"] = person.subtitle
        row.avatar.show(name: person.name, picture: person.picture)
        row.template["muted"].isVisible = person.isMuted
        row.template["hand"].isVisible = person.hasRaisedHand
        row.template["compared"].isVisible = person.isCompared
        showOptions(of: person, in: row)
        row.template["remove_button"].isVisible = person.canRemove
        row.template["remove_button"].describe(tr("Remove %s from the call", person.name))
    }

    private func showOptions(of person: GroupPresentation.Person, in row: Row) {
        let (volume, pin) = (row.template["volume"], row.template["pin_button"])
        row.template["options_button"].isVisible = person.pin != nil || person.volume != nil || person.canCompare
        row.template["compare_button"].isVisible = person.canCompare
        row.template["compare_button"].describe(tr("Security code of %s", person.name))
        row.template["options_button"].describe(tr("Options for %s", person.name))
        pin.isVisible = person.pin != nil
        if let words = person.pin, pin.text != words { pin.text = words }
        volume.isVisible = person.volume != nil
        guard let loudness = person.volume.map({ row.choice.shown($0, now: .now) }) else { return }
        row.template["volume_name"].text = tr("Volume of %s, in percent", person.name)
        row.template["volume_scale"].setAccessibleLabel(tr("Volume of %s, in percent", person.name))
        row.isShowing = true
        gtk_range_set_value(row.template["volume_scale"].pointer(), (loudness * 100).rounded())
        row.isShowing = false
    }

    private func makeGuest(_ id: ContactItem.ID) -> Row {
        let row = Row("group-guest")
        row.template["invite_button"].connect("clicked") { [weak self] in
            guard let self, let contact = guests[id] else { return }
            onInvite(contact)
        }
        return row
    }

    private func fill(_ row: Row, _ contact: ContactItem) {
        row.root.text = contact.name
        row.avatar.show(name: contact.name, picture: contact.picture)
        row.template["invite_button"].setAccessibleLabel(tr("Invite %s", contact.name))
    }
}
