import Foundation
import SMP

/// The whole of `parley-bench relay`.
struct RelayBenchmark {
    /// A relay that is already running somewhere.
    struct Target: Sendable {
        let address: RelayAddress
        let process: Int32?
    }

    let plan: LoadPlan
    /// The program of the own relay; nil to leave it out.
    let program: URL?
    let relayArguments: [String]
    let targets: [Target]
    /// Where relays keep their state and the disk is measured.
    let folder: String
    let progress: @Sendable (String) -> Void

    private static let ownName = "parley-relay"

    func run() async throws(BenchError) -> Report {
        var report = Report(
            processors: ProcessInfo.processInfo.activeProcessorCount, seconds: plan.seconds, notes: Self.notes)
        progress("disk")
        let diskRate = try DiskRate.measure(folder: folder, seconds: plan.seconds)
        let tls = try startMirror("mirror", "9-10")
        defer { tls.stop() }
        let blocks = try startMirror("mirror with block encryption", "9-14")
        defer { blocks.stop() }
        try await deliver(&report, tls: mirror(tls), blocks: mirror(blocks), diskRate)
        try await grow(&report)
        return report
    }

    private func deliver(
        _ report: inout Report, tls: Subject, blocks: Subject, _ diskRate: Double
    ) async throws(BenchError) {
        let own = try startRelay("load")
        defer { own?.stop() }
        let relays = (own.map { [subject($0)] } ?? []) + targetSubjects
        for connections in plan.connections {
            progress("delivery over \(NumberText.grouped(connections)) connections")
            report.figures += try await DeliveryRun(
                plan: plan, connections: connections, tls: tls, blocks: blocks, relays: relays, diskRate: diskRate
            ).figures()
        }
        report.figures += Self.growthWithConnections(report.figures)
        progress("creation of queues")
        report.figures += try await CreationRun(plan: plan, tls: tls, relays: relays).figures()
    }

    /// What a message costs at each number of connections, against the first number.
    static func growthWithConnections(_ figures: [Figure]) -> [Figure] {
        let costs = figures.filter { $0.name == FigureName.processor && $0.ceiling.name == CeilingName.tls }
        return costs.compactMap { cost in
            guard let first = costs.first(where: { $0.subject == cost.subject }) else { return nil }
            return Figure(
                FigureName.growthConnections, of: cost.subject, load: cost.load, value: cost.value, unit: cost.unit,
                better: cost.better, ceiling: .init(CeilingName.connections(first.load), first.value))
        }
    }

    /// Memory and growth, each at a fresh relay where it is ours.
    private func grow(_ report: inout Report) async throws(BenchError) {
        let idle = NumberText.grouped(plan.queues)
        let stored = NumberText.grouped(plan.growthSizes.last ?? 0)
        if let own = try startRelay("memory") {
            defer { own.stop() }
            progress("memory of \(idle) idle queues")
            report.figures += try await MemoryRun(plan: plan, relay: subject(own)).figures()
        }
        if let own = try startRelay("growth") {
            defer { own.stop() }
            progress("growth to \(stored) stored queues")
            report.figures += try await GrowthRun(plan: plan, relay: subject(own)).figures()
        }
        for target in targetSubjects {
            progress("memory and growth of \(target.name)")
            report.figures += try await MemoryRun(plan: plan, relay: target).figures()
            report.figures += try await GrowthRun(plan: plan, relay: target).figures()
        }
    }

    private var targetSubjects: [Subject] {
        targets.enumerated().map { index, target in
            Subject(
                name: targets.count == 1 ? "target" : "target \(index + 1)", address: target.address, isMirror: false,
                process: target.process)
        }
    }

    private func subject(_ own: ServerProcess) -> Subject {
        Subject(name: Self.ownName, address: own.address, isMirror: false, process: own.identifier)
    }

    private func mirror(_ own: ServerProcess) -> Subject {
        Subject(name: "mirror", address: own.address, isMirror: true, process: own.identifier)
    }

    private func startRelay(_ name: String) throws(BenchError) -> ServerProcess? {
        guard let program else { return nil }
        return try ServerProcess.start(
            program,
            ["--listen", "127.0.0.1:0", "--state", "\(folder)/\(name)", "--log-level", "error"] + relayArguments)
    }

    private func startMirror(_ name: String, _ versions: String) throws(BenchError) -> ServerProcess {
        try ServerProcess.start(
            Programs.own, ["mirror", "--state", "\(folder)/\(name)", "--versions", versions])
    }

    private static let notes = [
        "load, relay and ceilings share the processors, so only ratios travel from one machine to another.",
        "\"times away\" is 1 at the ceiling and 2 where a figure is half as good.",
        "latency is measured at half the rate of the slowest subject, from the moment a message was due.",
    ]
}
