import ArgumentParser
import Media

/// Which account to use.
struct ProfileOptions: ParsableArguments {
    @Option(name: .customLong("profile"), help: ArgumentHelp("Folder that holds the account.", valueName: "DIR"))
    var directory: String?

    @Option(
        name: .customLong("relay"),
        help: ArgumentHelp(
            "Relay for this account's queues; remembered by the profile.", valueName: "smp://FINGERPRINT@HOST:PORT"))
    var relays: [String] = []

    @Option(name: .customLong("name"), help: ArgumentHelp("The name that contacts see.", valueName: "NAME"))
    var displayName: String?
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
}

/// How events are printed.
struct OutputOptions: ParsableArguments {
    @Flag(name: .customLong("json"), help: "Print events as JSON lines.")
    var isJSON = false
}

/// The value of `--camera` and `--microphone`.
enum SourceArgument: ExpressibleByArgument, Equatable {
    case test
    case none
    case file(String)
    case named(String)

    init?(argument: String) {
        switch argument {
        case "": return nil
        case "test": self = .test
        case "none": self = .none
        case let file where file.hasPrefix("file:"):
            let path = String(file.dropFirst("file:".count))
            guard !path.isEmpty else { return nil }
            self = .file(path)
        default: self = .named(argument)
        }
    }

    var camera: CameraSource {
        switch self {
        case .test: .test
        case .none: .none
        case .file(let path): .file(path)
        case .named(let name): .named(name)
        }
    }

    var microphone: MicrophoneSource {
        switch self {
        case .test: .test
        case .none: .none
        case .file(let path): .file(path)
        case .named(let name): .named(name)
        }
    }
}
