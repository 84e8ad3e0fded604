import ArgumentParser
import Calling
import Parley
import Wording

/// Which account to use.
struct ProfileOptions: ParsableArguments {
    @Option(name: .customLong("profile"), help: ArgumentHelp("Folder that holds the account.", valueName: "DIR"))
    var directory: String

    @Option(
        name: .customLong("relay"),
        help: ArgumentHelp(
            "Relay for this account's queues, may be given several times; remembered by the profile.",
            valueName: "smp://FINGERPRINT@HOST:PORT"))
    var relays: [String] = []

    @Flag(
        name: .customLong("own-relay"),
        help: "Where no relay is set: use one inside this program, which others in this network reach while it runs.")
    var ownRelay = false

    @Flag(
        name: .customLong("open-port"), inversion: .prefixedNo,
        help: """
            Ask the router to open the port of the relay inside this program, so that people elsewhere can reach you; remembered by \
            the profile.
            """)
    var openPort: Bool?

    @Option(name: .customLong("name"), help: ArgumentHelp("The name that contacts see.", valueName: "NAME"))
    var displayName: String?

    @Option(
        name: .customLong("private-routing"),
        help: ArgumentHelp(
            "Which relays of contacts are reached through the account's own; remembered by the profile.",
            valueName: "never|unknown|always"))
    var privateRouting: PrivateRoutingMode?

    @Flag(
        name: .customLong("groups"), inversion: .prefixedNo,
        help: "Make and take calls of several people, or none, and tell contacts so; remembered by the profile.")
    var groups: Bool?

    @OptionGroup var key: KeyOptions

    /// Whether nothing about the account was chosen besides where it is.
    var areUsual: Bool {
        relays.isEmpty && !ownRelay && openPort == nil && displayName == nil && privateRouting == nil && groups == nil
    }

    func validate() throws {
        if ownRelay, !relays.isEmpty { throw ValidationError(tr("Use either --relay or --own-relay.")) }
        if openPort == true, !ownRelay { throw ValidationError(tr("--open-port needs --own-relay.")) }
        guard !directory.isEmpty else { throw ValidationError("--profile needs the path of a folder.") }
        for relay in relays where !AccountConfiguration.isRelayAddress(relay) {
            throw ValidationError(AccountError.relayAddress(relay).sentence)
        }
    }
}

/// What becomes of a call whose peer does not encrypt frames end to end.
struct EncryptionOptions: ParsableArguments {
    @Flag(
        name: .customLong("require-encryption"),
        help: "End a call that would not be encrypted end to end; without it, you are asked if there is a terminal.")
    var isRequired = false

    /// Who can't be asked has not agreed.
    func policy(canAsk: Bool) -> ClearMediaPolicy { isRequired || !canAsk ? .refuse : .ask }
}

/// How events are printed.
struct OutputOptions: ParsableArguments {
    @Flag(name: .customLong("json"), help: "Print events as JSON lines.")
    var isJSON = false
}

/// What is told of a call while it is on.
struct StatisticsOptions: ParsableArguments {
    @Flag(help: "Print once a second how much was sent and received.")
    var statistics = false
}

/// A number of seconds above 0 and not beyond a day.
struct SecondsArgument: ExpressibleByArgument, Equatable, Sendable {
    let seconds: Double

    init?(argument: String) {
        guard let seconds = Double(argument), seconds > 0, seconds <= 86_400 else { return nil }
        self.seconds = seconds
    }

    init(_ seconds: Double) { self.seconds = seconds }

    var time: Duration { .seconds(seconds) }

    var defaultValueDescription: String { "\(Int(seconds))" }
}

extension PrivateRoutingMode: ExpressibleByArgument {}
