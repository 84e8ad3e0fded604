import BaseKit
import Glibc
import Logging
import RelayRules
import SMP
import SMPSession
import SMPTransport

/// A relay: takes connections, keeps queues, delivers messages.
///
/// A relay that was stopped can be started again and has its queues still; with `RelayStorage.memory` only if it is the
/// same object.
public final class RelayServer: Sendable {
    private struct State {
        var listeners: [Listener] = []
        var metrics: MetricsListener?
        var metricsPort: UInt16?
        var addressListener: AddressListener?
        var addressPorts: [UInt16] = []
        var address: RelayAddress?
        var control: ControlListener?
        var isDraining = false
    }

    /// Ends when the relay has been drained.
    public let drained: AsyncStream<Void>
    private let finishDraining: AsyncStream<Void>.Continuation

    let configuration: RelayConfiguration
    let service: RelayService
    let ledger: ConnectionLedger
    private let startTime = Int64(time(nil))
    private let state = Lock(State())

    public init(configuration: RelayConfiguration) {
        self.configuration = configuration
        (drained, finishDraining) = AsyncStream<Void>.makeStream()
        let core = RelayCore(
            quota: configuration.quota, limits: configuration.storeLimits, creation: configuration.creation,
            isProxy: configuration.proxy != nil,
            age: RelayAge(),
            logger: configuration.logger
        ) { Int64(time(nil)) }
        service = RelayService(
            core: core, work: configuration.work, endingInterval: configuration.endingInterval,
            housekeeper: Housekeeper(
                tidyInterval: configuration.tidyInterval,
                sweepInterval: Self.interval(configuration.messageLifetime, atMost: configuration.expiryInterval)),
            idleTimeout: configuration.idleTimeout, logger: configuration.logger)
        ledger = ConnectionLedger(limits: configuration.limits, outputLimits: configuration.outputLimits)
    }

    /// The relay's address while it runs.
    public var address: RelayAddress? { state.withLock { $0.listeners.isEmpty ? nil : $0.address } }

    /// Connections that are open now.
    public var connectionCount: Int { ledger.count }

    /// Queues that exist now.
    package var queueCount: Int { service.core.withStore { $0.queues.count } }

    /// Where metrics are served while the relay runs; nil if nowhere.
    public var metricsPort: UInt16? { state.withLock { $0.metricsPort } }

    /// Where it answers by STUN while it runs, in the order of the addresses it listens on; empty if nowhere.
    var stunPorts: [UInt16] { state.withLock { $0.addressPorts } }

    /// Starts to take connections; makes certificates if their folder has none.
    ///
    /// - Returns: the address with the real port; a second start keeps the port of the first.
    @discardableResult
    public func start() async throws(RelayStartError) -> RelayAddress {
        let certificates: RelayCertificates
        let ownAddress: RelayAddress
        do throws(TransportError) {
            certificates = try RelayCertificates.loadOrMake(
                in: configuration.certificatesDirectory ?? configuration.stateDirectory, host: configuration.addressHost
            )
            ownAddress = try makeAddress(RelayAddress.defaultPort, certificates)
        } catch {
            throw .network(error)
        }
        do throws(RelayStorageError) { try openState() } catch { throw .storage(error) }
        do throws(TransportError) { return try await listen(certificates, ownAddress) } catch { throw .network(error) }
    }

    private func listen(
        _ certificates: RelayCertificates, _ ownAddress: RelayAddress
    ) async throws(TransportError) -> RelayAddress {
        let listeners = makeListeners(certificates)
        let proxy = startProxy(ownAddress)
        do {
            let ports = try await Self.startAll(listeners)
            let port = ports.first ?? 0
            let (addressListener, addressPorts) = try startAddressAnswers(ports)
            proxy?.setOwnEndpoint(RelayEndpoint(host: configuration.host, port: port))
            let address = try makeAddress(port, certificates)
            refuseBlockedAddresses()
            let control = await startControl()
            let metrics = try await startMetrics()
            startHousekeeping()
            state.withLock { state in
                state.listeners = listeners
                state.address = address
                (state.addressListener, state.addressPorts) = (addressListener, addressPorts)
                state.control = control
                state.isDraining = false
                state.metrics = metrics?.listener
                state.metricsPort = metrics?.port
            }
            configuration.logger.info("Relay started", metadata: ["address": "\(address)"])
            return address
        } catch {
            await service.setProxy(nil)?.stop()
            for listener in listeners { await listener.stop() }
            service.core.writer.detach()
            throw error
        }
    }

    /// Closes the sockets and all connections.
    public func stop() async {
        let last = state.withLock { state in
            defer {
                state.listeners = []
                state.control = nil
                state.metrics = nil
                state.metricsPort = nil
                (state.addressListener, state.addressPorts) = (nil, [])
            }
            return state
        }
        last.addressListener?.stop()
        service.housekeeper.stop()
        await last.control?.stop()
        await last.metrics?.stop()
        await service.setProxy(nil)?.stop()
        for listener in last.listeners { await listener.stop() }
        service.core.saveAge()
        service.core.writer.detach()
        configuration.logger.info("Relay stopped")
    }

    /// Where a relay takes requests of its operator.
    public static func controlPath(in folder: String) -> String { folder + "/" + ControlListener.fileName }

    private func startControl() async -> ControlListener? {
        guard configuration.storage == .disk, configuration.isControlled else { return nil }
        let control = ControlListener(directory: configuration.stateDirectory) {
            [weak self] request throws(ControlError) in
            guard let self else { throw .unknownRequest }
            return try await self.carryOut(request)
        }
        do throws(TransportError) {
            try await control.start()
            return control
        } catch {
            configuration.logger.warning(
                "The relay takes no requests of its operator", metadata: ["reason": "\(error)"])
            return nil
        }
    }

    /// Takes no more connections, and ends those that are open one after the other; then ``drained`` ends.
    func drain(over duration: Duration) {
        let listeners = state.withLock { state in
            defer { state.isDraining = true }
            return state.isDraining ? [] : state.listeners
        }
        guard !listeners.isEmpty else { return }
        configuration.logger.notice("The relay is drained", metadata: ["seconds": "\(duration.components.seconds)"])
        Task { [service, finishDraining] in
            for listener in listeners { await listener.stopAccepting() }
            await service.closeAll(over: duration)
            finishDraining.finish()
        }
    }

    /// Figures for whoever watches over the relay.
    var snapshot: RelaySnapshot {
        let core = service.core
        var snapshot = RelaySnapshot()
        snapshot.connections = ledger.count
        snapshot.refusedConnections = ledger.refusals
        snapshot.output = ledger.output
        snapshot.unreadSessions = ledger.unreadSessions
        snapshot.sessions = service.sessionCounts
        (snapshot.queues, snapshot.messages) = core.withStore { ($0.queues.count, $0.messageCount) }
        (snapshot.storedBytes, snapshot.cachedBytes) = core.withStore { ($0.use.bytes, $0.bodies.bytes) }
        snapshot.isFailing = core.writer.isFailing
        snapshot.counts = core.counters.current
        snapshot.startTime = startTime
        snapshot.addressAnswers = state.withLock { $0.addressListener }?.counts
        return snapshot
    }

    private func makeListeners(_ certificates: RelayCertificates) -> [Listener] {
        var endpoints = configuration.endpoints
        if let port = state.withLock({ $0.address?.port }) { endpoints[0].port = port }
        return endpoints.map { endpoint in
            Listener(
                configuration: ListenerConfiguration(
                    host: endpoint.host, port: endpoint.port, certificates: certificates,
                    versions: configuration.versions, tls: configuration.tls, ledger: ledger,
                    logger: configuration.logger),
                sessions: service)
        }
    }

    private static func startAll(_ listeners: [Listener]) async throws(TransportError) -> [UInt16] {
        var ports: [UInt16] = []
        for listener in listeners { ports.append(try await listener.start()) }
        return ports
    }

    /// - Parameter ports: those of TCP, in the order of the addresses.
    private func startAddressAnswers(
        _ ports: [UInt16]
    ) throws(TransportError) -> (listener: AddressListener?, ports: [UInt16]) {
        guard case .on(let wanted, let isRequired) = configuration.addressAnswers else { return (nil, []) }
        let listener = AddressListener()
        do throws(TransportError) {
            var opened: [UInt16] = []
            for (endpoint, port) in zip(configuration.endpoints, ports) {
                opened.append(try listener.start(host: endpoint.host, port: wanted ?? port))
            }
            return (listener, opened)
        } catch {
            listener.stop()
            guard !isRequired else { throw error }
            configuration.logger.warning("The relay does not answer by STUN", metadata: ["reason": "\(error)"])
            return (nil, [])
        }
    }

    private func startMetrics() async throws(TransportError) -> (listener: MetricsListener, port: UInt16)? {
        guard let endpoint = configuration.metrics else { return nil }
        let listener = MetricsListener(endpoint: endpoint) { [weak self] in self?.snapshot.text ?? "" }
        return (listener, try await listener.start())
    }

    private func makeAddress(
        _ port: UInt16, _ certificates: RelayCertificates
    ) throws(TransportError) -> RelayAddress {
        do {
            return try RelayAddress(hosts: [configuration.addressHost], port: port, keyHash: certificates.fingerprint)
        } catch {
            throw .cannotListen("\(configuration.addressHost) is no host name")
        }
    }

    private func startProxy(_ ownAddress: RelayAddress) -> RelayProxy? {
        guard let limits = configuration.proxy else { return nil }
        let proxy = RelayProxy(
            limits, versions: configuration.versions, ownAddress: ownAddress, logger: configuration.logger
        ) { [service] request, message in service.answer(request, message) }
        _ = service.setProxy(proxy)
        return proxy
    }

    private func openState() throws(RelayStorageError) {
        guard configuration.storage == .disk else { return }
        do {
            try service.core.attach(
                SQLitePersistence(
                    directory: configuration.stateDirectory, reserve: configuration.storeLimits.reserveBytes,
                    cache: configuration.storeLimits.pageBytes))
        } catch {
            throw error as? RelayStorageError ?? .unavailable("\(error)")
        }
    }
}
