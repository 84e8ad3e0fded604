import Cryptography

/// A passphrase as it was typed; wiped when the last copy goes.
public struct Passphrase: Sendable, Equatable {
    let bytes: SecretBytes

    /// The bytes of a text in UTF-8. The text itself can't be wiped: read into `init(bytes:)` where that matters.
    public init(_ text: String) { bytes = SecretBytes(Array(text.utf8)) }

    /// Bytes as they were read.
    public init(bytes: SecretBytes) { self.bytes = bytes }

    var isEmpty: Bool { bytes.count == 0 }
}

/// Why a passphrase is asked for.
public enum PassphraseRequest: Sendable, Equatable {
    /// For a profile that gets one now; a dialog asks twice.
    case new
    /// To open the profile.
    /// - isRepeat: The one before was wrong.
    case open(isRepeat: Bool)
}

/// Whoever can ask a person for a passphrase: a terminal, a window, a file.
public protocol PassphraseSource: Sendable {
    /// The passphrase; nil when the person gives up.
    func passphrase(_ request: PassphraseRequest) async -> Passphrase?
}
