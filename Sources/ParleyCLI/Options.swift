import ArgumentParser
import Media
import Parley

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

    @Option(name: .customLong("name"), help: ArgumentHelp("The name that contacts see.", valueName: "NAME"))
    var displayName: String?

    @OptionGroup var key: KeyOptions

    func validate() throws {
        guard !directory.isEmpty else { throw ValidationError("--profile needs the path of a folder.") }
        for relay in relays where !AccountConfiguration.isRelayAddress(relay) {
            throw ValidationError(AccountError.relayAddress(relay).description)
        }
    }
}

/// Where picture and sound come from.
struct DeviceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Camera: “test” (a moving pattern), “none”, file:PATH, or a device's name.", valueName: "SOURCE"))
    var camera: SourceArgument?

    @Option(
        help: ArgumentHelp("Microphone: “test” (a tone), “none”, file:PATH, or a device's name.", valueName: "SOURCE"))
    var microphone: SourceArgument?

    func validate() throws {
        for case .file(let path) in [camera, microphone] where !SourceArgument.isReadableFile(path) {
            throw ValidationError("The file “\(path)” can't be read.")
        }
    }
}

/// How events are printed.
struct OutputOptions: ParsableArguments {
    @Flag(name: .customLong("json"), help: "Print events as JSON lines.")
    var isJSON = false
}

/// A number of seconds above 0 and not beyond a day.
struct SecondsArgument: ExpressibleByArgument, Equatable, Sendable {
    let seconds: Double

    init?(argument: String) {
        guard let seconds = Double(argument), seconds > 0, seconds <= 86_400 else { return nil }
        self.seconds = seconds
    }

    init(_ seconds: Double) { self.seconds = seconds }

    var defaultValueDescription: String { "\(Int(seconds))" }
}
