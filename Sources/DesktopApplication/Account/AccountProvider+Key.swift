import Foundation
import GLibKit
import Parley
import Wording

// The key of the profile.
extension AccountProvider {
    func moveKey(to place: KeyPlace) async throws {
        let account = try opened()
        switch place {
        case .keyring: try await account.moveStoreKey(to: .secretService)
        case .file, .unchosenFile: try await account.moveStoreKey(to: .keyFile)
        case .passphrase:
            guard let text = await askForPassphrase?(.new) else { return }
            try await account.moveStoreKey(to: .passphrase, passphrase: Passphrase(text))
        }
    }
}

// The keyring, which an open profile goes on without.
extension AccountProvider {
    func keyringStates() -> AsyncStream<KeyringTrouble?> {
        guard let account = try? opened() else { return AsyncStream { $0.finish() } }
        let states = account.keyringStates()
        return AsyncStream { tell in
            let task = Task {
                for await state in states { tell.yield(state.map(KeyringTrouble.init)) }
                tell.finish()
            }
            tell.onTermination = { _ in task.cancel() }
        }
    }

    func unlockKeyring() async throws { try await opened().unlockKeyring() }

    func clearKeyring() async throws { try await opened().clearKeyring(mayAsk: true) }
}

extension KeyringTrouble {
    /// The window's word for it.
    init(_ fault: KeyringFault) { self = fault == .service(.locked) ? .locked : .away(fault.sentence) }
}

extension KeyPlace {
    /// The window's word for it; nil for a profile that nobody opens again.
    init?(_ status: StoreKeyStatus) {
        switch status.place {
        case .secretService: self = .keyring
        case .passphrase: self = .passphrase
        case .keyFile where status.isMakeshift:
            self = .unchosenFile(
                because: status.notice?.keyring?.sentence ?? tr("There was no keyring within reach."))
        case .keyFile: self = .file
        case .unkept: return nil
        }
    }
}

/// Asks for passphrases through the windows, but takes the first from a file if there is one.
struct PassphraseWindows: PassphraseSource {
    /// A file whose first line is the passphrase.
    let file: String?
    /// Asks the person; nil when they give up.
    let ask: @MainActor @Sendable (PassphraseQuestion) async -> String?

    func passphrase(_ request: PassphraseRequest) async -> Passphrase? {
        // A second time the file would be as wrong as the first.
        if request != .open(isRepeat: true), let line = file.flatMap(Self.firstLine) { return Passphrase(line) }
        let question: PassphraseQuestion =
            switch request {
            case .new: .new
            case .open(let isRepeat): .open(isRepeat: isRepeat)
            }
        return await ask(question).map { Passphrase($0) }
    }

    private static func firstLine(of file: String) -> String? {
        let text = try? String(contentsOfFile: file, encoding: .utf8)
        return text?.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).first.map(String.init)
    }
}
