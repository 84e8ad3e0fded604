import CGtk
import GLibKit
import Wording

/// The part of the preferences about the profile's key, and about a keyring that can't be used, as long as that is so.
@MainActor final class KeyGroup {
    private let template: Template
    private let provider: any KeyProvider
    private let announcer: Announcer
    private var key: KeyItem?
    private var keyring: KeyringTrouble?
    /// Whether the person wanted something of the keyring that it did not do.
    private var isKeyringWanted = false
    private var following: Task<Void, Never>?

    /// Fills the widgets of the preferences' template.
    init(_ template: Template, provider: any KeyProvider) {
        self.template = template
        self.provider = provider
        announcer = Announcer(template.root)
        template["passphrase_button"].connect("clicked") { [weak self] in self?.move(to: .passphrase) }
        template["keyring_button"].connect("clicked") { [weak self] in self?.move(to: .keyring) }
        template["unlock_button"].connect("clicked") { [weak self] in
            self?.run { try await $0.unlockKeyring() }
        }
        template["clear_keyring_button"].connect("clicked") { [weak self] in
            self?.run { try await $0.clearKeyring() }
        }
        // Nobody is told while nobody looks.
        template["key_row"].connect("map") { [weak self] in self?.follow() }
        template["key_row"].connect("unmap") { [weak self] in self?.stopFollowing() }
    }

    isolated deinit { following?.cancel() }

    /// Shows where the key is kept.
    func show(_ key: KeyItem) {
        self.key = key
        say("")
        let row = template["key_row"]
        switch key.place {
        case .keyring:
            row.text = tr("In the keyring")
            row[property: "subtitle"] = tr("It opens with your login.")
        case .passphrase:
            row.text = tr("Under a passphrase")
            row[property: "subtitle"] = tr("You are asked for it at each start.")
        case .file:
            row.text = tr("In a file")
            row[property: "subtitle"] = tr("Whoever can read the profile’s folder can open the profile.")
        case .unchosenFile(let reason):
            row.text = tr("In a file")
            row[property: "subtitle"] =
                reason + " " + tr("Whoever can read the profile’s folder can open the profile.")
        }
        template["passphrase_button"].text =
            key.place == .passphrase ? tr("Change passphrase…") : tr("Use a passphrase…")
        template["keyring_button"].isVisible = key.place != .keyring
        showKeyring()
    }

    private func follow() {
        stopFollowing()
        following = Task { [weak self, states = provider.keyringStates()] in
            for await state in states { self?.receive(state) }
        }
    }

    private func stopFollowing() {
        following?.cancel()
        following = nil
    }

    private func receive(_ state: KeyringTrouble?) {
        let isNew = state != nil && keyring == nil
        keyring = state
        if state == nil {
            isKeyringWanted = false
            say("")
        }
        showKeyring()
        if isNew, template["keyring_row"].isVisible { announcer.announce(template["keyring_row"].text) }
    }

    /// A keyring that the profile does not use matters to nobody.
    private func showKeyring() {
        let row = template["keyring_row"]
        let isLeft = key?.isLeftInKeyring == true
        let isUsed = key?.place == .keyring
        row.isVisible = keyring != nil && (isUsed || isLeft || isKeyringWanted)
        switch keyring {
        case .locked: row.text = tr("The keyring is locked")
        case .away: row.text = tr("The keyring is not within reach")
        case nil: break
        }
        var sentence =
            isUsed ? tr("Parley goes on without it. The next start waits for it, and nobody can call you then.") : ""
        if case .away(let reason) = keyring, !isUsed { sentence = reason }
        row[property: "subtitle"] = sentence
        template["unlock_button"].isVisible = keyring == .locked
        template["left_row"].isVisible = isLeft
    }

    private func move(to place: KeyPlace) {
        isKeyringWanted = place == .keyring
        run { try await $0.moveKey(to: place) }
    }

    private func run(_ body: @escaping @MainActor (any KeyProvider) async throws -> Void) {
        say("")
        Task {
            do {
                try await body(provider)
            } catch {
                say(sentence(of: error))
                showKeyring()
            }
        }
    }

    private func say(_ sentence: String) {
        template["key_error"].text = sentence
        template["key_error"].isVisible = !sentence.isEmpty
        if !sentence.isEmpty { announcer.announce(sentence) }
    }
}
