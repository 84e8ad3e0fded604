import ArgumentParser
import Calling
import Dispatch
import Foundation
import Media
import Parley
import Synchronization
import Wording

/// Opens the account that the options name, runs one command with it and closes it again, also on a signal.
struct Session {
    let profile: ProfileOptions
    var devices: DeviceOptions?
    var servers: CallServerOptions?
    /// The call server of calls of several; nil: what the profile remembers.
    var groupServer: GroupServer?
    var clearMedia = ClearMediaPolicy.refuse
    /// Whether the command tells of calls that ring itself.
    var tellsCalls = false
    /// How many calls there can be at once.
    var mostCalls = 1
    /// Whether short messages that come in are told.
    var tellsMessages = false
    /// Has the running Parley do the command's work, when that has the profile open; nil: nobody else can do it.
    var otherwise: (@Sendable (ProfileHolder) async throws -> Void)?
    let printer: EventPrinter

    func run(_ body: @escaping @Sendable (Account) async throws -> Void) async throws {
        var configuration = AccountConfiguration(directory: profile.directory)
        configuration.displayName = profile.displayName
        configuration.relays =
            profile.ownRelay ? .embedded(host: "127.0.0.1", port: 0) : .external(profile.relays)
        configuration.storeKey = profile.key.choice
        configuration.passphraseSource = profile.key.source
        configuration.privateRouting = profile.privateRouting
        devices?.apply(to: &configuration)
        configuration.drawsPictures = false
        configuration.clearMedia = clearMedia
        configuration.callServers = try servers?.servers()
        configuration.relayOnly = servers?.relayOnly
        configuration.groupServer = groupServer
        configuration.mostCalls = mostCalls
        configuration.takesGroupCalls = profile.groups
        configuration.asksRelays = servers?.asksRelays
        let isForCalls = devices != nil
        let (opensRelay, opensPort) = (profile.ownRelay, profile.openPort)
        try await Self.untilInterrupted(printer) { [configuration, printer, tellsCalls, tellsMessages, otherwise] in
            // Before anything is opened, and anybody called.
            if isForCalls { try MediaRuntime.start() }
            let account: Account
            do {
                account = try await Account.open(configuration)
            } catch AccountError.inUse(let path) {
                guard let holder = await ProfileHolder.find(path) else { throw AccountError.inUse(path) }
                guard let otherwise else { throw ProfileIsHeld(directory: path, processID: holder.processID) }
                return try await otherwise(holder)
            }
            let aside = Task { [updates = account.updates, printer] in
                var follower = UpdatePrinter(
                    printer: printer, tellsCalls: tellsCalls, tellsMessages: tellsMessages)
                await follower.follow(updates)
            }
            let port = Task { [printer] in
                for await openness in await account.portChanges { printer.tell(openness) }
            }
            defer {
                aside.cancel()
                port.cancel()
            }
            do {
                if opensRelay { try await account.setOpenToNetwork(true) }
                if opensRelay, let opensPort { try await account.setPortOpen(opensPort) }
                // A link that is made next is to lead there.
                _ = await account.portSettled()
                try await body(account)
            } catch {
                await account.close()
                throw error
            }
            await account.close()
        }
    }

    /// Runs `work`; SIGINT and SIGTERM cancel it, the second one ends the program at once. An error is printed as one
    /// sentence, with the usage if it is a mistake of the command line.
    static func untilInterrupted(
        _ printer: EventPrinter, _ work: @escaping @Sendable () async throws -> Void
    ) async throws {
        let task = Task { try await work() }
        let isInterrupted = Atomic(false)
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                if isInterrupted.exchange(true, ordering: .relaxed) { _exit(Self.interrupted.rawValue) }
                task.cancel()
            }
            source.resume()
            return source
        }
        defer { for source in sources { source.cancel() } }
        do {
            try await task.value
        } catch let code as ExitCode {
            throw code
        } catch is CancellationError {
            throw interrupted
        } catch let error as AccountError where error.isMistakeOfCommandLine {
            printer.failure(error.sentence, isPrintedLater: true)
            throw CommandLineMistake(description: error.sentence)
        } catch {
            printer.failure(sentence(of: error), isPrintedLater: false)
            throw ExitCode.failure
        }
    }

    /// What a shell gives a program that SIGINT ended.
    static let interrupted = ExitCode(130)
}

extension AccountError {
    fileprivate var isMistakeOfCommandLine: Bool {
        switch self {
        case .link, .relayAddress, .noRelay, .unknownContact, .unknownRequest, .invitationOpened, .severalRequests,
            .callServer,
            .tooManyCallServers, .nameUnusable, .nameTaken, .textTooLong, .tooManyLabels, .picture:
            true
        case .folder, .inUse, .storeKey, .store, .embeddedRelay, .embeddedRelayPort, .relay, .notConnected,
            .contactGone, .callsNotAllowed, .contactBlocked, .blockNotKept, .emptyMessage, .messageTooLong, .media,
            .passphraseNeeded, .wrongPassphrase,
            .keyring, .connection, .call, .group, .codeChanged, .moving, .network, .closed:
            false
        }
    }
}
