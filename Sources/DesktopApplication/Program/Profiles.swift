import Parley
import Wording

/// The profiles of this program: opens and closes their accounts as the ``ProfileShelf`` says.
@MainActor final class Profiles: BusyTaking {
    /// Is told of each profile that is opened, before its account is.
    var onOpen: (OpenProfile) -> Void = { _ in }
    /// Is told what an account tells.
    var onUpdate: (ProviderUpdate, OpenProfile) -> Void = { _, _ in }
    /// Is told that another profile is shown.
    var onShow: () -> Void = {}
    /// Is told that something is to be seen of the list of profiles.
    var onChange: () -> Void = {}
    /// Is told what the person is to know.
    var onNotice: (String) -> Void = { _ in }
    /// Ends the calls of a profile that is about to be closed.
    var endCalls: (Int) async -> Void = { _ in }
    /// The one that is shown.
    private(set) var shown: OpenProfile

    private let source: (any ProfileSource)?
    private var shelf = ProfileShelf()
    private var loss: String?
    private var open: [Int: OpenProfile]
    private var closing: [Int: Task<Void, Never>] = [:]
    private var isClosed = false
    private var isBusy = false

    /// The profiles of a source; what it says is kept of them is done at `start`.
    init(_ source: any ProfileSource) {
        self.source = source
        (shelf, loss) = source.read()
        shown = OpenProfile(shelf.shown, source.makeProvider(of: shelf.shown))
        open = [shown.id: shown]
    }

    /// A single profile, and no others beside it.
    init(_ provider: any CallProvider) {
        source = nil
        shown = OpenProfile(1, provider)
        open = [1: shown]
    }

    /// Whether there can be several.
    var canHaveSeveral: Bool { source != nil }

    /// All that are open, oldest first.
    var all: [OpenProfile] { shelf.open.compactMap { open[$0] } }

    /// What the list of profiles shows.
    var rows: [ProfileRow] { shelf.items.compactMap { ProfileRow($0, in: shelf, open[$0.id]?.news) } }

    /// The open profile that somebody is a contact of; the one that is shown if none is.
    func owner(of contact: ContactItem) -> OpenProfile {
        ([shown] + all).first { $0.opening.overview.contacts.contains { $0.id == contact.id } } ?? shown
    }

    /// The contact of whom this holds, in the profile that is shown or else in another.
    func contact(where isMeant: (ContactItem) -> Bool) -> ContactItem? {
        for profile in [shown] + all {
            if let contact = profile.opening.overview.contacts.first(where: isMeant) { return contact }
        }
        return nil
    }

    /// The contact that another program means: by the id or by the name, and the test call also by that which it has in every language.
    func contact(named name: String) -> ContactItem? {
        contact { $0.id == name } ?? contact { $0.name == name }
            ?? contact { $0.isTestCall && name == Contact.testCallName }
    }

    // MARK: Life

    /// Opens the accounts.
    func start() {
        prepare(shown)
        perform(shelf.start().filter { $0 != .open(shown.id) && $0 != .show(shown.id) })
        if let loss { onNotice(loss) }
    }

    /// Opens nothing any more; says to accounts that wait for something that it does not come.
    func stop() {
        isClosed = true
        for profile in open.values { profile.opening.close() }
    }

    /// Closes all accounts.
    func close() async {
        await withTaskGroup(of: Void.self) { group in
            for profile in open.values { group.addTask { await profile.close() } }
            for task in closing.values { group.addTask { await task.value } }
        }
    }

    // MARK: What the person wants

    /// Makes a new profile, which is shown until it is begun.
    func make() { perform { shelf throws(ShelfFault) in try shelf.make(besides: source?.taken ?? []) } }

    /// The profile that is shown has been brought: it is no draft any more, whether or not it can be opened.
    func brought() { perform(shelf.begun(shown.id)) }

    /// Shows a profile.
    func show(_ id: Int) { perform { shelf throws(ShelfFault) in try shelf.show(id) } }

    /// Closes a profile.
    func close(_ id: Int) { perform { shelf throws(ShelfFault) in try shelf.close(id) } }

    /// Removes a profile.
    func remove(_ id: Int) { perform { shelf throws(ShelfFault) in try shelf.remove(id) } }

    private func perform(_ change: (inout ProfileShelf) throws(ShelfFault) -> [ProfileShelf.Effect]) {
        guard !isClosed, source != nil else { return }
        do throws(ShelfFault) {
            perform(try change(&shelf))
        } catch {
            onNotice(error.sentence)
        }
    }

    private func perform(_ effects: [ProfileShelf.Effect]) {
        for effect in effects {
            switch effect {
            case .keep: keep()
            case .open(let id): begin(id)
            case .show(let id): turn(to: id)
            case .close(let id): end(id)
            case .wipe(let id): wipe(id)
            }
        }
        label()
        onChange()
    }

    private func keep() {
        do {
            try source?.write(shelf)
        } catch {
            onNotice(sentence(of: error))
        }
    }

    private func begin(_ id: Int) {
        guard let source else { return }
        let profile = OpenProfile(id, source.makeProvider(of: id))
        open[id] = profile
        prepare(profile)
    }

    private func prepare(_ profile: OpenProfile) {
        onOpen(profile)
        if isBusy { Task { [isBusy] in await profile.provider.setBusy(isBusy) } }
        profile.follow { [weak self, weak profile] in
            guard let self, let profile else { return }
            receive($0, of: profile)
        }
        // Its folder is locked until it is closed.
        guard let closing = closing[profile.id] else { return profile.opening.start() }
        Task {
            await closing.value
            profile.opening.start()
        }
    }

    private func turn(to id: Int) {
        guard let profile = open[id] else { return }
        shown.isSeen()
        shown = profile
        shown.isSeen()
        onShow()
    }

    private func end(_ id: Int) {
        guard let profile = open.removeValue(forKey: id) else { return }
        closing[id] = Task { [endCalls] in
            await endCalls(id)
            await profile.close()
        }
    }

    private func wipe(_ id: Int) {
        guard let source else { return }
        Task { [closing = closing[id], weak self] in
            await closing?.value
            do {
                try await source.wipe(id)
            } catch {
                self?.onNotice(sentence(of: error))
                return
            }
            guard let self else { return }
            self.closing[id] = nil
            perform(shelf.wiped(id))
        }
    }

    private func receive(_ update: ProviderUpdate, of profile: OpenProfile) {
        guard open[profile.id] === profile else { return }
        onUpdate(update, profile)
        switch update {
        case .name(let name): perform(shelf.named(profile.id, name))
        case .ready: perform(shelf.begun(profile.id))
        case .starting, .failed, .moved, .locked, .contacts, .missed, .written: onChange()
        case .requests, .incoming, .takesGroupCalls, .groupCallGoesOn, .lost, .relays, .key, .trouble, .network,
            .notice:
            break
        }
    }

    // MARK: Busy

    func setBusy(_ isBusy: Bool) async {
        self.isBusy = isBusy
        for profile in all { await profile.provider.setBusy(isBusy) }
    }

    var isBusyByChoice: Bool? {
        get async { await shown.provider.isBusyByChoice }
    }

    func setBusyByChoice(_ isBusy: Bool) async {
        for profile in all { await profile.provider.setBusyByChoice(isBusy) }
    }

    /// Each says which one it is while there are others.
    private func label() {
        let hasSeveral = open.count > 1
        for profile in open.values {
            let name = hasSeveral ? shelf[profile.id].map(ProfileRow.name) : nil
            profile.provider.profileLabel = ProfileLabel(id: profile.id, name: name)
        }
    }
}
