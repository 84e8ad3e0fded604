import BaseKit
import SMP
import SMPSession
import SMPTransport

/// A well-behaved client: asks PING on a standing connection and makes new ones, and notes how long both take. To the relay it
/// is as much a stranger as the attackers are.
final class Bystander: Sendable {
    private static let transport: TransportConfiguration = {
        var configuration = Subject.transport
        configuration.localAddress = "127.0.0.6"
        return configuration
    }()

    private struct State {
        var pings = LatencyHistogram()
        var connects = LatencyHistogram()
        var failures = 0
        var isOver = false
    }

    private let relay: RelayAddress
    private let state = Lock(State())

    init(relay: RelayAddress) { self.relay = relay }

    var pings: LatencyHistogram { state.withLock { $0.pings } }
    var connects: LatencyHistogram { state.withLock { $0.connects } }
    /// Connections and commands that came to nothing.
    var failures: Int { state.withLock { $0.failures } }

    /// Asks until ``stop()``, and at least once.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { [self] in await ping() }
            group.addTask { [self] in await connect() }
        }
    }

    func stop() { state.withLock { $0.isOver = true } }

    private var isOver: Bool { state.withLock { $0.isOver } }

    /// Asks PING alone until ``stop()``, and at least once.
    func ping() async {
        guard let connection = try? await RelayConnection.connect(to: relay, configuration: Self.transport) else {
            return state.withLock { $0.failures += 1 }
        }
        repeat {
            await note(\.pings) { try await connection.request(RelayRequest(.ping)) == .pong }
            try? await Task.sleep(for: .milliseconds(20))
        } while !isOver
        await connection.close()
    }

    private func connect() async {
        repeat {
            await note(\.connects) { [relay] in
                let connection = try await RelayConnection.connect(to: relay, configuration: Self.transport)
                let answer = try await connection.request(RelayRequest(.ping))
                await connection.close()
                return answer == .pong
            }
            try? await Task.sleep(for: .milliseconds(100))
        } while !isOver
    }

    private func note(
        _ histogram: WritableKeyPath<State, LatencyHistogram> & Sendable, _ body: () async throws -> Bool
    ) async {
        let start = Instant.now
        let isGood = (try? await body()) ?? false
        let time = (Instant.now - start).wholeNanoseconds
        state.withLock { state in
            if isGood { state[keyPath: histogram].record(time) } else { state.failures += 1 }
        }
    }
}

/// The most memory a process had.
final class MemoryWatch: Sendable {
    private let process: Int32
    private let most = Lock(0)

    init(process: Int32) { self.process = process }

    var now: Int { ProcessStatistics.read(process: process)?.residentBytes ?? 0 }
    var peak: Int { most.withLock { $0 } }

    /// Looks until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            let bytes = now
            most.withLock { $0 = max($0, bytes) }
            try? await Task.sleep(for: .milliseconds(50))
        }
    }
}
