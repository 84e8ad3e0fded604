import Cryptography
import SMP
import SMPSession

/// A command that a client wants forwarded, or the session for it; the answer comes later.
package struct ProxyRequest: Sendable, Equatable {
    package enum Content: Sendable, Equatable {
        /// PRXY, its password already checked.
        case open(RelayAddress)
        /// PFWD: the session's id and what is inside.
        case forward(sessionID: [UInt8], ProxiedCommand)
    }

    package let session: SessionNumber
    package let version: SMPVersion
    package let correlationID: CorrelationID
    package let content: Content

    /// What the answer names (SMP fact sheet §7.3).
    package var entity: EntityID {
        switch content {
        case .open: .none
        case .forward(let sessionID, _): EntityID(sessionID)
        }
    }

    /// The block with the answer. What another relay made too long for it must not end the client's connection.
    package func payload(_ message: BrokerMessage) -> [[UInt8]] {
        if let payload = pack(message) { return [payload] }
        return pack(.error(.proxy(.broker(.transport(.largeMessage))))).map { [$0] } ?? []
    }

    private func pack(_ message: BrokerMessage) -> [UInt8]? {
        guard let transmission = Reply.plain(message).transmission(correlationID, entity, version),
            let payloads = try? Batch.pack([transmission])
        else { return nil }
        return payloads.first
    }
}

/// One command between proxy and relay: the outer layer (SMP fact sheet §10, steps 3 and 5). It does no I/O.
package struct ForwardedExchange: Sendable {
    /// RFWD.
    package let request: RelayRequest
    private let clientID: CorrelationID
    private let secret: SecretBytes

    /// - Parameters:
    ///   - clientID: the correlation id of PFWD.
    ///   - secret: of the hellos of proxy and relay.
    ///   - correlationID: fresh; also the nonce.
    /// - Throws: `SMPEncodingError`.
    package init(
        _ command: ProxiedCommand, clientID: CorrelationID, secret: SecretBytes,
        correlationID: CorrelationID = .random()
    ) throws {
        self.clientID = clientID
        self.secret = secret
        let plain = try ForwardedCommand(correlationID: clientID, command: command).encoded()
        let sealed = ProxyLayers.sealOuter(plain, secret: secret, correlationID: correlationID, .request)
        request = RelayRequest(.forwardToRelay(sealed), correlationID: correlationID)
    }

    /// What the client is told once the relay has answered RFWD, or it is known that it won't.
    package func answer(_ result: Result<BrokerMessage, RelayRequestError>) -> BrokerMessage {
        switch result {
        case .success(.relayResponse(let sealed)):
            guard let opened = try? open(sealed) else { return .error(.crypto) }
            return .proxyResponse(opened)
        case .success: return .error(SMPError(forwarding: .unexpectedResponse))
        case .failure(let error): return .error(SMPError(forwarding: error))
        }
    }

    /// What PRES brings to the client: the content of RRES without its outer layer.
    ///
    /// - Throws: `SMPDecodingError` when the relay did not seal it for this command.
    package func open(_ sealed: [UInt8]) throws -> [UInt8] {
        let plain = try ProxyLayers.openOuter(
            sealed, secret: secret, correlationID: request.correlationID, .response)
        let response = try ForwardedResponse(decoding: plain)
        guard response.correlationID == clientID else { throw SMPDecodingError.invalid("correlation id") }
        return response.sealed
    }
}

extension ForwardingDetails {
    /// What clients are told of a session between proxy and relay; the relay's versions are cut to those that proxies carry, so
    /// that they don't tell clients' versions apart (SMP fact sheet §10).
    package func session(_ sessionID: [UInt8]) -> Result<ProxySession, SMPError> {
        guard let versions = versions.intersection(.proxied) else {
            return .failure(.proxy(.broker(.transport(.version))))
        }
        return .success(ProxySession(sessionID: sessionID, versions: versions, key: key))
    }
}
