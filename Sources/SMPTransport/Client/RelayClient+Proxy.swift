import SMP
import SMPSession

/// The sessions of one connection to a proxy, one a relay behind it.
package struct ProxySessions<Connection: ForwardingConnection> {
    private var connection: Connection?
    private var sessions: [RelayAddress: Task<ProxiedRelay, any Error>] = [:]

    package init() {}

    /// The session with a relay; whoever asks first makes it, the others wait for the same.
    fileprivate mutating func session(
        to destination: RelayAddress, on connection: Connection,
        _ open: @escaping @Sendable () async throws -> ProxiedRelay
    ) -> Task<ProxiedRelay, any Error> {
        if self.connection !== connection {
            // Those of an earlier connection may have been forgotten by the proxy.
            self.connection = connection
            sessions = [:]
        }
        if let known = sessions[destination] { return known }
        let made = Task { try await open() }
        sessions[destination] = made
        return made
    }

    /// The session is of no use any more, unless it was replaced already.
    fileprivate mutating func forget(_ task: Task<ProxiedRelay, any Error>, to destination: RelayAddress) {
        if sessions[destination] == task { sessions[destination] = nil }
    }
}

/// Whoever keeps a connection to a relay and sends through it to others (SMP fact sheet §10).
package protocol ForwardingClient: Actor {
    associatedtype Connection: ForwardingConnection

    /// The relay that forwards.
    nonisolated var address: RelayAddress { get }
    /// Those of this side.
    var versions: SMPVersionRange { get }
    var proxySessions: ProxySessions<Connection> { get set }

    /// The present connection, or the one that is being made; or why there is none.
    func connection() async -> Result<Connection, TransportError>
}

extension ForwardingClient {
    /// Sends one request to another relay; see ``RelayClient/request(_:throughTo:)``.
    package func forward(
        _ request: RelayRequest, to destination: RelayAddress
    ) async throws(ProxiedRequestError) -> BrokerMessage {
        do {
            return try await forwardOnce(request, to: destination)
        } catch .sessionLost {
            return try await forwardOnce(request, to: destination)
        } catch {
            throw error
        }
    }

    private func forwardOnce(
        _ request: RelayRequest, to destination: RelayAddress
    ) async throws(ProxiedRequestError) -> BrokerMessage {
        let connection: Connection
        switch await self.connection() {
        case .success(let made): connection = made
        case .failure(let reason): throw .proxy(.notConnected(reason))
        }
        let destination = destination.withoutPassword
        let task = proxySessions.session(to: destination, on: connection) { [address, versions] in
            try await connection.openProxySession(to: destination, versions: versions, password: address.password)
        }
        let relay: ProxiedRelay
        do {
            relay = try await task.value
        } catch {
            proxySessions.forget(task, to: destination)
            throw error as? ProxiedRequestError ?? .proxy(.unexpectedResponse)
        }
        var request = request
        // A second attempt must not be recognisable as such.
        request.correlationID = .random()
        do {
            return try await connection.request(request, through: relay)
        } catch {
            if !error.leavesSession { proxySessions.forget(task, to: destination) }
            throw error
        }
    }
}

extension RelayClient: ForwardingClient {
    package var versions: SMPVersionRange { configuration.versions }

    /// Sends one request to another relay through this one, which learns neither the request nor its answer; the other
    /// relay learns this side's address from nobody.
    ///
    /// The session between the two relays is asked for once and kept; when the proxy has lost it, another is asked for.
    ///
    /// - Parameters:
    ///   - request: SEND, SKEY, LKEY or LGET; a relay refuses others.
    ///   - destination: the relay that carries it out.
    /// - Throws: `ProxiedRequestError`: `.proxy(.notConnected)` at once while the proxy is known to be out of reach.
    public func request(
        _ request: RelayRequest, throughTo destination: RelayAddress
    ) async throws(ProxiedRequestError) -> BrokerMessage {
        try await forward(request, to: destination)
    }
}

extension ProxiedRequestError {
    /// Whether the session with the relay may be used again after this.
    fileprivate var leavesSession: Bool {
        switch self {
        case .refused, .notEncodable, .unexpectedResponse: true
        case .proxy, .notForwarding, .sessionLost, .broker, .notTaken, .identity, .version, .forged: false
        }
    }
}
