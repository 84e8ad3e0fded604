import ArgumentParser
import Calling
import Media
import MediaRules
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

    @Option(
        help: ArgumentHelp(
            "Keys of a telephone, whose tones are sent once the call is on: 0 to 9, *, #, A to D, a comma for a pause.",
            valueName: "DIGITS"))
    var tones: String?

    @OptionGroup var secondCall: SecondCallOptions
    @OptionGroup var devices: DeviceOptions
    @OptionGroup var commands: CommandOptions
    @OptionGroup var encryption: EncryptionOptions
    @OptionGroup var servers: CallServerOptions
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var statistics: StatisticsOptions

    func validate() throws {
        guard let tones else { return }
        do throws(ToneError) { _ = try ToneSequence(parsing: tones) } catch { throw ValidationError(error.sentence) }
    }

    func run() async throws {
        let printer = EventPrinter(isJSON: output.isJSON)
        let (name, media) = (name, audio ? CallMedia.audio : .video)
        let follower = CallFollower(
            printer: printer, talkTime: talkTime?.time, ringTime: ringTime?.time,
            tellsStatistics: statistics.statistics, tones: tones)
        let (second, takesCommands, counts) = (secondCall.choice, commands.isOn, statistics.statistics)
        let policy = encryption.policy(canAsk: printer.canAsk && !commands.isOn)
        var session = Session(
            profile: profile, devices: devices, servers: servers, clearMedia: policy, printer: printer)
        if canBeMadeElsewhere {
            let call = ServiceCall(
                printer: printer, contact: name, media: media, talkTime: talkTime?.time, ringTime: ringTime?.time)
            session.otherwise = { try await call.run($0) }
        }
        session.mostCalls = second.mostCalls
        session.tellsCalls = second != .busy
        try await session
            .run { account in
                let reception = CallReception(
                    account: account, printer: printer, second: second, takesCommands: takesCommands,
                    tellsStatistics: counts)
                let contact = try await account.contact(named: name)
                let call = try await account.call(contact, media: media)
                printer.event(
                    "dialing",
                    [
                        "call": .string(call.id.description), "contact": .string(contact.name),
                        "media": .string(media.rawValue),
                    ],
                    sentence: .tr("Calling %s…", contact.name))
                let summary = await reception.follow(call, follower)
                guard summary.result == CallSummary.completed else { throw ExitCode.failure }
            }
    }

    /// Whether the call may be made by the Parley that has the profile open: its devices and settings are its own.
    var canBeMadeElsewhere: Bool {
        devices.areUsual && servers.areUsual && profile.areUsual && !encryption.isRequired && !commands.isOn
            && !statistics.statistics && tones == nil && secondCall.choice == .busy
    }
}

/// `parley-cli listen`: waits for calls.
struct Listen: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Wait for calls, and take them with --accept.")

    @Flag(help: "Take each call; without it a call only rings.")
    var accept = false

    @Flag(help: "Decline each call.")
    var decline = false

    @Flag(help: "End after the first call and those that came during it, with the first one's result as exit status.")
    var once = false

    @OptionGroup var secondCall: SecondCallOptions
    @OptionGroup var devices: DeviceOptions
    @OptionGroup var commands: CommandOptions
    @OptionGroup var encryption: EncryptionOptions
    @OptionGroup var servers: CallServerOptions
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var statistics: StatisticsOptions

    func validate() throws {
        if accept, decline { throw ValidationError(tr("Use either --accept or --decline.")) }
        if !accept, [.hold, .end].contains(secondCall.choice) {
            throw ValidationError(tr("A second call is only taken with --accept."))
        }
    }

    func run() async throws {
        let printer = EventPrinter(isJSON: output.isJSON)
        let (accept, decline, once, counts) = (accept, decline, once, statistics.statistics)
        let policy = encryption.policy(canAsk: printer.canAsk && !commands.isOn)
        let (second, takesCommands) = (secondCall.choice, commands.isOn)
        var session = Session(
            profile: profile, devices: devices, servers: servers, clearMedia: policy, printer: printer)
        session.tellsCalls = true
        session.mostCalls = second.mostCalls
        session.tellsMessages = true
        try await session
            .run { account in
                printer.event("listening", sentence: .tr("Waiting for calls. Press Ctrl-C to end."))
                if await account.isBusyByChoice == true {
                    printer.event(
                        "busy", ["state": "on"],
                        sentence: .tr("Who calls is told that you are busy; “parley-cli busy off” changes that."))
                }
                let reception = CallReception(
                    account: account, printer: printer, second: second, takesCommands: takesCommands,
                    tellsStatistics: counts)
                let first: CallReception.First = accept ? .accept : decline ? .decline : .ring
                let groups = GroupReception(
                    account: account, printer: printer,
                    follower: GroupFollower(printer: printer, tellsStatistics: counts))
                let outcomes = await withTaskGroup(of: Bool?.self) { tasks in
                    tasks.addTask {
                        await reception.listen(first, once: once).map { $0.result == CallSummary.completed }
                    }
                    if account.takesGroupCalls { tasks.addTask { await groups.listen(first, once: once) } }
                    var outcomes: [Bool] = []
                    for await outcome in tasks {
                        if let outcome { outcomes.append(outcome) }
                        // With “once”, a call of either kind is enough.
                        tasks.cancelAll()
                    }
                    return outcomes
                }
                guard !outcomes.isEmpty else { throw CancellationError() }
                guard outcomes.allSatisfy(\.self) else { throw ExitCode.failure }
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

    @Option(
        help: ArgumentHelp(
            "Relay of both sides; otherwise one is started for the call.", valueName: "smp://FINGERPRINT@HOST:PORT"))
    var relay: String?

    @OptionGroup var devices: DeviceOptions
    @OptionGroup var commands: CommandOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if let relay, !AccountConfiguration.isRelayAddress(relay) {
            throw ValidationError(AccountError.relayAddress(relay).sentence)
        }
    }

    func run() async throws {
        let printer = EventPrinter(isJSON: output.isJSON)
        var testCall = Parley.TestCall()
        testCall.relay = relay
        testCall.media = audio ? .audio : .video
        devices.apply(to: &testCall)
        let follower = CallFollower(printer: printer, talkTime: talkTime.time)
        let desk = CallDesk(printer)
        if commands.isOn { await desk.takeCommands() }
        try await Session.untilInterrupted(printer) { [testCall] in
            try MediaRuntime.start()
            printer.event(
                "starting",
                sentence: testCall.relay == nil
                    ? .tr("Starting a relay, an echo peer and a caller on this machine.")
                    : .tr("Starting an echo peer and a caller on this machine."))
            let summary = try await testCall.run { call in
                printer.event(
                    "dialing",
                    [
                        "call": .string(call.id.description), "contact": .string(call.contact.name),
                        "media": .string(call.media.rawValue),
                    ],
                    sentence: .tr("Calling %s…", call.contact.name))
                return await desk.follow(call, follower)
            }
            guard summary.result == CallSummary.completed else { throw ExitCode.failure }
        }
    }
}
