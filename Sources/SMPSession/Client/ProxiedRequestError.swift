import SMP

/// Why a request through a proxy has no ordinary response.
public enum ProxiedRequestError: Error, Equatable, Sendable {
    /// Between this side and the proxy: no connection, no answer in time, an answer that makes no sense. Unless it is
    /// `.notConnected`, the relay behind may have carried the request out.
    case proxy(RelayRequestError)
    /// The proxy does not forward for this client: it is none, or wants another password.
    case notForwarding
    /// The proxy lost its connection to the relay; the relay has not seen the request.
    case sessionLost
    /// The proxy could not use the relay.
    case broker(SMPError.BrokerError)
    /// The relay refused what it got from the proxy: what this side sealed was changed on the way, or the relay is too old.
    case notTaken(SMPError)
    /// The relay's own answer: `ERR`.
    case refused(SMPError)
    /// The key that the proxy shows is not that of the relay asked for.
    case identity(TransportError)
    /// This side and the relay share no version that proxies carry.
    case version
    /// The answer was not made by the relay for this request.
    case forged
    /// The relay's answer is malformed or is about something else.
    case unexpectedResponse
    /// The request has no form in the agreed version, or is too long.
    case notEncodable
}

extension ProxiedRequestError {
    /// What a failed PRXY or PFWD means.
    package init(_ error: RelayRequestError) {
        switch error {
        case .refused(.proxy(.basicAuthentication)), .refused(.command): self = .notForwarding
        case .refused(.proxy(.noSession)): self = .sessionLost
        case .refused(.proxy(.broker(let error))): self = .broker(error)
        case .refused(.proxy(.relay(let error))): self = .notTaken(error)
        case .refused(.crypto): self = .notTaken(.crypto)
        case .notEncodable: self = .notEncodable
        case .refused, .notConnected, .interrupted, .timeout, .unexpectedResponse: self = .proxy(error)
        }
    }
}
