import BaseKit
import Cryptography
import Foundation
import SMP
import SMPSession
import SMPTransport

/// The whole of `parley-bench relay --expiry`: a relay that keeps many queues, some of which hold a message, is started anew and finds
/// all messages too old. Beside it stands a relay that keeps nothing, which has the same neighbours.
struct ExpiryBenchmark {
    /// How much is kept, and how long is looked at it.
    struct Plan: Equatable, Sendable {
        var queues = 1_000_000
        /// Of so many queues one holds a message of 16 kB.
        var queuesPerMessage = 20
        /// After the start, in seconds: long enough for a minute's housekeeping.
        var seconds = 75.0
        /// What messages live, in seconds.
        var lifetime = 20
        /// MiB, of which half is for queues.
        var memory = 4_096

        static let quick = Plan(queues: 2_048, queuesPerMessage: 16, seconds: 4, lifetime: 2, memory: 64)
    }

    private static let stations = 16
    /// Queues with a message that are looked at in the end.
    private static let sample = 200

    let plan: Plan
    let program: URL
    let folder: String
    let progress: @Sendable (String) -> Void

    func run() async throws -> ExpiryReport {
        var report = ExpiryReport(processors: ProcessInfo.processInfo.activeProcessorCount, plan: plan)
        progress("storing \(NumberText.grouped(plan.queues)) queues")
        let filled = try await fill(&report)
        progress("starting anew")
        let begin = Instant.now
        let relay = try start("full", ["--message-ttl", "\(plan.lifetime)"])
        report.startSeconds = (Instant.now - begin).inSeconds
        defer { relay.stop() }
        report.restarted = .read(process: relay.identifier)
        let other = try start("empty", [])
        defer { other.stop() }
        progress("asking for \(Int(plan.seconds)) s")
        let (full, empty) = (Bystander(relay: relay.address), Bystander(relay: other.address))
        async let first: Void = full.ping()
        async let second: Void = empty.ping()
        try await Task.sleep(for: .seconds(plan.seconds))
        full.stop()
        empty.stop()
        _ = await (first, second)
        guard full.failures == 0, empty.failures == 0 else { throw BenchError.setUp("PING was not answered.") }
        report.full = .init(full.pings)
        report.empty = .init(empty.pings)
        report.settled = .read(process: relay.identifier)
        try await expectEmpty(filled, relay)
        return report
    }

    private func start(_ name: String, _ arguments: [String]) throws(BenchError) -> ServerProcess {
        try ServerProcess.start(
            program,
            [
                "--listen", "127.0.0.1:0", "--state", "\(folder)/\(name)", "--log-level", "error", "--memory",
                "\(plan.memory)", "--expiry-interval", "\(max(1, plan.lifetime / 2))",
            ] + arguments)
    }

    // MARK: What is kept

    /// Queues that hold a message, with their owners' key.
    private struct Filled: Sendable {
        var queues: [EntityID] = []
        var key: AuthenticationPrivateKey?
    }

    private func fill(_ report: inout ExpiryReport) async throws -> [Filled] {
        let relay = try start("full", [])
        defer { relay.stop() }
        let begin = Instant.now
        let subject = Subject(name: "parley-relay", address: relay.address, isMirror: false, process: relay.identifier)
        let (fleet, _) = try await Fleet.connect(Self.stations, to: subject)
        let plan = plan
        let results = await withTaskGroup(of: Result<Filled, BenchError>.self) { group in
            for station in fleet.stations {
                group.addTask {
                    await Self.fill(station, plan.queues / Self.stations, messageEvery: plan.queuesPerMessage)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        // So that every message is older than it may be once the relay is started anew.
        try await Task.sleep(for: .seconds(plan.lifetime))
        await fleet.close()
        let filled = try results.map { try $0.get() }
        report.messages = filled.reduce(0) { $0 + $1.queues.count }
        report.fillSeconds = (Instant.now - begin).inSeconds
        report.filled = .read(process: relay.identifier)
        return filled
    }

    private static func fill(
        _ station: Station, _ count: Int, messageEvery step: Int
    ) async -> Result<Filled, BenchError> {
        var filled = Filled(key: station.keys.recipient)
        var made = 0
        do throws(BenchError) {
            while made < count {
                let queues = try await station.makeQueues(
                    min(Fleet.batch, count - made), subscribed: false, secured: false)
                let chosen = queues.enumerated().filter { (made + $0.offset).isMultiple(of: step) }.map(\.element)
                made += queues.count
                let requests = chosen.map {
                    RelayRequest(.send(notify: false, body: Fleet.body), entity: $0.senderID)
                }
                for case .failure(let error) in await station.connection.requests(requests) {
                    throw .setUp("\(error)")
                }
                filled.queues += chosen.map(\.recipientID)
            }
            return .success(filled)
        } catch {
            return .failure(error)
        }
    }

    /// Looks at some of the queues that held a message.
    private func expectEmpty(_ filled: [Filled], _ relay: ServerProcess) async throws {
        let connection = try await RelayConnection.connect(to: relay.address, configuration: Subject.transport)
        for part in filled {
            let some = part.queues.prefix(Self.sample / filled.count + 1)
            let requests = some.map { RelayRequest(.get, entity: $0, key: part.key) }
            for result in await connection.requests(requests) where result != .success(.ok) {
                throw BenchError.setUp("A queue that held a message is not empty in the end.")
            }
        }
        await connection.close()
    }
}
