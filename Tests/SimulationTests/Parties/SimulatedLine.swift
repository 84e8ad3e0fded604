import BaseKit
import SMP

@testable import Agent
@testable import SMPSession
@testable import SMPTransport

/// An agent's line to a relay of its world: what `RelayClient` is in the real one.
actor SimulatedLine: RelayLink, ForwardingClient {
    nonisolated let state: LineState
    nonisolated let address: RelayAddress
    let versions: SMPVersionRange
    var proxySessions = ProxySessions<Wire>()

    nonisolated var unownedExecutor: UnownedSerialExecutor { state.executor.asUnownedSerialExecutor() }
    nonisolated var events: PacedStream<RelayEvent> { state.events }

    init(_ state: LineState, to address: RelayAddress, versions: SMPVersionRange) {
        self.state = state
        self.address = address
        self.versions = versions
    }

    var version: SMPVersion? { state.version }

    func start() { state.start() }

    func stop() { state.stop() }

    func reconnectNow() { state.reconnectNow() }

    func request(_ request: RelayRequest) async throws(RelayRequestError) -> BrokerMessage {
        guard let result = await requests([request]).first else { throw .unexpectedResponse }
        return try result.get()
    }

    func request(
        _ request: RelayRequest, throughTo destination: RelayAddress
    ) async throws(ProxiedRequestError) -> BrokerMessage {
        state.onRequest(request)
        do throws(ProxiedRequestError) {
            return try await forward(request, to: destination)
        } catch .broker where state.believesBrokerErrors {
            return .ok
        } catch {
            throw error
        }
    }

    func connection() async -> Result<Wire, TransportError> {
        await withCheckedContinuation { continuation in state.withWire { continuation.resume(returning: $0) } }
    }

    func requests(_ requests: [RelayRequest]) async -> [Result<BrokerMessage, RelayRequestError>] {
        guard !requests.isEmpty else { return [] }
        return await withCheckedContinuation { continuation in
            state.submit(requests) { continuation.resume(returning: $0) }
        }
    }
}

extension Wire: ForwardingConnection {
    func request(_ request: RelayRequest) async throws(RelayRequestError) -> BrokerMessage {
        let results = await withCheckedContinuation { continuation in
            submit([request]) { continuation.resume(returning: $0) }
        }
        guard let result = results.first else { throw .unexpectedResponse }
        return try result.get()
    }
}

/// What that line does: connects, connects again, sends what it is given. On the world's thread only.
final class LineState: WireHolder, @unchecked Sendable {
    typealias Results = [Result<BrokerMessage, RelayRequestError>]

    private enum State {
        case idle
        case connecting
        case connected(Wire)
        case waiting(TransportError)
        case stopped
    }

    let executor: WorldExecutor
    let events: PacedStream<RelayEvent>
    let relay: SimulatedRelay
    /// A fault to see that the simulation notices: a request whose answer is lost counts as done.
    let believesLostAnswers: Bool
    /// The same: a request that a proxy could not bring to the relay behind it counts as done.
    let believesBrokerErrors: Bool
    let isProxy = false
    /// Hears of what is asked, and of what is answered.
    var onRequest: (RelayRequest) -> Void = { _ in }
    var onAnswer: (RelayRequest, Result<BrokerMessage, RelayRequestError>) -> Void = { _, _ in }
    private let scheduler: Scheduler
    private let continuation: PacedStream<RelayEvent>.Continuation
    private var state = State.idle
    private var attempt = 0
    private var backoff = ReconnectBackoff()
    private var waiters: [(Result<Wire, TransportError>) -> Void] = []

    init(
        to relay: SimulatedRelay, _ scheduler: Scheduler, believesLostAnswers: Bool = false,
        believesBrokerErrors: Bool = false
    ) {
        self.relay = relay
        self.believesLostAnswers = believesLostAnswers
        self.believesBrokerErrors = believesBrokerErrors
        self.scheduler = scheduler
        executor = WorldExecutor(scheduler)
        (events, continuation) = PacedStream.makeStream(limit: .max)
    }

    var wire: Wire? { if case .connected(let wire) = state { wire } else { nil } }
    var version: SMPVersion? { wire?.version }

    func start() {
        guard case .idle = state else { return }
        connect()
    }

    func stop() {
        if case .stopped = state { return }
        let last = wire
        state = .stopped
        attempt += 1
        last?.closeByClient()
        release(.failure(.closed))
        continuation.finish()
    }

    func reconnectNow() {
        backoff.reset()
        if case .waiting = state { connect() }
    }

    func submit(_ requests: [RelayRequest], _ completion: @escaping (Results) -> Void) {
        if case .stopped = state {} else { for request in requests { onRequest(request) } }
        let (onAnswer, last) = (onAnswer, believesLostAnswers ? Self.believing(completion) : completion)
        let completion: (Results) -> Void = { results in
            for (request, result) in zip(requests, results) { onAnswer(request, result) }
            last(results)
        }
        withWire { result in
            switch result {
            case .success(let wire): wire.submit(requests, completion)
            case .failure(let reason): completion(requests.map { _ in .failure(.notConnected(reason)) })
            }
        }
    }

    /// Calls `body` with the present connection, or the one that is being made; or with why there is none.
    func withWire(_ body: @escaping (Result<Wire, TransportError>) -> Void) {
        switch state {
        case .connected(let wire): body(.success(wire))
        case .connecting: waiters.append(body)
        case .waiting(let reason): body(.failure(reason))
        case .idle, .stopped: body(.failure(.closed))
        }
    }

    private static func believing(_ completion: @escaping (Results) -> Void) -> (Results) -> Void {
        { results in
            completion(
                results.map { result in
                    if case .failure(.interrupted) = result { .success(.ok) } else { result }
                })
        }
    }

    // MARK: The connection's life

    private func connect() {
        state = .connecting
        attempt += 1
        relay.connect(self, attempt: attempt)
    }

    func wants(_ attempt: Int) -> Bool {
        if case .connecting = state { self.attempt == attempt } else { false }
    }

    func isReady(_ wire: Wire, _ version: SMPVersion) {
        guard wants(wire.attempt) else { return wire.closeByClient() }
        state = .connected(wire)
        backoff.reset()
        release(.success(wire))
        continuation.yield(.up(version))
    }

    func happened(_ event: RelayEvent) { continuation.yield(event) }

    func lost(_ wire: Wire, _ reason: TransportError) {
        switch state {
        case .connected(let present) where present === wire: failed(reason)
        case .connecting where attempt == wire.attempt: failed(reason)
        case .connected, .connecting, .idle, .waiting, .stopped: break
        }
    }

    func failed(_ reason: TransportError) {
        if case .stopped = state { return }
        state = .waiting(reason)
        release(.failure(reason))
        continuation.yield(.down(reason))
        let attempt = attempt
        let delay = backoff.next(random: Double(scheduler.number(0...1_000)) / 1_000)
        scheduler.after(delay.wholeMilliseconds) { [self] in
            if case .waiting = state, self.attempt == attempt { connect() }
        }
    }

    private func release(_ result: Result<Wire, TransportError>) {
        let all = waiters
        waiters = []
        for body in all { body(result) }
    }
}
