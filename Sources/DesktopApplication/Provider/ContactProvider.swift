/// What a person can do with a contact besides calling.
@MainActor package protocol ContactProvider: AnyObject {
    /// Deletes the contact; the other side is told.
    func remove(_ contact: ContactItem) async throws
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

/// The relays that the person chooses.
@MainActor package protocol RelayProvider: AnyObject {
    /// Makes new mailboxes on this relay too.
    func addRelay(_ address: String) async throws
    /// Makes no new mailboxes on this relay. Without any, the one inside the program is used.
    func removeRelay(_ address: String) async throws
    /// Tries everything again now that waits for a relay.
    func retryNow() async throws
}

/// The key that the profile is sealed with.
@MainActor package protocol KeyProvider: AnyObject {
    /// Asks the person for a passphrase; nil when they give up. Set by whoever has windows.
    var askForPassphrase: (@MainActor (PassphraseQuestion) async -> String?)? { get set }
    /// Brings the key to another place.
    func moveKey(to place: KeyPlace) async throws
}
