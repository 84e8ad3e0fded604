import ArgumentParser
import Calling
import Parley
import Signaling

/// `parley-cli call NAME`: calls a contact.
struct CallContact: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "call", abstract: "Call a contact.")

    @Argument(help: ArgumentHelp("The contact's name.", valueName: "NAME"))
    var name: String

    @Flag(help: "Call without a camera.")
    var audio = false

    @Option(name: .customLong("for"), help: ArgumentHelp("Hang up after so many seconds.", valueName: "S"))
    var seconds: Double?

    @OptionGroup var devices: DeviceOptions
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if let seconds, !(seconds > 0) { throw ValidationError("--for takes a number of seconds above 0.") }
    }

    func run() async throws {
        let printer = EventPrinter(isJSON: output.isJSON)
        let (name, media, seconds) = (name, audio ? CallMedia.audio : .video, seconds)
        try await Session(profile: profile, devices: devices, printer: printer).run { account in
            let contact = try await account.contact(named: name)
            let call = try await account.call(contact, media: media)
            printer.event(
                "dialing", ["call": call.id.description, "contact": contact.name], sentence: "Calling \(contact.name)…")
            let summary = await withTaskCancellationHandler {
                await CallFollower(printer: printer).follow(call, for: seconds)
            } onCancel: {
                Task { await call.hangUp() }
            }
            guard summary.result == CallSummary.completed else { throw ExitCode.failure }
        }
    }
}

/// `parley-cli listen`: waits for calls.
struct Listen: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Wait for calls, and take them with --accept.")

    @Flag(help: "Take each call; without it a call only rings.")
    var accept = false

    @Flag(help: "End after the first call, with its result as exit status.")
    var once = false

    @OptionGroup var devices: DeviceOptions
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let printer = EventPrinter(isJSON: output.isJSON)
        let (accept, once) = (accept, once)
        try await Session(profile: profile, devices: devices, printer: printer).run { account in
            printer.event("listening", sentence: "Waiting for calls.")
            for await update in account.updates {
                guard case .incoming(let call) = update else { continue }
                printer.event(
                    "incoming", ["call": call.id.description, "contact": call.contact.name, "media": call.media.rawValue],
                    sentence: "\(call.contact.name) is calling.")
                if accept { try? await call.accept(media: call.media) }
                let summary = await withTaskCancellationHandler {
                    await CallFollower(printer: printer).follow(call, for: nil)
                } onCancel: {
                    Task { await call.hangUp() }
                }
                guard !once else {
                    if summary.result != CallSummary.completed { throw ExitCode.failure }
                    return
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
    var seconds: Double = 5

    @Flag(help: "Call without a camera.")
    var audio = false

    @OptionGroup var devices: DeviceOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard seconds > 0 else { throw ValidationError("--for takes a number of seconds above 0.") }
    }

    func run() async throws {
        let printer = EventPrinter(isJSON: output.isJSON)
        var plan = Parley.TestCall()
        plan.media = audio ? .audio : .video
        plan.camera = devices.camera?.camera ?? .test
        plan.microphone = devices.microphone?.microphone ?? .test
        let (seconds, testCall) = (seconds, plan)
        try await Session.untilInterrupted(printer) {
            let summary = try await testCall.run { call in
                await CallFollower(printer: printer).follow(call, for: seconds)
            }
            guard summary.result == CallSummary.completed else { throw ExitCode.failure }
        }
    }
}
