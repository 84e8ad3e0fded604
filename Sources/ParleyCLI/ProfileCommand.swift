import ArgumentParser
import Parley

/// A command that works on one account, opened before and closed after it.
protocol ProfileCommand: AsyncParsableCommand, Sendable {
    var profile: ProfileOptions { get }
    var output: OutputOptions { get }

    /// Does the command's work.
    func run(with account: Account, telling printer: EventPrinter) async throws
}

extension ProfileCommand {
    func run() async throws {
        let printer = EventPrinter(isJSON: output.isJSON)
        try await Session(profile: profile, printer: printer).run { [self] in
            try await run(with: $0, telling: printer)
        }
    }
}
