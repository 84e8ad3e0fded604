import Parley

/// What a person can do with a contact besides calling.
@MainActor package protocol ContactProvider: AnyObject {
    /// Takes contacts out of sight; they are deleted, and the other side is told, when that is not to be undone any more, some minutes
    /// later at the latest.
    func remove(_ contacts: [ContactItem]) async throws
    /// Brings back contacts that are not deleted yet.
    func undoRemoval(of contacts: [ContactItem]) async throws
    /// Deletes contacts that were taken out of sight and not brought back.
    func finishRemoval(of contacts: [ContactItem]) async throws
    /// Knows a contact by a name of one's own; nil: by what they call themselves.
    func rename(_ contact: ContactItem, to name: String?) async throws
    /// What the person has written down about a contact.
    func note(on contact: ContactItem) async throws -> String
    /// Writes down something about a contact.
    func setNote(_ text: String, on contact: ContactItem) async throws
    /// Remembers that this code was compared; nil: that it was not.
    func setCompared(_ code: String?, of contact: ContactItem) async throws
    /// Puts these labels on a contact.
    func setLabels(_ labels: [ContactLabel], of contact: ContactItem) async throws
    /// How messages and calls of a contact are arranged, in words; nil before they have connected.
    func connection(of contact: ContactItem) async throws -> ConnectionItem?
    /// Lets their calls ring nowhere, or again; a call with them ends. They are not told.
    func setBlocked(_ isBlocked: Bool, _ contact: ContactItem) async throws
    /// Groups of digits that both sides compare; nil before the other side is known.
    func securityCode(of contact: ContactItem) async throws -> String?
    /// Knows a contact by what they call themselves now.
    func takeName(of contact: ContactItem) async throws
    /// Agrees on new keys with a contact whose messages can't be read.
    func repair(_ contact: ContactItem) async throws
    /// Begins anew to connect with a contact whose link failed.
    func retry(_ contact: ContactItem) async throws
}

/// Takes back what a person has removed.
package typealias Restoration = @MainActor () async throws -> Void

/// The relays that the person chooses.
@MainActor package protocol RelayProvider: AnyObject {
    /// Makes new mailboxes on this relay too.
    func addRelay(_ address: String) async throws
    /// Makes no new mailboxes on this relay. Without any, the one inside the program is used. Gives what takes that back.
    func removeRelay(_ address: String) async throws -> Restoration
    /// Tries everything again now that waits for a relay.
    func retryNow() async throws
}

/// The key that the profile is sealed with.
@MainActor package protocol KeyProvider: AnyObject {
    /// Asks the person for a passphrase; nil when they give up. Set by whoever has windows.
    var askForPassphrase: (@MainActor (PassphraseQuestion) async -> String?)? { get set }
    /// Brings the key to another place.
    func moveKey(to place: KeyPlace) async throws
    /// Tells what keeps the keyring from being used, nil where nothing does: as it is now, and each time that it changes.
    func keyringStates() -> AsyncStream<KeyringTrouble?>
    /// Has the keyring ask the person to unlock it.
    func unlockKeyring() async throws
    /// Has the keyring forget the key that has left it.
    func clearKeyring() async throws
}
