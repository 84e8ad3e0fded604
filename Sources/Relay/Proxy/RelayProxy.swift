import BaseKit
import Cryptography
import Logging
import RelayRules
import SMP
import SMPSession
import SMPTransport

/// Forwards commands of this relay's clients to other relays: lock, run the table, unlock, then act.
final class RelayProxy: Sendable {
    private struct State {
        var table: ProxyTable
        var requests: [ProxyTable.Ticket: ProxyRequest] = [:]
        var connections: [RelayAddress: RelayConnection] = [:]
        var ticker: Task<Void, Never>?
        var isStopped = false
        /// Where this relay itself takes connections.
        var ownEndpoint: RelayEndpoint?
    }

    /// How often it is looked whether something has waited or idled too long.
    private static let tick = Duration.milliseconds(500)

    private let transport: TransportConfiguration
    private let ownAddress: RelayAddress
    private let logger: Logger
    private let answer: @Sendable (ProxyRequest, BrokerMessage) -> Void
    private let state: Lock<State>

    /// - Parameters:
    ///   - versions: those of this relay.
    ///   - ownAddress: of this relay; its host and port are never dialled, see ``setOwnEndpoint(_:)``.
    ///   - answer: brings an answer to whom it is for, if still there.
    init(
        _ configuration: ProxyConfiguration, versions: SMPVersionRange, ownAddress: RelayAddress, logger: Logger,
        answer: @escaping @Sendable (ProxyRequest, BrokerMessage) -> Void
    ) {
        var transport = TransportConfiguration(
            versions: versions, connectTimeout: configuration.connectTimeout,
            commandTimeout: configuration.forwardTimeout, logger: logger)
        transport.isProxy = true
        transport.reachesLocalNetworks = configuration.reachesLocalNetworks
        self.transport = transport
        self.ownAddress = ownAddress
        self.logger = logger
        self.answer = answer
        state = Lock(State(table: ProxyTable(limits: configuration, own: ownAddress)))
    }

    /// Says where this relay itself is reached from this machine, for clients that want to go through it to itself.
    func setOwnEndpoint(_ endpoint: RelayEndpoint) { state.withLock { $0.ownEndpoint = endpoint } }

    /// A client asks.
    func receive(_ request: ProxyRequest) {
        step { state, now in
            let (ticket, actions) = state.table.receive(request, now: now)
            state.requests[ticket] = request
            return actions
        }
    }

    /// A client is gone.
    func ended(_ session: SessionNumber) {
        state.withLock { state in
            state.table.ended(session)
            state.requests = state.requests.filter { $0.value.session != session }
        }
    }

    /// Hangs up everywhere; nothing is answered any more.
    func stop() async {
        let (connections, ticker) = state.withLock { state in
            state.isStopped = true
            state.requests = [:]
            defer {
                state.connections = [:]
                state.ticker = nil
            }
            return (Array(state.connections.values), state.ticker)
        }
        ticker?.cancel()
        for connection in connections { await connection.close() }
    }

    // MARK: Steps

    private func step(_ body: @Sendable (inout State, Instant) -> [ProxyTable.Action]) {
        let actions = state.withLock { state in
            guard !state.isStopped else { return [ProxyTable.Action]() }
            let actions = body(&state, .now)
            if state.ticker == nil, !state.table.isEmpty { state.ticker = watchTime() }
            return actions
        }
        for action in actions { perform(action) }
    }

    private func perform(_ action: ProxyTable.Action) {
        switch action {
        case .answer(let ticket, let message):
            guard let request = state.withLock({ $0.requests.removeValue(forKey: ticket) }) else { return }
            answer(request, message)
        case .connect(let address): Task { await connect(to: address) }
        case .forward(let ticket, let address, let command): forward(command, to: address, ticket)
        case .close(let address):
            let connection = state.withLock { $0.connections.removeValue(forKey: address) }
            Task { await connection?.close() }
        }
    }

    private func connect(to address: RelayAddress) async {
        do throws(TransportError) {
            let connection = try await dial(address)
            guard let details = connection.forwarding else {
                await connection.close()
                throw .hello(.missingKey)
            }
            let session = details.session(connection.sessionID)
            let isStopped = state.withLock { state in
                if !state.isStopped { state.connections[address] = connection }
                return state.isStopped
            }
            guard !isStopped else { return await connection.close() }
            logger.debug("Proxy connected", metadata: ["relay": "\(address)", "version": "\(connection.version)"])
            step { $0.table.connected(address, sessionID: connection.sessionID, session, now: $1) }
            Task { await watch(connection, address) }
        } catch {
            logger.debug("Proxy can't connect", metadata: ["relay": "\(address)", "reason": "\(error)"])
            // Whatever the reason, it would tell about the network around this relay, but for what a relay says that has
            // proven to have the fingerprint the client named.
            let told: SMPError.BrokerError = error == .version ? .transport(.version) : .network(nil)
            step { $0.table.failed(address, told, now: $1) }
        }
    }

    /// This relay is dialled at its own socket only, and only itself is allowed to be on this machine or in a private
    /// network.
    private func dial(_ address: RelayAddress) async throws(TransportError) -> RelayConnection {
        guard address == ownAddress else {
            return try await RelayConnection.connect(to: address, configuration: transport)
        }
        guard let endpoint = state.withLock({ $0.ownEndpoint }),
            let own = try? RelayAddress(
                hosts: [endpoint.dialledHost], port: endpoint.port, keyHash: ownAddress.keyHash)
        else { throw .noReachableHost }
        var transport = transport
        transport.reachesLocalNetworks = true
        return try await RelayConnection.connect(to: own, configuration: transport)
    }

    /// Until the connection ends.
    private func watch(_ connection: RelayConnection, _ address: RelayAddress) async {
        for await event in connection.events {
            guard case .down = event else { continue }
            break
        }
        step { state, _ in
            state.table.lost(address, sessionID: connection.sessionID)
            if state.connections[address] === connection { state.connections[address] = nil }
            return []
        }
    }

    private func forward(_ command: ProxiedCommand, to address: RelayAddress, _ ticket: ProxyTable.Ticket) {
        let (connection, request) = state.withLock { ($0.connections[address], $0.requests[ticket]) }
        Task {
            let message = await response(to: command, request?.correlationID ?? .none, on: connection)
            step { $0.table.answered(ticket, address, message, now: $1) }
        }
    }

    private func response(
        to command: ProxiedCommand, _ clientID: CorrelationID, on connection: RelayConnection?
    ) async -> BrokerMessage {
        guard let connection, let details = connection.forwarding else { return .error(.proxy(.noSession)) }
        guard let exchange = try? ForwardedExchange(command, clientID: clientID, secret: details.secret) else {
            return .error(SMPError(forwarding: .notEncodable))
        }
        do throws(RelayRequestError) {
            return exchange.answer(.success(try await connection.request(exchange.request)))
        } catch {
            return exchange.answer(.failure(error))
        }
    }

    // MARK: Time

    private func watchTime() -> Task<Void, Never> {
        Task { [weak self] in
            while (try? await Task.sleep(for: Self.tick)) != nil {
                guard let self, self.tickOnce() else { return }
            }
        }
    }

    /// False when nothing is left to watch.
    private func tickOnce() -> Bool {
        step { $0.table.tick(now: $1) }
        return state.withLock { state in
            guard state.table.isEmpty || state.isStopped else { return true }
            state.ticker = nil
            return false
        }
    }
}
