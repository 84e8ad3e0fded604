import CGtk
import GLibKit
import Wording

/// People nearby: who is there, and the code that two of them compare. Others see the person's name only while it is open.
@MainActor final class NearbyDialog: Dialog {
    let window: DialogWindow
    private let template = Template("nearby")
    private let provider: any ReachProvider
    private let onAdded: @MainActor (ContactItem) -> Void
    private let mark: WaitingMark
    private var surroundings: SurroundingsItem?
    private var meeting: MeetingItem?
    private let rows: ItemRows<SurroundingsItem.Person, Template>

    /// Makes the dialog, to lie over a window; `onAdded` gets a new contact.
    init(over parent: Widget, provider: any ReachProvider, onAdded: @escaping @MainActor (ContactItem) -> Void) {
        self.provider = provider
        self.onAdded = onAdded
        window = DialogWindow(template.root, over: parent)
        mark = WaitingMark(template["mark"])
        rows = ItemRows(template["people_list"])
        template["pages"].showPage("people")
        template["open_button"].connect("clicked") { [weak self] in self?.openToNetwork() }
        template["match_button"].connect("clicked") { [weak self] in self?.answer(true) }
        template["differ_button"].connect("clicked") { [weak self] in self?.answer(false) }
        template["again_button"].connect("clicked") { [weak self] in self?.showPeople() }
        Task { await begin() }
    }

    func gone() {
        meeting?.refuse()
        let surroundings = surroundings
        Task { await surroundings?.leave() }
    }

    private func begin() async {
        guard let reach = await provider.reach() else { return }
        guard reach.extent != .thisMachine else { return template["pages"].showPage("closed") }
        template["pages"].showPage("people")
        mark.show(true)
        say("people_state", tr("Looking for people nearby…"))
        do {
            let surroundings = try await provider.lookAround()
            guard window.isOpen else { return await surroundings.leave() }
            self.surroundings = surroundings
            Task { [weak self] in
                for await news in surroundings.news { self?.handle(news) }
            }
        } catch {
            mark.show(false)
            say("people_state", sentence(of: error), isError: true)
        }
    }

    private func openToNetwork() {
        template["open_button"].isSensitive = false
        Task {
            do {
                try await provider.setOpenToNetwork(true)
                await begin()
            } catch {
                say("closed_state", sentence(of: error), isError: true)
            }
            template["open_button"].isSensitive = true
        }
    }

    private func handle(_ news: SurroundingsItem.News) {
        switch news {
        case .people(let people):
            rows.show(people, make: row) { row, person in
                row.root.text = person.name
                row["connect_button"].setAccessibleLabel(tr("Connect with %s", person.name))
            }
            template["people_list"].isVisible = !people.isEmpty
        case .meeting(let meeting): follow(meeting)
        }
    }

    private func row(_ id: SurroundingsItem.Person.ID) -> Template {
        let row = Template("nearby-row")
        row["connect_button"].connect("clicked") { [weak self] in self?.meet(id) }
        return row
    }

    private func meet(_ id: SurroundingsItem.Person.ID) {
        guard let surroundings, meeting == nil, let person = rows[id] else { return }
        say("people_state", tr("Asking %s…", person.name))
        Task {
            do {
                follow(try await surroundings.meet(person.id))
            } catch {
                say("people_state", sentence(of: error), isError: true)
            }
        }
    }

    private func follow(_ meeting: MeetingItem) {
        guard self.meeting == nil, window.isOpen else { return meeting.refuse() }
        self.meeting = meeting
        Task { [weak self] in
            for await news in meeting.news { self?.handle(news) }
        }
    }

    private func handle(_ news: MeetingItem.News) {
        switch news {
        case .compare(let code, let name):
            template["code_label"].text = code
            template["code_group"].text = MarkupText.plain(tr("Compare with %s", name))
            for button in ["match_button", "differ_button"] { template[button].isSensitive = true }
            say("code_state", "")
            template["pages"].showPage("code")
        case .connecting: say("code_state", tr("Connecting…"))
        case .connected(let contact):
            meeting = nil
            window.close()
            onAdded(contact)
        case .failed(let sentence):
            meeting = nil
            template["failure_label"].text = sentence
            template["pages"].showPage("failed")
        }
    }

    private func answer(_ isEqual: Bool) {
        for button in ["match_button", "differ_button"] { template[button].isSensitive = false }
        if isEqual {
            say("code_state", tr("Waiting for the other person…"))
            meeting?.confirm()
        } else {
            meeting?.refuse()
        }
    }

    private func showPeople() {
        say("people_state", tr("Looking for people nearby…"))
        template["pages"].showPage("people")
    }

    private func say(_ label: String, _ sentence: String, isError: Bool = false) {
        template[label].text = sentence
        template[label].isVisible = !sentence.isEmpty
        template[label].setClass("error", isError)
    }
}
