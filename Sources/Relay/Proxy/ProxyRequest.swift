import Cryptography
import SMP
import SMPTransport

/// A command that a client wants forwarded, or the session for it; the answer comes later.
struct ProxyRequest: Sendable, Equatable {
    enum Content: Sendable, Equatable {
        /// PRXY, its password already checked.
        case open(RelayAddress)
        /// PFWD: the session's id and what is inside.
        case forward(sessionID: [UInt8], ProxiedCommand)
    }

    let session: SessionNumber
    let version: SMPVersion
    let correlationID: CorrelationID
    let content: Content

    /// What the answer names (SMP fact sheet §7.3).
    var entity: EntityID {
        switch content {
        case .open: .none
        case .forward(let sessionID, _): EntityID(sessionID)
        }
    }

    /// The block with the answer. What another relay made too long for it must not end the client's connection.
    func payload(_ message: BrokerMessage) -> [[UInt8]] {
        if let payload = pack(message) { return [payload] }
        return pack(.error(.proxy(.broker(.transport(.largeMessage))))).map { [$0] } ?? []
    }

    private func pack(_ message: BrokerMessage) -> [UInt8]? {
        guard let transmission = RelayCore.encode(.plain(message), correlationID, entity, version),
            let payloads = try? Batch.pack([transmission])
        else { return nil }
        return payloads.first
    }
}

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

/// One command between proxy and relay: the outer layer (SMP fact sheet §10, steps 3 and 5). It does no I/O.
struct ForwardedExchange: Sendable {
    /// RFWD.
    let request: RelayRequest
    private let clientID: CorrelationID
    private let secret: SecretBytes

    /// - Parameters:
    ///   - clientID: the correlation id of PFWD.
    ///   - secret: of the hellos of proxy and relay.
    ///   - correlationID: fresh; also the nonce.
    /// - Throws: `SMPEncodingError`.
    init(
        _ command: ProxiedCommand, clientID: CorrelationID, secret: SecretBytes,
        correlationID: CorrelationID = .random()
    ) throws {
        self.clientID = clientID
        self.secret = secret
        let plain = try ForwardedCommand(correlationID: clientID, command: command).encoded()
        let sealed = ProxyLayers.sealOuter(plain, secret: secret, correlationID: correlationID, .request)
        request = RelayRequest(.forwardToRelay(sealed), correlationID: correlationID)
    }

    /// What PRES brings to the client: the content of RRES without its outer layer.
    ///
    /// - Throws: `SMPDecodingError` when the relay did not seal it for this command.
    func open(_ sealed: [UInt8]) throws -> [UInt8] {
        let plain = try ProxyLayers.openOuter(
            sealed, secret: secret, correlationID: request.correlationID, .response)
        let response = try ForwardedResponse(decoding: plain)
        guard response.correlationID == clientID else { throw SMPDecodingError.invalid("correlation id") }
        return response.sealed
    }
}
