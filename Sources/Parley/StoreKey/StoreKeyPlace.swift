/// Where the key of a profile's store is kept.
public enum StoreKeyPlace: String, Sendable, Codable {
    /// In the desktop's keyring.
    case secretService
    /// In the profile's folder, sealed with a passphrase.
    case passphrase
    /// In a file beside the store that its owner can read: who has the whole folder can open the store.
    case keyFile
    /// In memory only: the profile can't be opened again.
    case unkept
}

/// Where the key of a profile that is open is kept, and what a person should know of it.
public struct StoreKeyStatus: Sendable, Equatable {
    /// Where it is.
    public var place: StoreKeyPlace
    /// Whether it lies in a file only because there was no better place, which nobody chose. It moves into the keyring at
    /// the first start that finds one.
    public var isMakeshift = false
    /// Whether the keyring, which the key has left, could not be told to forget it and may hold it still.
    public var isLeftInKeyring = false
    /// What the person is to know now; nil when nothing has changed since they were last told.
    public var notice: StoreKeyNotice?
}

/// The key of a new profile lies in a file, where whoever can read the folder can open the profile.
public struct StoreKeyNotice: Sendable, Equatable {
    /// The file's name.
    public var file: String
    /// Why it is not in the keyring; nil where the keyring said nothing.
    public var keyring: KeyringFault?
}

/// Where the key of a new profile's store goes.
public enum StoreKeyChoice: Sendable {
    /// Into the keyring where there is one that is open, otherwise into a file, which the person is told.
    case automatic
    /// Into the keyring, which may ask the person to unlock it; without one the profile does not open.
    case secretService
    /// Under a passphrase.
    case passphrase
    /// Into a file, by choice.
    case keyFile
    /// Nowhere: for a profile that nobody opens again.
    case unkept
}
