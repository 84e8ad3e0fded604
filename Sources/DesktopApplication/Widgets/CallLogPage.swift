import CGtk
import Calling
import Foundation
import GLibKit
import Parley
import Signaling
import Wording

/// The log of calls in the main window: a list that reads on as one scrolls, with filters and a search.
@MainActor final class CallLogPage {
    /// What the page asks of the windows around it.
    struct Requests {
        /// To call somebody.
        var call: @MainActor (ContactItem, CallKind) -> Void
        /// To call several together.
        var callTogether: @MainActor ([ContactItem], CallKind) -> Void = { _, _ in }
        /// To come back into the call of several that goes on.
        var comeBack: @MainActor () -> Void = {}
        /// To show everything about a call.
        var details: @MainActor (LoggedCall, CallLogPresentation.Surroundings) -> Void
        /// To ask whether all calls are to be deleted.
        var askToDeleteAll: @MainActor (_ onYes: @escaping @MainActor () -> Void) -> Void
        /// To say that something was deleted, and let that be undone; `onDone` is told when it can't be any more.
        var undo:
            @MainActor (
                _ sentence: String, _ onUndo: @escaping @MainActor () -> Void, _ onDone: @escaping @MainActor () -> Void
            ) -> Void
        /// To say what went wrong; the second does it once more.
        var say: @MainActor (any Error, _ again: @escaping @MainActor () -> Void) -> Void
    }

    /// The page.
    let root: Widget
    private let template = Template("call-log")
    private let provider: any CallLogProvider
    private let requests: Requests
    private let list: CallLogList
    private let actions: ActionGroup
    private var rows = CallLogRows()
    private var surroundings = CallLogPresentation.Surroundings() { didSet { list.renew() } }
    private var pages: (any CallLogPages)?
    private var following: Task<Void, Never>?
    private var loading: Task<Void, Never>?
    /// Calls that are deleted as soon as that can't be undone any more.
    private var doomed: Set<LoggedCall.ID> = []
    private var isShown = false

    /// Makes the page; nothing is read before it is shown.
    init(_ provider: any CallLogProvider, requests: Requests) {
        self.provider = provider
        self.requests = requests
        root = template.root
        list = CallLogList(template["call_list"])
        actions = ActionGroup("log", in: root)
        list.onWish = { [weak self] call, wish in self?.perform(wish, call) }
        list.present = { [weak self] call in CallLogPresentation(call, self?.surroundings ?? .init()) }
        template["missed_button"].connect("toggled") { [weak self] in self?.begin() }
        template["search_button"].connect("toggled") { [weak self] in self?.searchToggled() }
        template["search_entry"].connect("search-changed") { [weak self] in self?.begin() }
        template["search_entry"].connect("stop-search") { [weak self] in
            self?.template["search_button"][property: "active"] = false
        }
        gtk_search_bar_connect_entry(template["search_bar"].pointer(), template["search_entry"].pointer())
        actions.addChoice("kind") { [weak self] _ in self?.begin() }
        actions.show("all", of: "kind")
        actions.add("delete-all") { [weak self] in self?.askToDeleteAll() }
        template["kind_button"].nameMenuItems()
        let adjustment = Object(
            retaining: UnsafeMutableRawPointer(
                gtk_scrolled_window_get_vadjustment(template["scroller"].pointer())))
        for signal in ["value-changed", "changed"] {
            adjustment.connect(signal) { [weak self] in self?.readOnIfNeeded() }
        }
        template["log_pages"].showPage("waiting")
    }

    isolated deinit {
        following?.cancel()
        loading?.cancel()
    }

    /// Whether the person sees the page. It is read when they do for the first time.
    func setShown(_ isShown: Bool) {
        self.isShown = isShown
        if isShown, pages == nil { begin() }
    }

    /// Takes the contacts as they are now.
    func show(_ contacts: [ContactItem]) {
        surroundings.contacts = Dictionary(contacts.map { ($0.id, $0) }) { first, _ in first }
    }

    /// Says whether calls of several are made, of how many people at most, and which of them goes on without the person.
    func show(takesGroupCalls: Bool, most: Int = GroupPresentation.capacity, goesOn: CallID?) {
        (surroundings.mostInGroupCall, surroundings.takesGroupCalls) = (most, takesGroupCalls)
        surroundings.goesOn = goesOn
    }

    /// Shows the field for a name.
    func search() {
        template["search_button"][property: "active"] = true
        gtk_widget_grab_focus(template["search_entry"].pointer())
    }

    /// Shows the calls with whoever has this in the name.
    func search(for name: String) {
        search()
        template["search_entry"].text = name
    }

    // MARK: Reading

    private var filter: CallLogFilter {
        var filter = CallLogFilter()
        filter.onlyMissed = template["missed_button"][property: "active"] ?? false
        filter.media = actions.value(of: "kind").flatMap(CallMedia.init)
        return filter
    }

    private var text: String? {
        let isOn: Bool = template["search_button"][property: "active"] ?? false
        let text = template["search_entry"].text.trimmed
        return isOn && !text.isEmpty ? text : nil
    }

    private func searchToggled() {
        let isOn: Bool = template["search_button"][property: "active"] ?? false
        gtk_search_bar_set_search_mode(template["search_bar"].pointer(), isOn ? 1 : 0)
        if isOn { gtk_widget_grab_focus(template["search_entry"].pointer()) }
        if !template["search_entry"].text.isEmpty { begin() }
    }

    /// Looks for what is wanted now, from the newest on.
    private func begin() {
        guard isShown || pages != nil else { return }
        following?.cancel()
        loading?.cancel()
        loading = Task { [weak self, provider, filter, text] in
            do {
                let pages = try await provider.callLog(
                    filter, text: text, limit: Account.callLogPage, before: .max)
                guard !Task.isCancelled else { return }
                // From now on; what is told while the first page is read waits.
                let changes = pages.changes
                let first = try await pages.next()
                guard !Task.isCancelled, let self else { return }
                self.pages = pages
                rows = CallLogRows(hidden: doomed)
                list.clear()
                apply(rows.append(first))
                follow(changes)
                loading = nil
                readOnIfNeeded()
            } catch {
                guard !Task.isCancelled else { return }
                self?.loading = nil
                self?.requests.say(error) { self?.begin() }
            }
        }
    }

    private func follow(_ changes: AsyncStream<CallLogChange>) {
        following = Task { [weak self] in
            for await change in changes {
                guard !Task.isCancelled else { return }
                self?.receive(change)
            }
        }
    }

    private func receive(_ change: CallLogChange) {
        guard pages != nil else { return }
        switch change {
        case .inserted(let call): apply(rows.insert(call))
        case .removed(let ids): apply(rows.remove { ids.contains($0) })
        case .removedAll(let last): apply(rows.remove { $0 <= last })
        }
    }

    /// Reads the next page when the end of the list comes near.
    private func readOnIfNeeded() {
        guard loading == nil, let pages, pages.hasNext else { return }
        let adjustment = gtk_scrolled_window_get_vadjustment(template["scroller"].pointer())
        let (end, height) = (gtk_adjustment_get_upper(adjustment), gtk_adjustment_get_page_size(adjustment))
        guard gtk_adjustment_get_value(adjustment) + 3 * height >= end || rows.isEmpty else { return }
        loading = Task { [weak self] in
            do {
                let page = try await pages.next()
                guard !Task.isCancelled, let self else { return }
                loading = nil
                apply(rows.append(page))
                // Where nobody scrolls, nothing else asks.
                if page.isEmpty { readOnIfNeeded() }
            } catch {
                guard !Task.isCancelled else { return }
                self?.loading = nil
                self?.requests.say(error) { self?.readOnIfNeeded() }
            }
        }
    }

    private func apply(_ change: CallLogRows.Change) {
        list.apply(change, rows)
        if rows.isEmpty { showEmpty() }
        template["log_pages"].showPage(rows.isEmpty ? "empty" : "calls")
    }

    private func showEmpty() {
        let page = template["empty_page"]
        let isNarrowed = filter != CallLogFilter() || text != nil
        page[property: "title"] = isNarrowed ? tr("No such calls") : tr("No calls yet")
        page[property: "description"] =
            isNarrowed
            ? tr("Look for something else, or show all calls.") : tr("Calls that have ended are listed here.")
        page[property: "icon-name"] = isNarrowed ? "edit-find-symbolic" : "call-start-symbolic"
    }

    // MARK: What the person wants

    /// Does what is wanted of a call, also from its details.
    func perform(_ wish: CallLogWish, _ call: LoggedCall) {
        switch wish {
        case .call(let kind):
            switch CallLogPresentation(call, surroundings).again {
            case .call(let contact): requests.call(contact, kind)
            case .together(let contacts): requests.callTogether(contacts, kind)
            case .nobody, .comeBack: break
            }
        case .comeBack: requests.comeBack()
        case .details: requests.details(call, surroundings)
        case .delete: delete(call)
        }
    }

    /// Takes a call away, and deletes it when that can't be undone any more.
    private func delete(_ call: LoggedCall) {
        guard doomed.insert(call.id).inserted else { return }
        apply(rows.setHidden(true, call.id))
        requests.undo(
            tr("The call was deleted."),
            { [weak self] in
                guard let self, doomed.remove(call.id) != nil else { return }
                apply(rows.setHidden(false, call.id))
            }, { [weak self] in self?.commit([call.id]) })
    }

    /// Deletes what waits for that, as when the window closes.
    func commit() { commit(doomed) }

    private func commit(_ ids: Set<LoggedCall.ID>) {
        let wanted = ids.intersection(doomed)
        guard !wanted.isEmpty else { return }
        Task { [provider, weak self] in
            do {
                try await provider.deleteCalls(wanted)
                self?.doomed.subtract(wanted)
            } catch {
                guard let self else { return }
                doomed.subtract(wanted)
                for id in wanted { apply(rows.setHidden(false, id)) }
                requests.say(error) { [weak self] in self?.deleteAgain(wanted) }
            }
        }
    }

    /// The person wants once more what could not be done.
    private func deleteAgain(_ ids: Set<LoggedCall.ID>) {
        for id in ids where doomed.insert(id).inserted { apply(rows.setHidden(true, id)) }
        commit(ids)
    }

    private func askToDeleteAll() {
        requests.askToDeleteAll { [weak self] in self?.deleteAll() }
    }

    private func deleteAll() {
        Task { [weak self, provider] in
            do {
                try await provider.deleteAllCalls()
            } catch {
                self?.requests.say(error) { self?.deleteAll() }
            }
        }
    }
}
