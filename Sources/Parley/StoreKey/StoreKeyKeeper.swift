import BaseKit
import Cryptography
import Keyring

/// Finds, makes and moves the key of one profile's store.
///
/// A key is in its new place, and has been read back from there, before the record names that place; and the store has
/// opened with it before the old place is wiped. So a crash at any point leaves a profile that opens.
struct StoreKeyKeeper: Sendable {
    let directory: ProfileDirectory
    let keyring: any SecretKeeping
    let passphrases: (any PassphraseSource)?
    let cost: PassphraseKey.Cost
    /// What the keyring calls the profile; nil for the folder's name.
    var profileName: String?
    /// Whether the keyring may ask to be unlocked when the profile opens.
    var mayAsk = true

    /// A key that was found.
    struct Opened: Sendable {
        var key: SecretBytes
        var status: StoreKeyStatus
    }

    private var file: KeyFile { KeyFile(directory) }

    /// The key of the profile, made at first use.
    /// - Throws: `AccountError`.
    func open(_ choice: StoreKeyChoice) async throws(AccountError) -> Opened {
        if choice == .unkept { return Opened(key: .random(KeyFile.count), status: StoreKeyStatus(place: .unkept)) }
        guard let record = try StoreKeyRecord.read(in: directory) else {
            // Before there were records the key was always in a file.
            if let key = try file.read() {
                let record = StoreKeyRecord(place: .keyFile, isMakeshift: true)
                // Its name first: a move that is interrupted and repeated must not leave two keys in the keyring.
                try record.write(in: directory)
                return try await settle(key, record, choice, isNew: true)
            }
            guard !directory.hasStore else { throw .storeKey(file.path) }
            return try await settle(.random(KeyFile.count), nil, choice, isNew: true)
        }
        switch record.place {
        case .keyFile:
            guard let key = try file.read() else { throw .storeKey(file.path) }
            var opened = try await settle(key, record, choice, isNew: false)
            opened.status.isLeftInKeyring = opened.status.place == .keyFile && record.isLeftInKeyring == true
            return opened
        case .secretService:
            let key = try await inKeyring { try await keyring.secret(named: record.name, mayAsk: mayAsk) }
            guard let key, key.count == KeyFile.count else {
                throw .keyring(.lacksKey)
            }
            return Opened(key: key, status: StoreKeyStatus(place: .secretService))
        case .passphrase:
            guard let sealed = record.sealedKey else { throw .passphraseNeeded }
            return Opened(
                key: try await unseal(sealed),
                status: StoreKeyStatus(place: .passphrase, isLeftInKeyring: record.isLeftInKeyring == true))
        case .unkept: throw .storeKey(file.path)
        }
    }

    /// The key of a profile that exists, from where it is; nothing is moved or written.
    /// - Throws: `AccountError`.
    func find() async throws(AccountError) -> SecretBytes {
        guard let record = try StoreKeyRecord.read(in: directory), record.place != .keyFile else {
            guard let key = try file.read() else { throw .storeKey(file.path) }
            return key
        }
        return try await open(.automatic).key
    }

    /// Keeps the key of a store that has come from elsewhere where the choice says.
    /// - Throws: `AccountError`.
    func adopt(_ key: SecretBytes, _ choice: StoreKeyChoice) async throws(AccountError) {
        _ = try await settle(key, nil, choice, isNew: true)
    }

    /// Waits until the keyring gives the key without asking; not at all where the key is elsewhere.
    /// - Throws: `AccountError`, `CancellationError`.
    func waitForKeyring() async throws {
        let record = try StoreKeyRecord.read(in: directory)
        guard record == nil || record?.place == .secretService else { return }
        try await keyring.waitUntilOpen(named: record?.name ?? "")
    }

    /// Has the keyring ask the person to unlock it.
    /// - Throws: `AccountError.keyring`.
    func unlockKeyring() async throws(AccountError) { try await inKeyring { try await keyring.unlock() } }

    /// The store has opened with the key from its present place: what is left in another one is wiped.
    func forgetOldPlaces(_ opened: Opened) {
        guard opened.status.place == .secretService || opened.status.place == .passphrase else { return }
        // A file with another key is not what this profile left behind.
        guard let left = try? file.read(), left == opened.key else { return }
        try? DurableFile.wipeAndRemove(file.path)
    }

    /// Brings the key of a profile that is open to another place, or under another passphrase.
    /// - Throws: `AccountError`; then it is where it was.
    func move(_ key: SecretBytes, to place: StoreKeyPlace, passphrase: Passphrase?) async throws(AccountError)
        -> StoreKeyStatus
    {
        let old = try StoreKeyRecord.read(in: directory)
        var record = StoreKeyRecord(place: place)
        if let old { record.name = old.name }
        switch place {
        case .secretService: try await keep(key, record, mayAsk: true)
        case .passphrase: record.sealedKey = try await seal(key, passphrase)
        case .keyFile: try file.write(key)
        case .unkept: throw .keyring(.placeNeeded)
        }
        let hasLeft = place != .secretService && (old?.place == .secretService || old?.isLeftInKeyring == true)
        if hasLeft { record.isLeftInKeyring = true }
        try record.write(in: directory)
        var status = StoreKeyStatus(place: place, isLeftInKeyring: hasLeft)
        forgetOldPlaces(Opened(key: key, status: status))
        if hasLeft { status.isLeftInKeyring = (try? await clearKeyring(mayAsk: false)) == nil }
        return status
    }

    /// Has the keyring forget a key that has left it, if it could not be told before.
    /// - Parameter mayAsk: Whether the keyring may ask the person to unlock it.
    /// - Throws: `AccountError.keyring`; then it may hold it still.
    func clearKeyring(mayAsk: Bool) async throws(AccountError) {
        guard var record = try StoreKeyRecord.read(in: directory), record.isLeftInKeyring == true else { return }
        try await inKeyring { [name = record.name] in try await keyring.forget(named: name, mayAsk: mayAsk) }
        record.isLeftInKeyring = nil
        try record.write(in: directory)
    }

    // MARK: Deciding

    /// Keeps a key that is new, or lies in a file, where the choice says.
    /// - Parameter old: The record of the file; nil for a new key.
    private func settle(
        _ key: SecretBytes, _ old: StoreKeyRecord?, _ choice: StoreKeyChoice, isNew: Bool
    ) async throws(AccountError) -> Opened {
        if let old, !old.isMakeshift { return Opened(key: key, status: StoreKeyStatus(place: .keyFile)) }
        var record = old ?? StoreKeyRecord(place: .keyFile)
        var notice: StoreKeyNotice?
        switch choice {
        case .automatic:
            do {
                try await keep(key, record, mayAsk: false)
                (record.place, record.isMakeshift) = (.secretService, false)
            } catch {
                record.isMakeshift = true
                notice = isNew ? Self.notice(error) : nil
            }
        case .secretService:
            try await keep(key, record, mayAsk: mayAsk)
            (record.place, record.isMakeshift) = (.secretService, false)
        case .passphrase:
            record.sealedKey = try await seal(key, nil)
            (record.place, record.isMakeshift) = (.passphrase, false)
        case .keyFile: record.isMakeshift = false
        case .unkept: break
        }
        if record.place == .keyFile, old == nil { try file.write(key) }
        if record != old || isNew { try record.write(in: directory) }
        return Opened(
            key: key, status: StoreKeyStatus(place: record.place, isMakeshift: record.isMakeshift, notice: notice))
    }

    private static func notice(_ error: AccountError) -> StoreKeyNotice {
        if case .keyring(let fault) = error { return StoreKeyNotice(file: KeyFile.name, keyring: fault) }
        return StoreKeyNotice(file: KeyFile.name, keyring: nil)
    }

    // MARK: Places

    /// Puts the key into the keyring and reads it back.
    private func keep(_ key: SecretBytes, _ record: StoreKeyRecord, mayAsk: Bool) async throws(AccountError) {
        try await inKeyring {
            try await keyring.keep(
                key, named: record.name, label: "Parley: key of the profile “\(profileName ?? directory.name)”",
                mayAsk: mayAsk)
            guard try await keyring.secret(named: record.name, mayAsk: false) == key else {
                throw KeyringError.lost
            }
        }
    }

    private func seal(_ key: SecretBytes, _ given: Passphrase?) async throws(AccountError) -> SealedStoreKey {
        var passphrase = given
        if passphrase == nil { passphrase = await passphrases?.passphrase(.new) }
        guard let passphrase, !passphrase.isEmpty else { throw .passphraseNeeded }
        do {
            let sealed = try SealedStoreKey(key, with: passphrase, cost: cost)
            guard try sealed.open(with: passphrase) == key else { throw AccountError.storeKey(directory.path) }
            return sealed
        } catch {
            throw .store(.keyNotSealed(Cause(error)))
        }
    }

    private func unseal(_ sealed: SealedStoreKey) async throws(AccountError) -> SecretBytes {
        guard let passphrases else { throw .passphraseNeeded }
        for attempt in 0..<3 {
            guard let passphrase = await passphrases.passphrase(.open(isRepeat: attempt > 0)), !passphrase.isEmpty
            else {
                throw attempt == 0 ? .passphraseNeeded : .wrongPassphrase
            }
            do {
                return try sealed.open(with: passphrase)
            } catch .wrongPassphrase {
                continue
            }
        }
        throw .wrongPassphrase
    }

    private func inKeyring<Value: Sendable>(_ body: () async throws -> Value) async throws(AccountError) -> Value {
        do {
            return try await body()
        } catch let error as KeyringError {
            throw .keyring(.service(error))
        } catch {
            throw .keyring(.other(Cause(error)))
        }
    }
}
