import SMP
import SMPSession

extension SMPError.BrokerError {
    /// What a client is told of a connection that could not be made or was lost (SMP fact sheet §8). No details: they would
    /// tell strangers about the network around this relay.
    package init(_ error: TransportError) {
        switch error {
        case .timeout, .silent: self = .timeout
        case .noReachableHost: self = .host
        case .version, .noApplicationProtocol: self = .transport(.version)
        case .wrongFingerprint, .badCertificate, .hello(.keyHash), .hello(.certificateChain):
            self = .transport(.handshakeIdentity)
        case .hello(.malformed), .hello(.unsupportedService): self = .transport(.handshakeParse)
        case .hello(.signature): self = .transport(.handshakeAuthentication)
        case .hello(.missingKey): self = .transport(.noAuthenticator)
        case .hello(.sessionIdentifier): self = .transport(.session)
        case .block, .protocolViolation: self = .transport(.block)
        case .hostUnreachable, .tls, .closedByPeer, .closed, .socket, .credentials, .cannotListen:
            self = .network(nil)
        }
    }
}

extension SMPError {
    /// What a client is told when its command has no answer from the relay behind (SMP fact sheet §8).
    package init(forwarding error: RelayRequestError) {
        switch error {
        case .refused(let error): self = .proxy(.relay(error))
        // The relay has not seen it.
        case .notConnected: self = .proxy(.noSession)
        case .interrupted(let reason): self = .proxy(.broker(.init(reason)))
        case .timeout: self = .proxy(.broker(.timeout))
        case .unexpectedResponse: self = .proxy(.broker(.unexpected("")))
        case .notEncodable: self = .proxy(.broker(.transport(.largeMessage)))
        }
    }
}
