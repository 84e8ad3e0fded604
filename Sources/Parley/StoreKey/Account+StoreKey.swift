extension Account {
    /// Waits until the keyring gives the key of a profile without asking the person: what to do between an attempt to open it whose error
    /// says ``AccountError/isOfClosedKeyring`` and the next.
    /// - Throws: `AccountError`, `CancellationError`.
    public static func waitForKeyring(_ configuration: AccountConfiguration) async throws {
        try await StoreKeyKeeper(configuration, try ProfileDirectory(path: configuration.directory)).waitForKeyring()
    }

    /// Brings the key of the profile's store to another place, or under another passphrase. The old place is wiped once the
    /// new one is known to work.
    /// - Parameter passphrase: For `StoreKeyPlace.passphrase`; nil to have the configuration's source asked for a new one.
    /// - Throws: `AccountError.keyring`, `.passphraseNeeded`; then the key is where it was.
    public func moveStoreKey(to place: StoreKeyPlace, passphrase: Passphrase? = nil) async throws(AccountError) {
        storeKeyStatus = try await keeper.move(storeKey, to: place, passphrase: passphrase)
        listeners.send(.storeKey(storeKeyStatus))
    }
}

extension StoreKeyKeeper {
    /// The keeper that a configuration asks for.
    init(_ configuration: AccountConfiguration, _ directory: ProfileDirectory) {
        self.init(
            directory: directory, keyring: configuration.keyring, passphrases: configuration.passphraseSource,
            cost: configuration.passphraseCost, mayAsk: configuration.mayUnlockKeyring)
    }
}
