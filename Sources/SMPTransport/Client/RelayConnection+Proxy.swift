import SMP
import SMPSession

/// A connection to a relay that may forward what is meant for another one (SMP fact sheet §10).
public protocol ForwardingConnection: AnyObject, Sendable {
    /// Sends one request and waits for its response.
    ///
    /// - Throws: `RelayRequestError`.
    func request(_ request: RelayRequest) async throws(RelayRequestError) -> BrokerMessage
}

extension RelayConnection: ForwardingConnection {}

extension ForwardingConnection {
    /// PRXY: asks the relay for its session with another one, and checks what it says of it.
    ///
    /// - Parameters:
    ///   - destination: the relay to reach; its password is not told.
    ///   - versions: those of this side.
    ///   - password: of the relay asked, if it wants one.
    /// - Throws: `ProxiedRequestError`.
    public func openProxySession(
        to destination: RelayAddress, versions: SMPVersionRange, password: RelayPassword? = nil
    ) async throws(ProxiedRequestError) -> ProxiedRelay {
        let answer = try await ask(RelayRequest(.openProxySession(destination.withoutPassword, password: password)))
        guard case .proxySession(let session) = answer else { throw .proxy(.unexpectedResponse) }
        return try ProxiedRelay(session, address: destination, versions: versions)
    }

    /// PFWD: sends a request to the relay behind and waits for that relay's response.
    ///
    /// - Throws: `ProxiedRequestError`.
    public func request(
        _ request: RelayRequest, through relay: ProxiedRelay
    ) async throws(ProxiedRequestError) -> BrokerMessage {
        let exchange = try relay.seal(request)
        guard case .proxyResponse(let sealed) = try await ask(exchange.request) else {
            throw .proxy(.unexpectedResponse)
        }
        return try exchange.open(sealed)
    }

    private func ask(_ request: RelayRequest) async throws(ProxiedRequestError) -> BrokerMessage {
        do {
            return try await self.request(request)
        } catch {
            throw ProxiedRequestError(error)
        }
    }
}
