import Glibc
import Logging
import SMP
import SMPTransport
import Synchronization

/// A relay: takes connections, keeps queues, delivers messages.
///
/// A relay that was stopped can be started again and has its queues still; with `RelayStorage.memory` only if it is the
/// same object.
public final class RelayServer: Sendable {
    private struct State {
        var listener: Listener?
        var address: RelayAddress?
        var sweeper: Task<Void, Never>?
    }

    /// How often old messages are looked for (SMP fact sheet §9.4).
    private static let sweepInterval = Duration.seconds(2 * 3_600)

    private let configuration: RelayConfiguration
    private let service: RelayService
    private let state = Mutex(State())

    public init(configuration: RelayConfiguration) {
        self.configuration = configuration
        let core = RelayCore(
            quota: configuration.quota, creation: configuration.creation, logger: configuration.logger
        ) { Int64(time(nil)) }
        service = RelayService(core: core, logger: configuration.logger)
    }

    /// The relay's address while it runs.
    public var address: RelayAddress? { state.withLock { $0.listener == nil ? nil : $0.address } }

    /// Connections that are open now.
    public var connectionCount: Int { state.withLock { $0.listener }?.connectionCount ?? 0 }

    /// Queues that exist now.
    public var queueCount: Int { service.core.withStore { $0.queues.count } }

    /// Starts to take connections; makes certificates if the state directory has none.
    ///
    /// - Returns: the address with the real port; a second start keeps the port of the first.
    /// - Throws: `TransportError.credentials`, `.storage` or `.cannotListen`.
    @discardableResult
    public func start() async throws(TransportError) -> RelayAddress {
        let certificates = try RelayCertificates.loadOrMake(
            in: configuration.stateDirectory, host: configuration.addressHost)
        let wanted = state.withLock { $0.address?.port } ?? configuration.port
        let listener = Listener(
            configuration: ListenerConfiguration(
                host: configuration.host, port: wanted, certificates: certificates, versions: configuration.versions,
                tls: configuration.tls, maximumConnections: configuration.maximumConnections,
                logger: configuration.logger),
            sessions: service)
        try openState()
        let port: UInt16
        do throws(TransportError) {
            port = try await listener.start()
        } catch {
            service.core.writer.detach()
            throw error
        }
        let address: RelayAddress
        do {
            address = try RelayAddress(
                hosts: [configuration.addressHost], port: port, keyHash: certificates.fingerprint)
        } catch {
            await listener.stop()
            service.core.writer.detach()
            throw .cannotListen("\(configuration.addressHost) is no host name")
        }
        let sweeper = sweep()
        state.withLock { state in
            state.listener = listener
            state.address = address
            state.sweeper = sweeper
        }
        configuration.logger.info("Relay started", metadata: ["address": "\(address)"])
        return address
    }

    /// Closes the socket and all connections.
    public func stop() async {
        let (listener, sweeper) = state.withLock { state in
            defer {
                state.listener = nil
                state.sweeper = nil
            }
            return (state.listener, state.sweeper)
        }
        sweeper?.cancel()
        await listener?.stop()
        service.core.writer.detach()
        configuration.logger.info("Relay stopped")
    }

    private func openState() throws(TransportError) {
        guard configuration.storage == .disk else { return }
        do {
            try service.core.attach(SQLitePersistence(directory: configuration.stateDirectory))
        } catch {
            throw .storage("\(error)")
        }
    }

    /// Drops messages older than the lifetime, now and then.
    private func sweep() -> Task<Void, Never> {
        let lifetime = configuration.messageLifetime.components.seconds
        return Task { [core = service.core, logger = configuration.logger] in
            while (try? await Task.sleep(for: Self.sweepInterval)) != nil {
                let (dropped, position) = core.withStore { store in
                    let now = Int64(time(nil))
                    store.desk.expire(before: now - NotifierDesk.lifetime)
                    return (store.expire(before: now - lifetime), store.journal.position)
                }
                core.writer.whenWritten(position) {}
                if dropped > 0 { logger.info("Messages expired", metadata: ["count": "\(dropped)"]) }
            }
        }
    }
}

/// Connects sessions with the core: lock, run, unlock, then act.
final class RelayService: ServerSessionHandler {
    let core: RelayCore
    private let logger: Logger
    private let sessions = Mutex<[SessionNumber: ServerSession]>([:])

    init(core: RelayCore, logger: Logger) {
        self.core = core
        self.logger = logger
    }

    func sessionStarted(_ session: ServerSession) {
        sessions.withLock { $0[session.number] = session }
        logger.debug("Session started", metadata: ["session": "\(session.number)", "version": "\(session.version)"])
    }

    func session(_ session: ServerSession, received payload: Result<[UInt8], SMPDecodingError>) {
        switch payload {
        case .failure: session.send(core.refuseBlock(version: session.version))
        case .success(let payload):
            let context = SessionContext(
                number: session.number, version: session.version, sessionID: session.sessionID, key: session.key,
                secret: session.secret)
            let output = core.process(payload, session: context)
            core.writer.whenWritten(output.position) { [self] in
                session.send(output.payloads)
                push(output.pushes)
            }
        }
    }

    func sessionEnded(_ session: ServerSession, reason: TransportError) {
        sessions.withLock { _ = $0.removeValue(forKey: session.number) }
        core.withStore { $0.endSession(session.number) }
        logger.debug("Session ended", metadata: ["session": "\(session.number)", "reason": "\(reason)"])
    }

    private func push(_ pushes: [Push]) {
        for push in pushes {
            guard let session = sessions.withLock({ $0[push.session] }) else { continue }
            session.send {
                let transmission = RelayCore.encode(push.reply, .none, push.entity, session.version)
                return transmission.flatMap { try? Batch.encode([$0]) }.map { [$0] } ?? []
            }
        }
    }
}
