import GLibKit
import Parley

// The key of the profile.
extension AccountProvider {
    func moveKey(to place: KeyPlace) async throws {
        let account = try opened()
        switch place {
        case .keyring: try await account.moveStoreKey(to: .secretService)
        case .file: try await account.moveStoreKey(to: .keyFile)
        case .passphrase:
            guard let text = await askForPassphrase?(.new) else { return }
            try await account.moveStoreKey(to: .passphrase, passphrase: Passphrase(text))
        }
    }
}

extension KeyPlace {
    /// The window's word for it; nil for a profile that nobody opens again.
    init?(_ place: StoreKeyPlace) {
        switch place {
        case .secretService: self = .keyring
        case .passphrase: self = .passphrase
        case .keyFile: self = .file
        case .unkept: return nil
        }
    }
}

/// Asks for passphrases through the windows.
struct PassphraseWindows: PassphraseSource {
    /// Asks the person; nil when they give up.
    let ask: @MainActor @Sendable (PassphraseQuestion) async -> String?

    func passphrase(_ request: PassphraseRequest) async -> Passphrase? {
        let question: PassphraseQuestion =
            switch request {
            case .new: .new
            case .open(let isRepeat): .open(isRepeat: isRepeat)
            }
        return await ask(question).map { Passphrase($0) }
    }
}
