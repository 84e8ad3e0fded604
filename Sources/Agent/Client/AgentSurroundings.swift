import Foundation
import SMP
import SMPSession
import SMPTransport

/// What an agent takes from the world besides its store: time, chance, a thread and lines to relays.
///
/// A simulation brings its own, so that a whole run follows from one seed.
struct AgentSurroundings: Sendable {
    var clock: any AgentClock
    /// Random bits for delays and choices; keys are made elsewhere.
    var chance: Chance
    /// Where the agent runs.
    var executor: any SerialExecutor
    var makeLine: @Sendable (RelayAddress, TransportConfiguration) -> any RelayLink
    var notePace = NoteSchedule.Pace()

    /// The real world, with a thread for one agent.
    static func system() -> AgentSurroundings {
        AgentSurroundings(
            clock: SystemClock(), chance: .system, executor: StoreExecutor(),
            makeLine: { RelayClient(address: $0, configuration: $1) })
    }
}

/// Time as an agent sees it.
protocol AgentClock: Sendable {
    /// Milliseconds since 1970.
    var now: Int64 { get }

    /// Waits on the caller's own thread of control.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func sleep(milliseconds: Int64, isolation: isolated (any Actor)?) async throws
}

/// The clock on the wall.
struct SystemClock: AgentClock {
    var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    func sleep(milliseconds: Int64, isolation: isolated (any Actor)?) async throws {
        try await Task.sleep(for: .milliseconds(milliseconds))
    }
}

/// A source of chance that can be shared.
struct Chance: RandomNumberGenerator, Sendable {
    let bits: @Sendable () -> UInt64

    static let system = Chance {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }

    mutating func next() -> UInt64 { bits() }

    /// From 0 to 1.
    func fraction() -> Double {
        var generator = self
        return Double.random(in: 0...1, using: &generator)
    }
}

/// A line to one relay as an agent needs it; see `RelayClient`.
protocol RelayLink: Sendable {
    var events: PacedStream<RelayEvent> { get }
    var version: SMPVersion? { get async }

    func start() async
    func stop() async
    func reconnectNow() async
    /// See `RelayClient.hurry`.
    func hurry(for duration: Duration) async
    func request(_ request: RelayRequest) async throws(RelayRequestError) -> BrokerMessage
    func requests(_ requests: [RelayRequest]) async -> [Result<BrokerMessage, RelayRequestError>]
    func request(
        _ request: RelayRequest, throughTo destination: RelayAddress
    ) async throws(ProxiedRequestError) -> BrokerMessage
}

extension RelayLink {
    /// A line that can't die unnoticed has no need to.
    func hurry(for duration: Duration) async {}
}

extension RelayClient: RelayLink {}
