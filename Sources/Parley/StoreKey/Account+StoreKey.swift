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

    /// Has the keyring forget the key that has left it, which it could not be told before.
    /// - Parameter mayAsk: Whether the keyring may ask the person to unlock it.
    /// - Throws: `AccountError.keyring`; then it may hold it still.
    public func clearKeyring(mayAsk: Bool) async throws(AccountError) {
        try await keeper.clearKeyring(mayAsk: mayAsk)
        guard storeKeyStatus.isLeftInKeyring else { return }
        storeKeyStatus.isLeftInKeyring = false
        listeners.send(.storeKey(storeKeyStatus))
    }

    /// Has the keyring ask the person to unlock it, where it is locked.
    /// - Throws: `AccountError.keyring`.
    public func unlockKeyring() async throws(AccountError) { try await keeper.unlockKeyring() }

    /// What keeps the keyring from being used without a question to the person, nil where nothing does: as it is now, and each time that it
    /// changes. A profile that is open goes on without it.
    public nonisolated func keyringStates() -> AsyncStream<KeyringFault?> {
        let states = keeper.keyring.states()
        return AsyncStream { tell in
            let task = Task {
                for await state in states { tell.yield(state.map(KeyringFault.service)) }
                tell.finish()
            }
            tell.onTermination = { _ in task.cancel() }
        }
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
