import ArgumentParser
import CallControl
import Parley
import Wording

/// `parley-cli busy [on|off]`: whether everybody who calls is told at once that the person is busy.
struct Busy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Tell everybody who calls at once that you are busy, or take calls again.",
        discussion: "The profile remembers it. Without on or off it is only said.")

    /// What is wanted.
    enum Choice: String, CaseIterable, ExpressibleByArgument {
        case on, off
    }

    @Argument(help: ArgumentHelp("on or off.", valueName: "on|off"))
    var choice: Choice?

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let (printer, wanted) = (EventPrinter(isJSON: output.isJSON), choice.map { $0 == .on })
        var session = Session(profile: profile, printer: printer)
        session.otherwise = { holder in
            let client = try await CallsClient(bus: holder.bus)
            if let wanted { try await client.setBusy(wanted) }
            printer.busy(try await client.isBusy())
        }
        try await session.run { account in
            if let wanted { try await account.setBusyByChoice(wanted) }
            printer.busy(await account.isBusyByChoice == true)
        }
    }
}

extension EventPrinter {
    /// The last line of the command.
    fileprivate func busy(_ isBusy: Bool) {
        last(
            "busy", ["state": .string(isBusy ? "on" : "off")],
            sentence: isBusy ? .tr("Who calls is told that you are busy.") : .tr("You take calls."))
    }
}
