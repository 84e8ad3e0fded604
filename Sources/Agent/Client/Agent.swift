import AgentProtocol
import BaseKit
import Cryptography
import Foundation
import Logging
import SMP
import SMPTransport

/// Duplex encrypted connections over relays: makes and joins links, sends and receives messages in order and once, keeps
/// everything it needs to go on in a sealed store.
///
/// Every step is on disk before anything is sent or told because of it.
public actor Agent {
    enum Phase {
        case ready
        case running
        case stopped
    }

    /// What happens, in order, from before anybody listens. For one reader; ends with `stop`. While the reader is far
    /// behind, nothing more is taken from relays.
    public nonisolated let events: PacedStream<AgentEvent>

    var configuration: AgentConfiguration
    let surroundings: AgentSurroundings
    nonisolated let store: AgentStore
    let logger: Logger
    var phase = Phase.ready
    var runtimes: [ConnectionID: ConnectionRuntime] = [:]
    var places: [ReceiveQueueName: ReceiveQueuePlace] = [:]
    /// The other way round: by the queue's number in the store.
    var names: [Int64: ReceiveQueueName] = [:]
    var lines: [RelayAddress: RelayLine] = [:]
    var routing = RoutingMemory()
    var outage = StoreOutage()
    /// Connections that have gone from the relays and from the store.
    nonisolated let deletions = Broadcaster<Void>()
    /// Whether what the store holds was taken up.
    var hasBegun = false
    /// Whether it is known what the store is, or does not matter any more.
    var isSettled = false
    var notes: NoteKeeping
    /// Waits to empty the store's log.
    var emptying: Task<Void, Never>?
    /// Queues of contact addresses whose next request was left with the relay.
    var fullAddresses: Set<ReceiveQueueName> = []
    var heldRequests = 0
    /// How far the queues were read.
    nonisolated let reading = ReadingProgress()

    /// Tells the application; see `tell`.
    nonisolated let continuation: PacedStream<AgentEvent>.Continuation
    private var stopping: Task<Void, Never>?

    /// The agent's own queue: its steps wait for the disk.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        surroundings.executor.asUnownedSerialExecutor()
    }

    /// Opens the store. Nothing is sent or received before `start`.
    ///
    /// - Throws: `StoreError`: wrong key, newer schema, open elsewhere.
    public init(configuration: AgentConfiguration) async throws {
        let store = try AgentStore(directory: configuration.directory, key: configuration.storeKey)
        self.init(configuration: configuration, surroundings: .system(), store: store)
    }

    /// An agent in a world of the caller's.
    init(configuration: AgentConfiguration, surroundings: AgentSurroundings, store: AgentStore) {
        self.configuration = configuration
        self.surroundings = surroundings
        self.store = store
        logger = configuration.logger
        notes = NoteKeeping(pace: surroundings.notePace)
        (events, continuation) = PacedStream.makeStream(limit: AgentEvent.backlog, cost: \.size)
    }

    deinit {
        for runtime in runtimes.values { runtime.cancel() }
        for line in lines.values { line.reader.cancel() }
        emptying?.cancel()
        notes.cancel()
        continuation.finish()
        store.close()
    }

    // MARK: Life

    /// Connects to the relays, subscribes all queues and goes on with whatever was under way. Does nothing the second time.
    public func start() async {
        guard phase == .ready else { return }
        phase = .running
        begin()
        for relay in configuration.relays { _ = line(to: relay) }
    }

    /// Ends everything; when this returns, for whoever called it, the store is closed and the events end. What was queued
    /// goes out after the next start.
    public func stop() async {
        phase = .stopped
        let stopping = stopping ?? Task { await end() }
        self.stopping = stopping
        await stopping.value
    }

    private func end() async {
        // One after the other in an order of their own, so that a simulated end is the same each time.
        for (_, runtime) in runtimes.sorted(by: { $0.key.rawValue < $1.key.rawValue }) { runtime.cancel() }
        runtimes = [:]
        places = [:]
        names = [:]
        emptying?.cancel()
        notes.cancel()
        await writeLastNote()
        let open = lines.sorted { $0.key.hosts.lexicographicallyPrecedes($1.key.hosts) }
        lines = [:]
        for (_, line) in open {
            line.reader.cancel()
            await line.client.stop()
        }
        noteTheEnd()
        store.close()
        deletions.finish()
        continuation.finish()
    }

    /// All connections that were not deleted, oldest first.
    ///
    /// - Throws: `AgentError.stopped`, `.store`.
    public func connections() async throws -> [ConnectionSummary] {
        try ensureOpen()
        return try inStore {
            try $0.connections().filter { !$0.isDeleting && !$0.isAddress }.map(ConnectionSummary.init)
        }
    }

    /// How a connection fares: relays, integrity, state of the encryption.
    ///
    /// - Throws: `AgentError.unknownConnection`, `.stopped`, `.store`.
    public func status(of connection: ConnectionID) async throws -> ConnectionStatus {
        try ensureOpen()
        let (record, receiveQueues, sendQueue, waiting) = try look { transaction in
            guard let record = try transaction.connection(connection), !record.isDeleting else {
                throw AgentError.unknownConnection
            }
            return (
                record, try transaction.receiveQueues(of: connection), try transaction.sendQueue(of: connection),
                try transaction.deliveryEntries(of: connection).count
            )
        }
        return ConnectionStatus(
            summary: ConnectionSummary(record), synchronisation: record.synchronisation, rotation: record.rotation,
            lastIntegrity: try record.integrity.map { try MessageIntegrity(decoding: $0) },
            receivingRelays: try receiveQueues.map { relayInUse(try RelayAddress(parsing: $0.relay)) },
            sendingRelay: try sendQueue.map { relayInUse(try RelayAddress(parsing: $0.relay)) },
            waitingMessages: waiting)
    }

    private func relayInUse(_ relay: RelayAddress) -> ConnectionStatus.RelayInUse {
        let line = lines[relay]
        return ConnectionStatus.RelayInUse(
            address: relay.withoutPassword, smpVersion: line?.isUp == true ? line?.version?.rawValue : nil)
    }

    /// What the peer said of a message, kept for 21 days; nil before it said anything.
    ///
    /// - Throws: `AgentError.stopped`, `.store`.
    public func receipt(of message: Int64, on connection: ConnectionID) async throws -> ReceiptVerdict? {
        try ensureOpen()
        return try inStore { try $0.sent(message, connection: connection)?.verdict }
    }

    /// What both people of a connection can compare to know that nobody sits between them; nil before the peer is known.
    ///
    /// - Throws: `AgentError.unknownConnection`, `.stopped`, `.store`.
    public func securityCode(of connection: ConnectionID) async throws -> SecurityCode? {
        try ensureOpen()
        guard let record = try inStore({ try $0.connection(connection) }) else { throw AgentError.unknownConnection }
        return try record.ratchet?.withWipedCopy { try Ratchet(decoding: $0).securityCode }
    }

    // MARK: The application's own values

    /// The value last kept under `name`, sealed in the same store.
    ///
    /// - Throws: `AgentError.stopped`, `.store`.
    public func applicationData(_ name: String) async throws -> [UInt8]? {
        try ensureOpen()
        return try inStore { try $0.applicationData(name) }
    }

    /// The sorted names of all values whose names begin with `prefix`.
    ///
    /// - Throws: `AgentError.stopped`, `.store`.
    package func applicationDataNames(prefix: String = "") async throws -> [String] {
        try ensureOpen()
        return try inStore { try $0.applicationDataNames(prefix: prefix) }
    }

    /// Keeps `value` under `name`, on disk before this returns; nil removes it. The name itself is stored in plain.
    ///
    /// - Throws: `AgentError.stopped`, `.store`.
    public func setApplicationData(_ name: String, to value: [UInt8]?) async throws {
        try ensureOpen()
        try inStore { try $0.setApplicationData(name, value) }
    }

    /// Keeps the value as it is in that moment, on disk before this returns.
    ///
    /// - Throws: `AgentError.stopped`, `.store`.
    public func setApplicationData(_ value: ApplicationValue) async throws {
        try ensureOpen()
        try inStore { try $0.setApplicationData(value.name, value.content()) }
    }

    // MARK: Help for the other files of this actor

    /// Tells the application.
    func tell(_ event: AgentEvent) {
        continuation.yield(event)
    }

    /// Milliseconds since 1970.
    var now: Int64 { surroundings.clock.now }

    /// Waits; false when the task was cancelled.
    func pause(milliseconds: Int64) async -> Bool {
        (try? await surroundings.clock.sleep(milliseconds: milliseconds, isolation: self)) != nil && !Task.isCancelled
    }

    func ensureOpen() throws {
        guard phase != .stopped else { throw AgentError.stopped }
    }

    func ensureRunning() throws {
        guard phase == .running else { throw phase == .ready ? AgentError.notReady : AgentError.stopped }
    }

    /// A transaction whose store failures are the agent's own errors.
    func inStore<Value>(_ body: (StoreTransaction) throws -> Value) throws -> Value {
        do {
            let value = try store.write(body)
            emptyLogLater()
            return value
        } catch let error as StoreError {
            if error.isTemporary { storeFailed(error) }
            throw AgentError.store(error)
        }
    }

    /// A look at the store, which changes nothing and waits for no disk; failures are the agent's own errors.
    func look<Value>(_ body: (StoreTransaction) throws -> Value) throws -> Value {
        do {
            return try store.read(body)
        } catch let error as StoreError {
            throw AgentError.store(error)
        }
    }

    /// A step of one connection in a transaction of its own.
    @discardableResult
    func step<Value>(
        _ connection: ConnectionID, _ body: (inout ConnectionStep) throws -> Value
    ) throws -> (Value, ConnectionEffects) {
        let (value, effects) = try inStore { transaction in
            var step = try ConnectionStep(transaction, connection, now: now)
            let value = try body(&step)
            return (value, try step.finish())
        }
        if effects.hasMovedRatchet { ratchetMoved() }
        return (value, effects)
    }

    /// A failure that no caller waits for.
    func report(_ error: any Error, _ doing: String, _ connection: ConnectionID? = nil) {
        guard phase == .running else { return }
        logger.error(
            "Agent failed",
            metadata: ["doing": "\(doing)", "connection": "\(connection?.rawValue ?? "-")", "error": "\(error)"])
        if let connection, let error = error as? AgentError, error != .unknownConnection {
            tell(.failed(connection, nil, error))
        }
    }
}
