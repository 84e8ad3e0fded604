import GLibKit
import Wording

/// Calls contacts, one at a time, and asks before what becomes of the call that the person is in.
@MainActor final class Dialling {
    /// Whether somebody is about to be called.
    private(set) var isUnderWay = false

    private let provider: @MainActor (ContactItem) -> any CallProvider
    private let roster: CallRoster
    private var isClosed = false

    /// Calls contacts of `provider`, which says for each whose they are; the calls come among these.
    init(_ roster: CallRoster, _ provider: @escaping @MainActor (ContactItem) -> any CallProvider) {
        (self.provider, self.roster) = (provider, roster)
    }

    /// Calls somebody; `tell` is told whether there is a call then. What goes wrong becomes a sentence in the window. `hasLooked` says that
    /// the person has seen themselves before, or does not want to.
    func call(
        _ contact: ContactItem, kind: CallKind, in interface: Interface, hasLooked: Bool = false,
        then tell: @escaping @MainActor (Bool) -> Void
    ) {
        guard !isUnderWay, !isClosed else { return tell(false) }
        guard roster.consented.allSatisfy({ $0.session.contact.id != contact.id }) else {
            interface.toast(tr("You are in a call with %s already.", contact.name))
            return tell(false)
        }
        guard let present = roster.front, !present.isOver, !present.snapshot.isHeld else {
            guard interface.looksBeforeCalls, !hasLooked else {
                return dial(contact, kind: kind, makingRoom: nil, in: interface, then: tell)
            }
            return look(before: [contact], kind: kind, in: interface, then: tell) {
                $0.call(contact, kind: kind, in: $1, hasLooked: true, then: tell)
            }
        }
        guard present.snapshot.stage.isConsented else {
            interface.toast(tr("Answer the call that rings first."))
            return tell(false)
        }
        interface.dialogs.askToMakeRoom(
            for: contact, besides: present.session.contact,
            canHold: present.snapshot.stage.isFlowing && present.snapshot.group == nil
        ) { [weak self, weak interface] room in
            guard let self, let interface, let room, !isUnderWay else { return tell(false) }
            dial(contact, kind: kind, makingRoom: room, in: interface, then: tell)
        }
    }

    /// Calls several contacts together; `tell` is told whether there is a call then. `hasLooked` as in a call of two.
    func call(
        together contacts: [ContactItem], kind: CallKind, in interface: Interface, hasLooked: Bool = false,
        then tell: @escaping @MainActor (Bool) -> Void
    ) {
        guard let first = contacts.first, canBegin(in: interface) else { return tell(false) }
        guard hasLooked || !interface.looksBeforeCalls else {
            return look(before: contacts, kind: kind, in: interface, then: tell) {
                $0.call(together: contacts, kind: kind, in: $1, hasLooked: true, then: tell)
            }
        }
        begin(in: interface, then: tell) { [provider] in
            try await provider(first).callTogether(contacts, kind: kind)
        }
    }

    /// Asks whoever is in a call of two whether these are added to it.
    func add(_ contacts: [ContactItem], to talk: any CallSession, in interface: Interface) {
        guard !isUnderWay, !isClosed else { return }
        isUnderWay = true
        Task { [weak self, provider, weak interface] in
            defer { self?.isUnderWay = false }
            do {
                let call = try await provider(talk.contact).addPeople(contacts, to: talk)
                guard let self, !isClosed else { return await call.hangUp() }
                roster.add(call)
            } catch {
                interface?.complain(error)
            }
        }
    }

    /// Comes back into a call of several; `tell` is told whether that came about.
    func comeBack(_ provider: any CallProvider, in interface: Interface, then tell: @escaping @MainActor (Bool) -> Void)
    {
        begin(in: interface, then: tell) { try await provider.returnToGroupCall() }
    }

    /// Begins a call of several, for which there must be no other.
    private func begin(
        in interface: Interface, then tell: @escaping @MainActor (Bool) -> Void,
        _ make: @escaping @MainActor () async throws -> any GroupCallSession
    ) {
        guard canBegin(in: interface) else { return tell(false) }
        isUnderWay = true
        Task { [weak self, weak interface] in
            var isShown = false
            defer {
                self?.isUnderWay = false
                tell(isShown)
            }
            do {
                let call = try await make()
                guard let self, !isClosed else { return await call.hangUp() }
                roster.add(call)
                isShown = true
            } catch {
                interface?.complain(error) { [weak self, weak interface] in
                    if let interface { self?.begin(in: interface, then: { _ in }, make) }
                }
            }
        }
    }

    /// Whether a call of several can begin; what other call there is, is said.
    private func canBegin(in interface: Interface) -> Bool {
        guard !isUnderWay, !isClosed else { return false }
        if roster.isBusy { interface.toast(tr("End the other call first.")) }
        return !roster.isBusy
    }

    /// Nothing is sent before the person says so. Meanwhile somebody else may have called: `goOn` looks again at what there is.
    private func look(
        before contacts: [ContactItem], kind: CallKind, in interface: Interface,
        then tell: @escaping @MainActor (Bool) -> Void, _ goOn: @escaping @MainActor (Dialling, Interface) -> Void
    ) {
        guard let first = contacts.first else { return tell(false) }
        interface.dialogs.lookBeforeCall(contacts, kind: kind, provider: provider(first)) {
            [weak self, weak interface] isWanted in
            guard isWanted, let self, let interface else { return tell(false) }
            goOn(self, interface)
        }
    }

    /// Calls nobody any more.
    func close() { isClosed = true }

    private func dial(
        _ contact: ContactItem, kind: CallKind, makingRoom room: MakingRoom?, in interface: Interface,
        then tell: @escaping @MainActor (Bool) -> Void
    ) {
        isUnderWay = true
        Task { [weak self, provider, weak interface] in
            var isShown = false
            defer {
                self?.isUnderWay = false
                tell(isShown)
            }
            do {
                let call = try await provider(contact).call(contact, kind: kind, makingRoom: room)
                guard let self, !isClosed else { return await call.hangUp() }
                roster.add(call)
                isShown = true
            } catch {
                interface?.complain(error, about: contact) { [weak self, weak interface] in
                    guard let interface else { return }
                    self?.call(contact, kind: kind, in: interface, hasLooked: true) { _ in }
                }
            }
        }
    }
}
