import ArgumentParser
import Dispatch
import Foundation
import Parley

/// Opens the account that the options name, runs one command with it and closes it again, also on a signal.
struct Session {
    let profile: ProfileOptions
    var devices: DeviceOptions?
    let printer: EventPrinter

    func run(_ body: @escaping @Sendable (Account) async throws -> Void) async throws {
        guard let directory = profile.directory else {
            throw ValidationError("Missing expected argument '--profile <DIR>'.")
        }
        try await Self.untilInterrupted(printer) {
            var configuration = AccountConfiguration(directory: directory)
            configuration.displayName = profile.displayName
            configuration.relays = .external(profile.relays)
            configuration.camera = devices?.camera?.camera ?? .automatic
            configuration.microphone = devices?.microphone?.microphone ?? .automatic
            let account = try await Account.open(configuration)
            do {
                try await body(account)
            } catch {
                await account.close()
                throw error
            }
            await account.close()
        }
    }

    /// Runs `work`; SIGINT and SIGTERM cancel it. An error is printed as one sentence and ends the program with status 1.
    static func untilInterrupted(
        _ printer: EventPrinter, _ work: @escaping @Sendable () async throws -> Void
    ) async throws {
        let task = Task { try await work() }
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { task.cancel() }
            source.resume()
            return source
        }
        defer { for source in sources { source.cancel() } }
        do {
            try await task.value
        } catch let code as ExitCode {
            throw code
        } catch is CancellationError {
            throw ExitCode(130)
        } catch let error as ValidationError {
            throw error
        } catch {
            let sentence = "\(error)"
            printer.event("error", ["message": sentence], sentence: sentence)
            FileHandle.standardError.write(Data((sentence + "\n").utf8))
            throw ExitCode.failure
        }
    }
}
