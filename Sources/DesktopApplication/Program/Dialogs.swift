import CGtk
import DesktopSession
import GLibKit
import Parley
import Wording

/// The windows over the main window that have nothing to do with a call.
@MainActor final class Dialogs {
    /// The window they lie over.
    weak var window: MainWindow? {
        didSet { complaints.window = window }
    }
    /// Tells what goes wrong.
    let complaints = Complaints()
    /// All that are open.
    let open = OpenDialogs()
    /// Gets a link of somebody that is to be opened once the person agrees.
    var onLink: @MainActor (String) -> Void = { _ in }
    /// Is told of a link that the person opens.
    var onConnect: @MainActor (String) -> Void = { _ in }
    /// Whether calls of several are made and taken.
    var takesGroupCalls = false
    /// How loud the microphone is in the present call; nil when there is none.
    var callLevels: DevicesGroup.Levels = { nil }
    private var provider: any CallProvider
    private let settings: ProgramSettings
    private let autostart: Autostart?
    private var relays: [RelayItem] = []
    private var key: KeyItem?

    /// Prepares them. `autostart` is nil for a program that can't be started by the desktop.
    init(_ provider: any CallProvider, settings: ProgramSettings = ProgramSettings(), autostart: Autostart? = nil) {
        self.provider = provider
        self.settings = settings
        self.autostart = autostart
    }

    /// Serves another account from now on: what is open belongs to the former one, and goes.
    func turn(to provider: any CallProvider) {
        open.closeAll()
        self.provider = provider
        (relays, key) = ([], nil)
    }

    /// Opens the dialog for a new contact.
    func addContact() {
        guard let window = ready else { return }
        open.open(.addContact) {
            let dialog = AddContactDialog(over: window.root, provider: provider) { [weak self] contact in
                self?.window?.toast(tr("%s is now a contact.", contact.name))
            }
            dialog.onReach = { [weak self] in self?.showReach() }
            dialog.onConnect = { [weak self] in self?.onConnect($0) }
            dialog.onScan = { [weak self] in self?.scan() }
            dialog.onNearby = { [weak self] in self?.showNearby() }
            dialog.ask = { [weak self] make in self?.open.open(.question("relay"), make) ?? false }
            return dialog
        }
    }

    /// Asks whether somebody's link is to be opened; `onGone` is told when that is over, whatever the answer.
    func open(_ link: LinkItem, onGone: @escaping @MainActor () -> Void) {
        guard let window else { return onGone() }
        let joining = LinkJoining(provider: provider) { [weak self] make in
            self?.open.open(.question("relay of link"), make) ?? false
        }
        var takeBack: @MainActor () -> Void = {}
        let isNew = open.open(.link) {
            LinkDialog(link, over: window.root, joining: joining) { [weak self] in
                // Who has accepted is not asked any more.
                takeBack()
                if let said = self?.window?.passingToast($0) { takeBack = said }
            } onGone: {
                onGone()
            }
        }
        if !isNew { onGone() }
    }

    /// Looks for a link in what the camera sees, or in a picture.
    func scan() {
        guard let window = ready else { return }
        let parent = open[.addContact]?.window.root ?? window.root
        open.open(.scan) {
            ScanDialog(over: parent, provider: provider) { [weak self] link in
                // What comes of it is asked and told in the window below.
                (self?.open[.addContact] as? AddContactDialog)?.closeUnlessTyped()
                self?.onLink(link)
            }
        }
    }

    /// Shows a sentence for a few seconds, where there is a window for it.
    func say(_ sentence: String) { window?.toast(sentence) }

    /// Opens what is about how people reach the person.
    func showReach() {
        guard let window = ready else { return }
        open.open(.reach) {
            ReachDialog(over: window.root, provider: provider) { [weak self] in self?.preferences?.reachChanged() }
        }
    }

    /// Opens the list of people nearby.
    func showNearby() {
        guard let window = ready else { return }
        let parent = open[.addContact]?.window.root ?? window.root
        open.open(.nearby) {
            NearbyDialog(over: parent, provider: provider) { [weak self] contact in
                (self?.open[.addContact] as? AddContactDialog)?.closeUnlessTyped()
                self?.window?.toast(tr("%s is now a contact.", contact.name))
            }
        }
    }

    /// Opens the link that was made for a contact and that nobody has opened yet.
    func showLink(of contact: ContactItem) {
        guard let window, let link = contact.invitation else { return }
        open.open(.invitation(contact.id)) {
            InvitationDialog(over: window.root, contact: contact, link: link) { [weak self] in
                self?.askToWithdraw(contact)
            }
        }
    }

    /// Asks whether the link for a contact is to be taken back.
    func askToWithdraw(_ contact: ContactItem) {
        guard let window else { return }
        let parent = open[.invitation(contact.id)]?.window.root ?? window.root
        open.open(.question("withdraw " + contact.id)) {
            Question.make(
                over: parent, heading: tr("Withdraw the link?"),
                body: tr(
                    "Nobody can open it any more, also who has got it already. %s goes from the list.", contact.name),
                yes: tr("Withdraw")
            ) { [weak self] in
                self?.run { provider in
                    try await provider.withdrawInvitation(of: contact)
                    self?.say(tr("The link is withdrawn."))
                }
            }
        }
    }

    /// Takes the contacts as they are now: a link that has been opened is of no use any more.
    func show(_ contacts: [ContactItem]) {
        let open = Set(contacts.filter { $0.invitation != nil }.map(\.id))
        for id in self.open.invitations where !open.contains(id) { self.open.close(.invitation(id)) }
        for id in self.open.contactPages {
            if let contact = contacts.first(where: { $0.id == id }) {
                (self.open[.contact(id)] as? ContactDialog)?.show(contact)
            } else {
                self.open.close(.contact(id))
            }
        }
    }

    /// Opens the dialog about the person's own address.
    func showAddress() {
        guard let window = ready else { return }
        open.open(.address) {
            let dialog = AddressDialog(over: window.root, provider: provider) { [weak self] make in
                self?.open.open(.question("address"), make)
            }
            dialog.onReach = { [weak self] in self?.showReach() }
            return dialog
        }
    }

    /// Opens the preferences.
    func showPreferences() {
        guard let window = ready else { return }
        open.open(.preferences) {
            let dialog = PreferencesWindow(
                over: window.root, provider: provider, settings: settings, autostart: autostart,
                callLevels: callLevels)
            dialog.show(relays)
            if let key { dialog.show(key) }
            dialog.onReach = { [weak self] in self?.showReach() }
            dialog.onMove = { [weak self] in self?.moveProfile() }
            return dialog
        }
    }

    /// Opens what carries the profile to another machine. All else that is open belongs to an account that is about to be closed.
    func moveProfile() {
        guard let window = ready else { return }
        open.closeAll()
        open.open(.moveProfile) { MoveProfileDialog(over: window.root, provider: provider) }
    }

    /// Opens what brings a profile from another machine; `onDone` is told when it is here.
    func bringProfile(from path: String, onDone: @escaping @MainActor () -> Void) {
        guard let window else { return }
        open.open(.bringProfile) {
            BringProfileDialog(over: window.root, provider: provider, path: path, onDone: onDone)
        }
    }

    /// Opens the list of keys.
    func showShortcuts() {
        if let window {
            open.open(.shortcuts) { ShortcutsWindow.make(over: window.root, takesGroupCalls: takesGroupCalls) }
        }
    }

    /// Opens the user's guide.
    func showHelp() {
        if let window { open.open(.help) { HelpWindow(over: window.root) } }
    }

    /// Opens what is to be said about the program.
    func showAbout() {
        if let window { open.open(.about) { AboutWindow.make(over: window.root) } }
    }

    /// Media flow in a call from now on.
    func callBegan() { preferences?.callBegan() }

    /// Takes the relays as they are now.
    func show(_ relays: [RelayItem]) {
        guard relays != self.relays else { return }
        self.relays = relays
        preferences?.show(relays)
    }

    /// Takes where the profile's key is now.
    func show(_ key: KeyItem) {
        self.key = key
        preferences?.show(key)
    }

    /// A choice has changed, be it in the preferences or elsewhere.
    func show(_ flag: ProgramSettings.Flag) { preferences?.show(flag) }

    /// Shows the code to compare with a contact.
    func verify(_ contact: ContactItem) {
        run(about: contact) { [weak self] provider in
            let code = try await provider.securityCode(of: contact)
            guard let self, let window else { return }
            guard let code else {
                return window.toast(tr("There is no code before %s has connected.", contact.name))
            }
            // The code of before may not be true any more.
            open.close(.securityCode(contact.id))
            open.open(.securityCode(contact.id)) {
                SecurityCodeDialog.make(over: window.root, code: code, name: contact.name)
            }
        }
    }

    /// Shows everything about a call of the log.
    func showDetails(
        of call: LoggedCall, _ surroundings: CallLogPresentation.Surroundings,
        onWish: @escaping @MainActor (CallLogWish) -> Void
    ) {
        guard let window else { return }
        open.open(.callDetails(call.id)) {
            CallDetailsDialog(over: window.root, call: call, surroundings, onWish: onWish)
        }
    }

    /// Asks whether all calls of the log are to be deleted.
    func askToDeleteCalls(_ onYes: @escaping @MainActor () -> Void) {
        guard let window else { return }
        open.open(.question("calls")) {
            Question.make(
                over: window.root, heading: tr("Delete all calls?"),
                body: tr("They are deleted from the log on this computer. This can’t be undone."), yes: tr("Delete"),
                onYes: onYes)
        }
    }

    /// Opens the messages with a contact.
    func showMessages(with contact: ContactItem) {
        guard let window else { return }
        open.open(.messages(contact.id)) {
            MessagesDialog(over: window.root, provider: provider, contact: contact) { [weak self] in
                self?.askToDeleteMessages(with: contact)
            }
        }
    }

    /// Whether the messages with a contact are open.
    func showsMessages(with contact: ContactItem) -> Bool { open[.messages(contact.id)] != nil }

    private func askToDeleteMessages(with contact: ContactItem) {
        guard let parent = open[.messages(contact.id)]?.window.root else { return }
        open.open(.question("messages " + contact.id)) {
            Question.make(
                over: parent, heading: tr("Delete all messages with %s?", contact.name),
                body: tr("They are deleted on this computer. This can’t be undone."), yes: tr("Delete")
            ) { [weak self] in
                self?.run { try await $0.deleteAllMessages(with: contact) }
            }
        }
    }

    /// Takes contacts out of sight, which can be undone for some seconds.
    func remove(_ contacts: [ContactItem]) {
        run { [weak self] provider in
            try await provider.remove(contacts)
            let sentence =
                contacts.count == 1
                ? tr("%s was removed.", contacts[0].name)
                : tr(
                    "%s contact was removed.", plural: "%s contacts were removed.", count: contacts.count,
                    contacts.count)
            // What stands behind another sentence stands later, and can be undone as long as it does.
            var isUndone = false
            self?.window?.toast(sentence) {
                isUndone = true
                self?.run { _ in try await provider.undoRemoval(of: contacts) }
            } onGone: {
                if !isUndone { self?.run { _ in try await provider.finishRemoval(of: contacts) } }
            }
        }
    }

    /// Opens the page about a contact.
    func showContact(
        _ contact: ContactItem, onWish: @escaping @MainActor (ContactItem, ContactWish) -> Void,
        onAllCalls: @escaping @MainActor () -> Void
    ) {
        guard let window else { return }
        open.open(.contact(contact.id)) {
            ContactDialog(
                over: window.root, contact: contact, provider: provider, onWish: onWish, onAllCalls: onAllCalls)
        }
    }

    /// Opens what contacts see of the person.
    func showProfile() {
        guard let window = ready else { return }
        open.open(.ownProfile) { ProfileDialog(over: window.root, provider: provider) }
    }

    /// Asks whether a contact is to be blocked.
    func block(_ contact: ContactItem) {
        guard let window else { return }
        open.open(.question(contact.id)) {
            Question.make(
                over: window.root, heading: tr("Block %s?", contact.name),
                body: tr(
                    "Their calls don’t ring here and look unanswered to them; they are not told. A call with them ends. To call them, unblock them first."
                ), yes: tr("Block")
            ) { [weak self] in
                self?.run(about: contact) { try await $0.setBlocked(true, contact) }
            }
        }
    }

    /// Lets a contact's calls ring again.
    func unblock(_ contact: ContactItem) {
        run(about: contact) { [weak self] provider in
            try await provider.setBlocked(false, contact)
            self?.window?.toast(tr("%s is not blocked any more.", contact.name))
        }
    }

    /// Asks whether the program is to stay reachable now that its window closes, which nobody has decided yet. Who closes the
    /// question leaves the window open.
    func askToStay(_ onAnswer: @escaping @MainActor (Bool) -> Void) {
        guard let window else { return }
        open.open(.question("stay")) {
            MessageDialog(
                over: window.root, heading: tr("Receive calls when the window is closed?"),
                body: tr(
                    "Parley then goes on without a window and starts when you log in. You can change this in the preferences."
                ),
                responses: [
                    .init(id: "cancel", label: tr("Cancel")), .init(id: "no", label: tr("Quit")),
                    .init(id: "yes", label: tr("Receive calls"), style: .suggested),
                ]
            ) { if $0 != "cancel" { onAnswer($0 == "yes") } }
        }
    }

    /// Asks whether somebody is to be called, as another program wants.
    func askToCall(_ contact: ContactItem, kind: CallKind, _ onAnswer: @escaping @MainActor (Bool) -> Void) {
        guard let window, open[.question("call")] == nil else { return onAnswer(false) }
        open.open(.question("call")) {
            MessageDialog(
                over: window.root,
                heading: kind == .video
                    ? tr("Call %s with video?", contact.name) : tr("Call %s?", contact.name),
                body: tr("Another program asks for this call."),
                responses: [
                    .init(id: "no", label: tr("Cancel")), .init(id: "yes", label: tr("Call"), style: .suggested),
                ]
            ) { onAnswer($0 == "yes") }
        }
    }

    /// Asks what is to become of the call with `present` when `contact` is called; nil calls nobody.
    func askToMakeRoom(
        for contact: ContactItem, besides present: ContactItem, canHold: Bool,
        _ onAnswer: @escaping @MainActor (MakingRoom?) -> Void
    ) {
        guard let window, open[.question("room")] == nil else { return onAnswer(nil) }
        let hold = MessageDialog.Response(id: "hold", label: tr("Hold and call"), style: .suggested)
        open.open(.question("room")) {
            MessageDialog(
                over: window.root, heading: tr("Call %s?", contact.name),
                body: tr("You are in a call with %s.", present.name),
                responses: [.init(id: "no", label: tr("Cancel")), .init(id: "end", label: tr("End and call"))]
                    + (canHold ? [hold] : []), preferred: "no"
            ) { onAnswer($0 == "hold" ? .hold : $0 == "end" ? .end : nil) }
        }
    }

    /// Shows the person what would be seen and heard of them, before they call somebody; `provider` is the profile's whose contacts they are.
    func lookBeforeCall(
        _ contacts: [ContactItem], kind: CallKind, provider: any DeviceProvider,
        _ onAnswer: @escaping @MainActor (Bool) -> Void
    ) {
        guard let window, open[.beforeCall] == nil else { return onAnswer(false) }
        open.open(.beforeCall) {
            BeforeCallDialog(over: window.root, contacts: contacts, kind: kind, provider: provider, onAnswer: onAnswer)
        }
    }

    /// Asks whether the program is to end, over this window; `hasCall` says that a call ends with it.
    func askToQuit(over parent: Widget, hasCall: Bool, _ onYes: @escaping @MainActor () -> Void) {
        open.open(.question("quit")) {
            Question.make(
                over: parent, heading: tr("Quit Parley?"),
                body: hasCall ? tr("The call ends, and nobody can call you then.") : tr("Nobody can call you then."),
                yes: tr("Quit"), onYes: onYes)
        }
    }

    /// Does something that the person asked for, perhaps about a contact; what goes wrong becomes a sentence in the window.
    func run(
        about contact: ContactItem? = nil, _ body: @escaping @MainActor (any CallProvider) async throws -> Void
    ) {
        Task { [provider, weak self] in
            do {
                try await body(provider)
            } catch {
                self?.complaints.tell(error, about: contact) { self?.run(about: contact, body) }
            }
        }
    }

    /// Asks for a passphrase; nil at once when the question before has no answer yet.
    func askForPassphrase(_ question: PassphraseQuestion) async -> String? {
        guard let parent = preferences?.window.root ?? window?.root else { return nil }
        if let asked = open[.passphrase] {
            asked.window.present()
            return nil
        }
        return await withCheckedContinuation { continuation in
            open.open(.passphrase) {
                PassphraseDialog(question, over: parent) { continuation.resume(returning: $0) }
            }
        }
    }

    private var preferences: PreferencesWindow? { open[.preferences] as? PreferencesWindow }

    /// The window once the account is open.
    private var ready: MainWindow? { [.starting, .welcome, .obstacle].contains(window?.page) ? nil : window }
}
