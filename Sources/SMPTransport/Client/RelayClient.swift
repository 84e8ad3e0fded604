import BaseKit
import Logging
import SMP
import SMPSession

/// Keeps one connection to a relay alive: connects, tells of what happens, connects again.
///
/// It does not subscribe again by itself: whoever owns the queues does so at each `up`.
public actor RelayClient {
    private enum State {
        case idle
        case connecting
        case connected(RelayConnection)
        case waiting(TransportError)
        case stopped
    }

    /// The relay.
    public nonisolated let address: RelayAddress
    /// Every connection's events, from `up` to `down`, and a `down` for each failed attempt. For one reader; while it is
    /// behind nothing more is read from the relay, responses included.
    public nonisolated let events: PacedStream<RelayEvent>

    let configuration: TransportConfiguration
    package var proxySessions = ProxySessions<RelayConnection>()
    private let continuation: PacedStream<RelayEvent>.Continuation
    private var state = State.idle
    private var backoff: ReconnectBackoff
    /// Whether the last connection ended because the relay broke the protocol: the next attempts come ever later.
    private var isDistrusted = false
    private var worker: Task<Void, Never>?
    private var pause: Task<Void, Never>?
    /// The attempts to connect that are under way, side by side.
    private var attempts: Attempts?
    var hurryUntil: Instant?
    var hurrying: Task<Void, Never>?
    private var waiters: [CheckedContinuation<Result<RelayConnection, TransportError>, Never>] = []

    public init(address: RelayAddress, configuration: TransportConfiguration = TransportConfiguration()) {
        self.address = address
        self.configuration = configuration
        backoff = configuration.backoff
        (events, continuation) = PacedStream.makeStream(bytes: RelayConnection.backlog)
    }

    deinit {
        worker?.cancel()
        hurrying?.cancel()
        continuation.finish()
    }

    /// The version of the present connection, nil without one.
    public var version: SMPVersion? {
        if case .connected(let connection) = state { connection.version } else { nil }
    }

    /// Begins to connect; does nothing the second time.
    public func start() {
        guard case .idle = state else { return }
        state = .connecting
        worker = Task { [weak self] in
            while let self, await self.connectOnce() {}
        }
    }

    /// Ends the connection for good; the events end.
    public func stop() async {
        let last = state
        state = .stopped
        worker?.cancel()
        hurrying?.cancel()
        pause?.cancel()
        resumeWaiters(.failure(.closed))
        if case .connected(let connection) = last { await connection.close() }
        continuation.finish()
    }

    /// Tries again now instead of after the delay, for instance because the network came back.
    public func reconnectNow() {
        backoff.reset()
        pause?.cancel()
    }

    /// Sends one request; waits for a connection that is being made for the first time or anew.
    ///
    /// - Throws: `RelayRequestError`: `.notConnected` at once while the relay is known to be out of reach.
    public func request(_ request: RelayRequest) async throws(RelayRequestError) -> BrokerMessage {
        guard let result = await requests([request]).first else { throw .unexpectedResponse }
        return try result.get()
    }

    /// Sends requests together; see `RelayConnection.requests`.
    public func requests(_ requests: [RelayRequest]) async -> [Result<BrokerMessage, RelayRequestError>] {
        switch await connection() {
        case .success(let connection): await connection.requests(requests)
        case .failure(let reason): requests.map { _ in .failure(.notConnected(reason)) }
        }
    }

    package func connection() async -> Result<RelayConnection, TransportError> {
        switch state {
        case .connected(let connection): .success(connection)
        case .waiting(let reason): .failure(reason)
        case .idle, .stopped: .failure(.closed)
        case .connecting: await withCheckedContinuation { waiters.append($0) }
        }
    }

    /// One connection from attempt to end and the pause after it; false when the client has been stopped.
    private func connectOnce() async -> Bool {
        guard !isStopped else { return false }
        state = .connecting
        let failure: TransportError
        switch await dial() {
        case .success(let connection):
            guard !isStopped else {
                await connection.close()
                return false
            }
            failure = await serve(connection)
        case .failure(let error): failure = error
        }
        guard !isStopped else { return false }
        configuration.logger.info("Relay connection down", metadata: ["relay": "\(address)", "reason": "\(failure)"])
        if case .protocolViolation = failure { isDistrusted = true }
        state = .waiting(failure)
        resumeWaiters(.failure(failure))
        continuation.yield(.down(failure))
        await wait()
        return !isStopped
    }

    /// Attempts side by side, of which the first that succeeds is taken.
    private struct Attempts {
        let tell: AsyncStream<Attempt>.Continuation
        var underWay = 0
        var hurried = 0
    }

    /// What became of one.
    private struct Attempt: Sendable {
        var outcome: Result<RelayConnection, TransportError>
        var isHurried: Bool
    }

    /// Connects, by more than one attempt if it comes to be in a hurry meanwhile.
    private func dial() async -> Result<RelayConnection, TransportError> {
        let (ended, tell) = AsyncStream<Attempt>.makeStream()
        attempts = Attempts(tell: tell)
        defer { attempts = nil }
        beginAttempt()
        for await attempt in ended {
            attempts?.underWay -= 1
            if attempt.isHurried { attempts?.hurried -= 1 }
            // What is connected later is closed with its last reference.
            if case .success = attempt.outcome { return attempt.outcome }
            guard attempts?.underWay ?? 0 > 0 else { return attempt.outcome }
            try? await Task.sleep(for: Hurry.pause)
            hastenAttempt()
        }
        return .failure(.closed)
    }

    private func beginAttempt() {
        guard let tell = attempts?.tell else { return }
        let (configuration, isHurried) = (presentConfiguration, self.isHurried)
        attempts?.underWay += 1
        if isHurried { attempts?.hurried += 1 }
        Task { [address] in
            let outcome: Result<RelayConnection, TransportError>
            do throws(TransportError) {
                outcome = .success(try await RelayConnection.connect(to: address, configuration: configuration))
            } catch {
                outcome = .failure(error)
            }
            tell.yield(Attempt(outcome: outcome, isHurried: isHurried))
        }
    }

    /// In a hurry, does not wait for an attempt that has long to wait, as one whose packets were lost before the machine slept: another
    /// one begins beside it.
    func hastenAttempt() {
        guard isHurried, let attempts, attempts.underWay > 0, attempts.hurried == 0 else { return }
        beginAttempt()
    }

    private func serve(_ connection: RelayConnection) async -> TransportError {
        state = .connected(connection)
        if !isDistrusted { backoff.reset() }
        isDistrusted = false
        resumeWaiters(.success(connection))
        configuration.logger.debug(
            "Relay connection up", metadata: ["relay": "\(address)", "version": "\(connection.version)"])
        for await event in connection.events {
            if case .down(let reason) = event { return reason }
            if !continuation.yield(event) { await continuation.room() }
        }
        return .closed
    }

    private func wait() async {
        let usual = backoff.next(random: Double.random(in: 0...1))
        let delay = isHurried && !isDistrusted ? min(usual, Hurry.pause) : usual
        let sleep = Task { _ = try? await Task.sleep(for: delay) }
        pause = sleep
        await sleep.value
    }

    var present: RelayConnection? { if case .connected(let connection) = state { connection } else { nil } }

    private var isStopped: Bool { if case .stopped = state { true } else { false } }

    private func resumeWaiters(_ result: Result<RelayConnection, TransportError>) {
        let all = waiters
        waiters = []
        for waiter in all { waiter.resume(returning: result) }
    }
}
