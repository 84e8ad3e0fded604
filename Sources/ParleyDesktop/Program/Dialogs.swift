import CGtk
import GLibKit

/// The windows over the main window that have nothing to do with a call.
@MainActor final class Dialogs {
    /// The window they lie over.
    weak var window: MainWindow?
    /// How loud the microphone is in the present call; nil when there is none.
    var callLevels: DevicesGroup.Levels = { nil }
    private let provider: any CallProvider
    private var adding: AddContactDialog?
    private var address: AddressDialog?
    private var preferences: PreferencesWindow?
    private var relays: [RelayItem] = []
    private var key: KeyPlace?

    /// Prepares them; passphrases the provider needs are asked for here.
    init(_ provider: any CallProvider) {
        self.provider = provider
        provider.askForPassphrase = { [weak self] question in await self?.askForPassphrase(question) }
    }

    /// Closes whatever is open.
    func close() {
        adding?.close()
        address?.close()
        preferences?.close()
    }

    /// Opens the dialog for a new contact.
    func addContact() {
        guard adding == nil, let window = ready else { return }
        let dialog = AddContactDialog(parent: window.root, provider: provider) { [weak self] contact in
            self?.adding?.close()
            self?.window?.toast(tr("%s is now a contact.", naming: contact.name))
        }
        dialog.onClose { [weak self] in self?.adding = nil }
        adding = dialog
    }

    /// Opens the dialog about the person's own address.
    func showAddress() {
        guard address == nil, let window = ready else { return }
        let dialog = AddressDialog(over: window.root, provider: provider)
        dialog.onClose { [weak self] in self?.address = nil }
        address = dialog
    }

    /// Opens the preferences.
    func showPreferences() {
        guard preferences == nil, let window = ready else { return }
        let dialog = PreferencesWindow(over: window.root, provider: provider, callLevels: callLevels)
        dialog.onClose { [weak self] in self?.preferences = nil }
        dialog.show(relays)
        if let key { dialog.show(key) }
        preferences = dialog
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
    func show(_ place: KeyPlace) {
        key = place
        preferences?.show(place)
    }

    /// Shows the code to compare with a contact.
    func verify(_ contact: ContactItem) {
        run { [weak self] provider in
            let code = try await provider.securityCode(of: contact)
            guard let window = self?.window else { return }
            guard let code else {
                return window.toast(tr("There is no code before %s has connected.", naming: contact.name))
            }
            SecurityCodeDialog.present(over: window.root, code: code, name: contact.name)
        }
    }

    /// Asks whether a contact is to go.
    func remove(_ contact: ContactItem) {
        guard let window else { return }
        Question.ask(
            over: window.root, heading: tr("Remove %s?", naming: contact.name),
            body: tr("You can’t call each other any more. They are told."), yes: tr("Remove")
        ) { [weak self] in
            self?.run { try await $0.remove(contact) }
        }
    }

    /// Does something that the person asked for; what goes wrong becomes a sentence in the window.
    func run(_ body: @escaping @MainActor (any CallProvider) async throws -> Void) {
        Task { [provider, weak self] in
            do {
                try await body(provider)
            } catch {
                self?.window?.toast(String(describing: error))
            }
        }
    }

    private func askForPassphrase(_ question: PassphraseQuestion) async -> String? {
        guard let parent = preferences?.window ?? window?.root else { return nil }
        return await PassphraseDialog.ask(question, over: parent)
    }

    /// The window once the account is open.
    private var ready: MainWindow? { [.starting, .obstacle].contains(window?.page) ? nil : window }
}
