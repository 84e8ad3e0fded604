import ArgumentParser
import Parley
import Wording

/// Where the key of the profile's store is kept.
struct KeyOptions: ParsableArguments {
    @Option(
        name: .customLong("passphrase-file"),
        help: ArgumentHelp(
            "Keep a new profile under the passphrase that is this file's first line, or open one with it.",
            valueName: "FILE"))
    var passphraseFile: String?

    @Flag(name: .customLong("passphrase"), help: "Keep a new profile under a passphrase; asks for it.")
    var wantsPassphrase = false

    @Flag(name: .customLong("keyring"), help: "Keep the key of a new profile in the keyring, or don't make one.")
    var wantsKeyring = false

    @Flag(
        name: .customLong("key-file"),
        help: "Keep the key of a new profile in a file beside the store; who can read the folder can open it.")
    var wantsKeyFile = false

    func validate() throws {
        let wishes = [passphraseFile != nil || wantsPassphrase, wantsKeyring, wantsKeyFile]
        guard wishes.count(where: { $0 }) < 2 else {
            throw ValidationError(tr("Use one of --passphrase-file or --passphrase, --keyring, and --key-file."))
        }
        if let file = passphraseFile { try PassphraseFile.check(file) }
    }

    var choice: StoreKeyChoice {
        if passphraseFile != nil || wantsPassphrase { return .passphrase }
        if wantsKeyring { return .secretService }
        return wantsKeyFile ? .keyFile : .automatic
    }

    var source: any PassphraseSource {
        if let passphraseFile { PassphraseFile(path: passphraseFile) } else { Terminal() }
    }
}
