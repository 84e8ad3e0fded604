import SMP
import SMPSession

extension DeliveryFailure {
    /// What a failed request means for delivery (Agent fact sheet §9).
    init(_ error: RelayRequestError) {
        switch error {
        case .notConnected, .interrupted, .timeout: self = .unreachable
        case .refused(let error): self.init(error)
        case .unexpectedResponse: self = .rejected("UNEXPECTED")
        case .notEncodable: self = .rejected("NOT ENCODABLE")
        }
    }

    /// What a relay's refusal means for delivery.
    init(_ error: SMPError) {
        switch error {
        case .authentication: self = .refused
        case .quota: self = .full
        case .store, .internalError, .proxy(.broker(.timeout)), .proxy(.broker(.network)), .proxy(.broker(.host)),
            .proxy(.noSession):
            self = .unreachable
        case .block: self = .rejected("BLOCK")
        case .session: self = .rejected("SESSION")
        case .command(let error): self = .rejected("CMD \(error.rawValue)")
        case .blocked: self = .rejected("BLOCKED")
        case .service: self = .rejected("SERVICE")
        case .crypto: self = .rejected("CRYPTO")
        case .noMessage: self = .rejected("NO_MSG")
        case .largeMessage: self = .rejected("LARGE_MSG")
        case .expired: self = .rejected("EXPIRED")
        case .duplicate: self = .rejected("DUPLICATE_")
        case .proxy(.relay(let error)): self.init(error)
        case .proxy(.broker): self = .rejected("PROXY BROKER")
        case .proxy(.basicAuthentication): self = .rejected("PROXY BASIC_AUTH")
        }
    }
}
