import ArgumentParser
import Calling
import Media
import Parley
import Signaling
import Wording

/// `parley-cli call NAME`: calls a contact.
struct CallContact: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "call", abstract: "Call a contact. The exit status is 0 only for a call that took place.")

    @Argument(help: ArgumentHelp("The contact's name.", valueName: "NAME"))
    var name: String

    @Flag(help: "Call without a camera.")
    var audio = false

    @Option(name: .customLong("for"), help: ArgumentHelp("Hang up after talking for so many seconds.", valueName: "S"))
    var talkTime: SecondsArgument?

    @Option(
        name: .customLong("ring-for"),
        help: ArgumentHelp("Give up when nobody has answered after so many seconds.", valueName: "S"))
    var ringTime: SecondsArgument?

    @OptionGroup var devices: DeviceOptions
    @OptionGroup var commands: CommandOptions
    @OptionGroup var encryption: EncryptionOptions
    @OptionGroup var servers: CallServerOptions
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var statistics: StatisticsOptions

    func run() async throws {
        let printer = EventPrinter(isJSON: output.isJSON)
        let (name, media) = (name, audio ? CallMedia.audio : .video)
        let wanted = CallFollower(
            printer: printer, talkTime: talkTime?.time, ringTime: ringTime?.time,
            tellsStatistics: statistics.statistics,
            takesCommands: commands.isOn)
        let policy = encryption.policy(canAsk: printer.canAsk && !commands.isOn)
        var session = Session(
            profile: profile, devices: devices, servers: servers, clearMedia: policy, printer: printer)
        if canBeMadeElsewhere {
            let call = ServiceCall(
                printer: printer, contact: name, media: media, talkTime: talkTime?.time, ringTime: ringTime?.time)
            session.otherwise = { try await call.run($0) }
        }
        try await session
            .run { account in
                var follower = wanted
                follower.retry = { await account.retryNow() }
                let contact = try await account.contact(named: name)
                let call = try await account.call(contact, media: media)
                printer.event(
                    "dialing",
                    [
                        "call": .string(call.id.description), "contact": .string(contact.name),
                        "media": .string(media.rawValue),
                    ],
                    sentence: .tr("Calling %s…", contact.name))
                let summary = await follower.follow(call)
                guard summary.result == CallSummary.completed else { throw ExitCode.failure }
            }
    }

    /// Whether the call may be made by the Parley that has the profile open: its devices and settings are its own.
    var canBeMadeElsewhere: Bool {
        devices.areUsual && servers.areUsual && profile.areUsual && !encryption.isRequired && !commands.isOn
            && !statistics.statistics
    }
}

/// `parley-cli listen`: waits for calls.
struct Listen: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Wait for calls, and take them with --accept.")

    @Flag(help: "Take each call; without it a call only rings.")
    var accept = false

    @Flag(help: "Decline each call.")
    var decline = false

    @Flag(help: "End after the first call, with its result as exit status.")
    var once = false

    @OptionGroup var devices: DeviceOptions
    @OptionGroup var commands: CommandOptions
    @OptionGroup var encryption: EncryptionOptions
    @OptionGroup var servers: CallServerOptions
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var statistics: StatisticsOptions

    func validate() throws {
        if accept, decline { throw ValidationError(tr("Use either --accept or --decline.")) }
    }

    func run() async throws {
        let printer = EventPrinter(isJSON: output.isJSON)
        let (accept, decline, once, counts) = (accept, decline, once, statistics.statistics)
        let policy = encryption.policy(canAsk: printer.canAsk && !commands.isOn)
        let takesCommands = commands.isOn
        var session = Session(
            profile: profile, devices: devices, servers: servers, clearMedia: policy, printer: printer)
        session.tellsCalls = true
        try await session
            .run { account in
                printer.event("listening", sentence: .tr("Waiting for calls. Press Ctrl-C to end."))
                var last: CallSummary?
                var waiting = takesCommands ? Self.readCommands(account, printer) : nil
                defer { waiting?.cancel() }
                for await update in account.updates {
                    guard case .incoming(let call) = update else { continue }
                    waiting?.cancel()
                    printer.event(
                        "incoming",
                        [
                            "call": .string(call.id.description), "contact": .string(call.contact.name),
                            "media": .string(call.media.rawValue),
                        ],
                        sentence: .tr("%s is calling.", call.contact.name))
                    // A call that is over meanwhile says so itself below.
                    if accept { try? await call.accept(media: call.media) }
                    if decline { await call.decline() }
                    let follower = CallFollower(
                        printer: printer, takesCalls: accept, tellsStatistics: counts, takesCommands: takesCommands,
                        isLast: once, retry: { await account.retryNow() })
                    last = await follower.follow(call)
                    if once { break }
                    waiting = takesCommands ? Self.readCommands(account, printer) : nil
                }
                guard let last else { throw CancellationError() }
                guard last.result == CallSummary.completed else { throw ExitCode.failure }
            }
    }
}

extension Listen {
    /// Does what is typed while there is no call.
    private static func readCommands(_ account: Account, _ printer: EventPrinter) -> Task<Void, Never> {
        Task {
            for await line in StandardInput.lines() where !line.allSatisfy(\.isWhitespace) {
                if CallCommand(line: line) == .retry {
                    await account.retryNow()
                } else {
                    let sentence = tr("There is no call; only “retry” is of use now.")
                    printer.event("unknownCommand", ["message": .string(sentence)], sentence: PlainLine(sentence))
                }
            }
        }
    }
}

/// `parley-cli test-call`: a whole call on this machine.
struct TestCall: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test-call", abstract: "Run a relay, an echo peer and a caller here, and make a whole call.")

    @Option(name: .customLong("for"), help: ArgumentHelp("Seconds to talk.", valueName: "S"))
    var talkTime = SecondsArgument(5)

    @Flag(help: "Call without a camera.")
    var audio = false

    @OptionGroup var devices: DeviceOptions
    @OptionGroup var commands: CommandOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let printer = EventPrinter(isJSON: output.isJSON)
        var testCall = Parley.TestCall()
        testCall.media = audio ? .audio : .video
        devices.apply(to: &testCall)
        let follower = CallFollower(printer: printer, talkTime: talkTime.time, takesCommands: commands.isOn)
        try await Session.untilInterrupted(printer) { [testCall] in
            try MediaRuntime.start()
            printer.event("starting", sentence: .tr("Starting a relay, an echo peer and a caller on this machine."))
            let summary = try await testCall.run { call in
                printer.event(
                    "dialing",
                    [
                        "call": .string(call.id.description), "contact": .string(call.contact.name),
                        "media": .string(call.media.rawValue),
                    ],
                    sentence: .tr("Calling %s…", call.contact.name))
                return await follower.follow(call)
            }
            guard summary.result == CallSummary.completed else { throw ExitCode.failure }
        }
    }
}
