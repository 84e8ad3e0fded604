import BaseKit
import SMP

@testable import Agent
@testable import SMPSession
@testable import SMPTransport

/// An agent's line to a relay of its world: what `RelayClient` is in the real one.
actor SimulatedLine: RelayLink {
    nonisolated let state: LineState

    nonisolated var unownedExecutor: UnownedSerialExecutor { state.executor.asUnownedSerialExecutor() }
    nonisolated var events: PacedStream<RelayEvent> { state.events }

    init(_ state: LineState) { self.state = state }

    var version: SMPVersion? { state.version }

    func start() { state.start() }

    func stop() { state.stop() }

    func reconnectNow() { state.reconnectNow() }

    func request(_ request: RelayRequest) async throws(RelayRequestError) -> BrokerMessage {
        guard let result = await requests([request]).first else { throw .unexpectedResponse }
        return try result.get()
    }

    /// Both relays are everybody's own, so nothing is ever hidden from them.
    func request(
        _ request: RelayRequest, throughTo destination: RelayAddress
    ) async throws(ProxiedRequestError) -> BrokerMessage {
        throw .notForwarding
    }

    func requests(_ requests: [RelayRequest]) async -> [Result<BrokerMessage, RelayRequestError>] {
        guard !requests.isEmpty else { return [] }
        return await withCheckedContinuation { continuation in
            state.submit(requests) { continuation.resume(returning: $0) }
        }
    }
}

/// What that line does: connects, connects again, sends what it is given. On the world's thread only.
final class LineState: @unchecked Sendable {
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
    /// Hears of what is asked, and of what is answered.
    var onRequest: (RelayRequest) -> Void = { _ in }
    var onAnswer: (RelayRequest, Result<BrokerMessage, RelayRequestError>) -> Void = { _, _ in }
    private let scheduler: Scheduler
    private let continuation: PacedStream<RelayEvent>.Continuation
    private var state = State.idle
    private var attempt = 0
    private var backoff = ReconnectBackoff()
    private var waiters: [(requests: [RelayRequest], completion: (Results) -> Void)] = []

    init(to relay: SimulatedRelay, _ scheduler: Scheduler, believesLostAnswers: Bool = false) {
        self.relay = relay
        self.believesLostAnswers = believesLostAnswers
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
        switch state {
        case .connected(let wire): wire.submit(requests, completion)
        case .connecting: waiters.append((requests, completion))
        case .waiting(let reason): completion(requests.map { _ in .failure(.notConnected(reason)) })
        case .idle, .stopped: completion(requests.map { _ in .failure(.notConnected(.closed)) })
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

    /// Whether this attempt still matters.
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

    /// A connection ended, or its hellos were never finished.
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
        for (requests, completion) in all {
            switch result {
            case .success(let wire): wire.submit(requests, completion)
            case .failure(let reason): completion(requests.map { _ in .failure(.notConnected(reason)) })
            }
        }
    }
}
