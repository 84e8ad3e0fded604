import ArgumentParser
import CallControl
import Portal
import Wording

/// `parley-cli service`: the Parley that runs in this session, with its windows or without.
struct ServiceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service", abstract: "Look at, start or end the Parley that runs in this session.",
        discussion: """
            “status” ends with 0 only when it runs. “start” does nothing when it runs already, and “stop” nothing when it \
            does not.
            """)

    /// What is wanted.
    enum Action: String, CaseIterable, ExpressibleByArgument {
        case status, start, stop
    }

    @Argument(help: "What to do: status, start or stop.")
    var action: Action

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let printer = EventPrinter(isJSON: output.isJSON)
        try await Session.untilInterrupted(printer) { [action] in
            let bus = try await Bus.session()
            let application = ApplicationClient(bus: bus)
            switch action {
            case .status: break
            case .start: try await application.start()
            case .stop:
                do { try await application.stop() } catch ServiceError.notRunning {}
            }
            let status = try await application.status()
            await printer.service(status, on: bus)
            guard action == .stop || status != .notRunning else { throw ExitCode.failure }
        }
    }
}

extension EventPrinter {
    /// The last line of the command.
    fileprivate func service(_ status: ApplicationClient.Status, on bus: Bus) async {
        guard case .running(let processID) = status else {
            return last("service", ["state": "stopped"], sentence: .tr("Parley is not running in this session."))
        }
        var fields: Fields = ["state": "running", "process": .number(Int(processID))]
        var sentences: [PlainLine] = [.tr("Parley is running (process %s).", processID)]
        do {
            let reachability = try await CallsClient(bus: bus).reachability()
            fields["reachable"] = .boolean(reachability == .yes)
            if reachability != .yes { fields["reason"] = reachability == .no ? "none" : .string(reachability.rawValue) }
            sentences.append(PlainLine(reachability.sentence))
        } catch {
            // It may not let others control calls.
            fields["message"] = .string(Wording.sentence(of: error))
            sentences.append(PlainLine(Wording.sentence(of: error)))
        }
        last("service", fields, sentence: PlainLine(joining: sentences))
    }
}
