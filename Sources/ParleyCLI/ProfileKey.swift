import ArgumentParser
import Parley
import Wording

/// `parley-cli key`: shows where the key of the profile's store is kept, or moves it.
struct ProfileKey: ProfileCommand {
    /// Where it can be moved to.
    enum Place: String, ExpressibleByArgument, CaseIterable {
        case keyring
        case passphrase
        case file

        var place: StoreKeyPlace {
            switch self {
            case .keyring: .secretService
            case .passphrase: .passphrase
            case .file: .keyFile
            }
        }
    }

    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Show where the key of the profile's store is kept, or move it.",
        discussion: "The old place is wiped once the new one is known to work.")

    @Option(
        help: ArgumentHelp("Move it there. Moving to “passphrase” again changes the passphrase.", valueName: "PLACE"))
    var to: Place?

    @Option(
        name: .customLong("new-passphrase-file"),
        help: ArgumentHelp(
            "The new passphrase, in this file's first line; otherwise it is asked for.", valueName: "FILE"))
    var newPassphraseFile: String?

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if let file = newPassphraseFile { try PassphraseFile.check(file) }
    }

    func run(with account: Account, telling printer: EventPrinter) async throws {
        if let place = to?.place {
            let passphrase = await newPassphraseFile.map(PassphraseFile.init)?.passphrase(.new)
            try await account.moveStoreKey(to: place, passphrase: passphrase)
        }
        let status = await account.storeKeyStatus
        var sentences = [status.place.sentence]
        if status.isLeftInKeyring {
            sentences.append(
                .tr(
                    "The keyring may hold it still, which could not be told to forget it. That is tried again at the next start."
                ))
        }
        printer.last(
            "key", ["place": .string(status.place.rawValue), "isLeftInKeyring": .boolean(status.isLeftInKeyring)],
            sentence: PlainLine(joining: sentences))
    }
}

extension StoreKeyPlace {
    /// What a person reads.
    fileprivate var sentence: PlainLine {
        switch self {
        case .secretService: .tr("The key of the profile is in the keyring.")
        case .passphrase: .tr("The key of the profile is sealed with a passphrase.")
        case .keyFile: .tr("The key of the profile is in a file beside its store: who can read the folder can open it.")
        case .unkept: .tr("The key of the profile is in memory only.")
        }
    }
}
