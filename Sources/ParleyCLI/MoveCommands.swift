import ArgumentParser
import BaseKit
import Foundation
import Parley
import Wording

/// The passphrase of a profile's file.
struct FilePassphrase: ParsableArguments {
    @Option(
        name: .customLong("file-passphrase"),
        help: ArgumentHelp(
            "The passphrase of the profile's file, in this file's first line; otherwise it is asked for.",
            valueName: "FILE"))
    var path: String?

    func validate() throws {
        if let path { try PassphraseFile.check(path) }
    }

    /// - Throws: `AccountError.passphraseNeeded`.
    func passphrase(_ request: PassphraseRequest) async throws -> Passphrase {
        let source: any PassphraseSource =
            if let path { PassphraseFile(path: path) } else { Terminal(purpose: .profileFile) }
        guard let passphrase = await source.passphrase(request) else { throw AccountError.passphraseNeeded }
        return passphrase
    }
}

/// Tells how far a profile's file has come, a line a tenth.
private final class MoveProgress: Sendable {
    private let printer: EventPrinter
    private let told = Lock(-1)

    init(_ printer: EventPrinter) { self.printer = printer }

    func tell(_ part: Double) {
        let tenth = Int(min(max(part, 0), 1) * 10)
        let isNews = told.withLock { told in
            defer { told = max(told, tenth) }
            return tenth > told
        }
        if isNews { printer.event("progress", ["percent": .number(tenth * 10)], sentence: nil) }
    }
}

/// `parley-cli export`: carries a profile into a file and closes it.
struct ExportProfile: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Move the profile into one file under a passphrase, to take it to another machine.",
        discussion: """
            The profile is closed for good here once the file is complete: two that use the same keys would destroy each other's \
            encryption. Import the file elsewhere, or here again.
            """)

    @Argument(help: "Where the file is to be; nothing may be there.") var file: String
    @OptionGroup var passphrase: FilePassphrase
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let printer = EventPrinter(isJSON: output.isJSON)
        try await Session.untilInterrupted(printer) { [self] in
            var configuration = AccountConfiguration(directory: profile.directory)
            configuration.passphraseSource = profile.key.source
            let export = try ProfileExport(configuration)
            let progress = MoveProgress(printer)
            try await export.run(to: file, passphrase: try await passphrase.passphrase(.new)) { progress.tell($0) }
            printer.last(
                "exported", ["file": .string(file)],
                sentence: .tr("The profile is in %s now, and does not open here any more.", file))
        }
    }
}

/// `parley-cli import`: makes a profile of the file that `export` has written.
struct ImportProfile: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Make a profile of the file that “export” has written, and remove the file.",
        discussion: "The folder must not exist or be empty. Where the key is kept is chosen as for a new profile.")

    @Argument(help: "The file.") var file: String
    @OptionGroup var passphrase: FilePassphrase
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let printer = EventPrinter(isJSON: output.isJSON)
        try await Session.untilInterrupted(printer) { [self] in
            var configuration = AccountConfiguration(directory: profile.directory)
            configuration.storeKey = profile.key.choice
            configuration.passphraseSource = profile.key.source
            let progress = MoveProgress(printer)
            let given = try await passphrase.passphrase(.open(isRepeat: false))
            try await ProfileImport(file, as: configuration).run(passphrase: given) { progress.tell($0) }
            printer.last(
                "imported", ["profile": .string(profile.directory)],
                sentence: .tr("The profile is in %s now; the file is removed.", profile.directory))
        }
    }
}
