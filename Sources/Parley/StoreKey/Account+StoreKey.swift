extension Account {
    /// Brings the key of the profile's store to another place, or under another passphrase. The old place is wiped once the
    /// new one is known to work.
    /// - Parameter passphrase: For `StoreKeyPlace.passphrase`; nil to have the configuration's source asked for a new one.
    /// - Throws: `AccountError.keyring`, `.passphraseNeeded`; then the key is where it was.
    public func moveStoreKey(to place: StoreKeyPlace, passphrase: Passphrase? = nil) async throws(AccountError) {
        storeKeyStatus = try await keeper.move(storeKey, to: place, passphrase: passphrase)
        listeners.send(.storeKey(storeKeyStatus))
    }
}
