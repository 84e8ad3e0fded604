import SMP

extension RelayCore {
    /// What a command asks of the proxy; nil for every other command.
    ///
    /// - Returns: the request, or why it is refused at once.
    func proxyRequest(
        _ command: Command, _ transmission: Transmission, _ session: SessionContext
    ) -> Result<ProxyRequest, SMPError>? {
        let content: ProxyRequest.Content
        switch command {
        case .openProxySession(let address, let password):
            guard isProxy, creation.permits(password: password) else {
                return .failure(.proxy(.basicAuthentication))
            }
            content = .open(address)
        case .forwardToProxy(let command):
            guard isProxy else { return .failure(.proxy(.noSession)) }
            content = .forward(sessionID: transmission.entityID.bytes, command)
        default: return nil
        }
        return .success(
            ProxyRequest(
                session: session.number, version: session.version, correlationID: transmission.correlationID,
                content: content))
    }
}
