/// Where the key of the profile is kept, as the window shows it.
package enum KeyPlace: Sendable, Hashable {
    /// In the desktop's keyring.
    case keyring
    /// Under a passphrase that the person types at each start.
    case passphrase
    /// In a file of the profile; whoever can read the folder can open it.
    case file
    /// In such a file because there was no better place, as this sentence says; nobody chose it.
    case unchosenFile(because: String)
}

/// The key of the profile, as the window shows it.
package struct KeyItem: Sendable, Hashable {
    /// Where it is kept.
    package var place: KeyPlace
    /// Whether the keyring, which it has left, may hold it still.
    package var isLeftInKeyring = false

    /// The key at a place.
    package init(place: KeyPlace, isLeftInKeyring: Bool = false) {
        (self.place, self.isLeftInKeyring) = (place, isLeftInKeyring)
    }
}

/// What keeps the keyring from being used.
package enum KeyringTrouble: Sendable, Hashable {
    /// It is locked; the person can unlock it.
    case locked
    /// It is not there, or does not answer, as this sentence says.
    case away(String)
}

/// Why the window asks for a passphrase.
package enum PassphraseQuestion: Sendable, Hashable {
    /// For a profile that gets one now; typed twice.
    case new
    /// To open the profile; perhaps again, because the last one was wrong.
    case open(isRepeat: Bool)
}
