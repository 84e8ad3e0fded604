import ArgumentParser
import Dispatch
import Foundation
import TerminalText

/// `parley-bench relay`.
struct RelayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relay",
        abstract: "Measures a relay of its own and, with --target, others beside it.",
        discussion: """
            Starts parley-relay and two processes that only move the same blocks over TLS, puts the same load on all, and \
            prints each figure with its ceiling and how many times it is away from it.
            """)

    @Option(help: ArgumentHelp("Another SMP relay to measure with the same load.", valueName: "smp://…"))
    var target: [TargetAddress] = []

    @Option(help: ArgumentHelp("Process of each target in turn, for its memory and processor time.", valueName: "pid"))
    var targetPid: [Int32] = []

    @Flag(help: "Leave out the relay of its own.")
    var onlyTarget = false

    @Flag(help: "Allow targets on other machines.")
    var allowRemote = false

    @Option(help: ArgumentHelp("Where the program parley-relay is, if not beside this one.", valueName: "file"))
    var relay: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Another argument for the relay of its own.", valueName: "argument"))
    var relayArgument: [String] = []

    @Option(help: ArgumentHelp("Numbers of connections to measure delivery at.", valueName: "n,…"))
    var connections: ConnectionCounts?

    @Option(help: ArgumentHelp("Length of each measurement. (default: 3)", valueName: "s"))
    var seconds: Double?

    @Option(help: ArgumentHelp("Idle subscribed queues. (default: 10000)", valueName: "n"))
    var queues: Int?

    @Option(help: ArgumentHelp("Stored queues altogether. (default: as --queues)", valueName: "n"))
    var stored: Int?

    @Option(help: ArgumentHelp("Where relays keep their state during the run.", valueName: "dir"))
    var directory: String?

    @Flag(help: "A run of a few seconds that shows every figure and proves none.")
    var quick = false

    @Flag(help: "Attack the relay instead, and tell what a well-behaved client sees meanwhile.")
    var hostile = false

    @Option(
        help: ArgumentHelp(
            "Attacks to make: \(Attack.allCases.map(\.rawValue).joined(separator: ", ")). (default: all)"))
    var attack: [Attack] = []

    @Flag(help: "Store queues, start anew, and tell what a client sees while all messages expire. (--stored: 1000000)")
    var expiry = false

    @Option(help: ArgumentHelp("What that relay's --memory is, in MiB. (default: 4096)", valueName: "n"))
    var memory: Int?

    @Flag(help: "Print JSON instead of the table.")
    var json = false

    var plan: LoadPlan {
        var plan = quick ? LoadPlan.quick : LoadPlan()
        if let connections { plan.connections = connections.counts }
        if let seconds { plan.seconds = seconds }
        if let queues {
            plan.queues = queues
            plan.stored = queues
        }
        if let stored { plan.stored = stored }
        return plan
    }

    private func attackRelay(_ folder: String) async throws {
        let benchmark = HostileBenchmark(
            seconds: quick ? 1 : seconds ?? 8, rest: quick ? 0 : 12, attacks: attack.isEmpty ? Attack.allCases : attack,
            program: try Programs.relay(relay), relayArguments: relayArgument, folder: folder
        ) { step in FileHandle.standardError.write(Data("parley-bench: \(step)\n".utf8)) }
        let report = try await benchmark.run()
        print(json ? try JSONText.lines(report) : report.text)
    }

    private func expire(_ folder: String) async throws {
        var plan = quick ? ExpiryBenchmark.Plan.quick : ExpiryBenchmark.Plan()
        if let stored { plan.queues = stored }
        if let seconds { plan.seconds = seconds }
        if let memory { plan.memory = memory }
        let report = try await ExpiryBenchmark(plan: plan, program: try Programs.relay(relay), folder: folder) { step in
            FileHandle.standardError.write(Data("parley-bench: \(step)\n".utf8))
        }.run()
        print(json ? try JSONText.lines(report) : report.text)
    }

    func validate() throws {
        if expiry, hostile || onlyTarget || !target.isEmpty || queues != nil {
            throw ValidationError(
                "--expiry goes with --stored, --memory, --seconds, --relay, --directory, --quick and --json only.")
        }
        if memory != nil, !expiry { throw ValidationError("--memory goes with --expiry only.") }
        if hostile, onlyTarget || !target.isEmpty {
            throw ValidationError("Only a relay that this program starts itself is attacked.")
        }
        if let seconds, !LoadPlan.Limits.seconds.contains(seconds) {
            throw ValidationError("A measurement takes from 0.1 to 120 seconds.")
        }
        if let queues, !LoadPlan.Limits.queues.contains(queues) {
            throw ValidationError("There can be from 1 to 100,000 idle queues.")
        }
        if let stored, !LoadPlan.Limits.stored.contains(stored) || !expiry && stored < plan.queues {
            throw ValidationError("Stored queues are at least the idle ones and at most 1,000,000.")
        }
        if onlyTarget, target.isEmpty { throw ValidationError("--only-target needs a --target.") }
        if targetPid.count > target.count { throw ValidationError("There are more --target-pid than --target.") }
        if !allowRemote, let remote = target.first(where: { !Subject.isLoopback($0.address) }) {
            throw ValidationError(BenchError.notLoopback(remote.address.hosts.joined(separator: ", ")).description)
        }
    }

    func run() async throws {
        raiseFileLimit()
        let interruption = Interruption()
        defer { interruption.cancel() }
        let folder = try TemporaryFolder(in: directory)
        if hostile { return try await attackRelay(folder.path) }
        if expiry { return try await expire(folder.path) }
        let benchmark = RelayBenchmark(
            plan: plan, program: onlyTarget ? nil : try Programs.relay(relay), relayArguments: relayArgument,
            targets: target.enumerated().map { index, target in
                .init(address: target.address, process: index < targetPid.count ? targetPid[index] : nil)
            }, folder: folder.path
        ) { step in FileHandle.standardError.write(Data("parley-bench: \(step)\n".utf8)) }
        let report = try await benchmark.run()
        print(json ? try JSONText.lines(report) : report.text)
    }
}

/// Ends the started relays when this program is interrupted.
final class Interruption {
    private let sources: [any DispatchSourceSignal]

    init() {
        sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                ServerProcess.stopAll()
                exit(128 + number)
            }
            source.activate()
            return source
        }
    }

    func cancel() { for source in sources { source.cancel() } }
}
