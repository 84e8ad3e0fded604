import ArgumentParser
import Calling
import Media
import MediaRules
import Parley
import Signaling
import Wording

/// `parley-cli group NAME…`: calls several contacts, or comes back into such a call.
struct GroupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "group",
        abstract: "Call several contacts. The exit status is 0 only if everybody who was in was seen and heard here.")

    @Argument(help: ArgumentHelp("The contacts' names.", valueName: "NAME"))
    var names: [String] = []

    @Flag(help: "Call with a camera.")
    var video = false

    @Flag(help: "Come back into the call that this profile was in last.")
    var rejoin = false

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("Leave so many seconds after the first one is heard.", valueName: "S"))
    var talkTime: SecondsArgument?

    @Flag(
        name: .customLong("commands"),
        help: ArgumentHelp("Read commands from the standard input: \(GroupWish.all)."))
    var takesCommands = false

    @OptionGroup var devices: DeviceOptions
    @OptionGroup var servers: CallServerOptions
    @OptionGroup var callServer: GroupServerOptions
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var statistics: StatisticsOptions

    func validate() throws {
        if rejoin != names.isEmpty { throw ValidationError(tr("Name contacts to call, or use --rejoin.")) }
    }

    func run() async throws {
        let printer = EventPrinter(isJSON: output.isJSON)
        let (names, media, rejoins) = (names, video ? CallMedia.video : .audio, rejoin)
        let follower = GroupFollower(
            printer: printer, talkTime: talkTime?.time, tellsStatistics: statistics.statistics,
            takesCommands: takesCommands)
        let session = Session(
            profile: profile, devices: devices, servers: servers, groupServer: try callServer.server(), printer: printer
        )
        try await session
            .run { account in
                let call: GroupCall
                if rejoins {
                    call = try await account.returnToGroupCall()
                } else {
                    var contacts: [Contact] = []
                    for name in names { contacts.append(try await account.contact(named: name)) }
                    call = try await account.groupCall(with: contacts, media: media)
                }
                printer.event(
                    "dialing",
                    [
                        "call": .string(call.id.description), "contacts": .array(names.map(EventValue.string)),
                        "media": .string(call.state.media.rawValue),
                    ],
                    sentence: rejoins ? .tr("Coming back…") : .tr("Calling %s…", names.joined(separator: ", ")))
                guard await follower.follow(call, in: account) else { throw ExitCode.failure }
            }
    }
}

/// What can be said to a group call while it lasts, a line each.
enum GroupWish: Equatable, Sendable {
    /// Share the screen: what the desktop lets choose, or a test picture or film.
    case share(SharedScreen)
    case unshare
    case invite(String)
    case remove(String)
    case camera(Bool)
    case microphone(Bool)
    case hand(Bool)
    case hangUp

    /// All of them, for who mistypes.
    static let all = """
        invite NAME, remove NAME, share [test|file:PATH] [motion] [sound], unshare, camera on|off, microphone on|off, hand up|down, hangup
        """

    /// Reads a line; nil when it is none of ``all``.
    init?(line: String) {
        let words = line.split(separator: " ").map(String.init)
        let rest = words.dropFirst().joined(separator: " ")
        switch (words.first, rest) {
        case ("invite", let name) where !name.isEmpty: self = .invite(name)
        case ("remove", let name) where !name.isEmpty: self = .remove(name)
        case ("camera", "on"), ("camera", "off"): self = .camera(rest == "on")
        case ("microphone", "on"), ("microphone", "off"): self = .microphone(rest == "on")
        case ("hand", "up"), ("hand", "down"): self = .hand(rest == "up")
        case ("share", _):
            guard let screen = SharedScreen(words.dropFirst()) else { return nil }
            self = .share(screen)
        case ("unshare", ""): self = .unshare
        case ("hangup", ""): self = .hangUp
        default: return nil
        }
    }

    /// Does it.
    /// - Throws: what is to be told of a command that could not be followed.
    func perform(on call: GroupCall, in account: Account) async throws {
        switch self {
        case .invite(let name): try await account.invite(try await account.contact(named: name), to: call)
        case .remove(let name):
            for member in call.state.members where member.name == name { await call.remove(member.number) }
        case .share(let screen):
            await call.startScreen(screen.source, withSound: screen.withSound, content: screen.content)
        case .unshare: await call.stopScreen()
        case .camera(let isOn): await call.setCameraEnabled(isOn)
        case .microphone(let isOn): await call.setMicrophoneEnabled(isOn)
        case .hand(let isUp): await call.raiseHand(isUp)
        case .hangUp: await call.hangUp()
        }
    }
}
