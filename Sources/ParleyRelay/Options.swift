import ArgumentParser
import Logging
import Relay
import RelaySettings

// What settings are on the command line, and what they are for the relay.

extension ListenAddress: ExpressibleByArgument {
    var endpoint: RelayEndpoint { RelayEndpoint(host: host, port: port) }

    package var defaultValueDescription: String { endpoint.description }
}

extension VersionsOption: ExpressibleByArgument {
    package var defaultValueDescription: String { "\(range.min)-\(range.max)" }
}

extension StunOption: ExpressibleByArgument {
    /// What the relay does; without a word it answers at the port of its TCP where that is free.
    static func answers(_ option: StunOption?) -> AddressAnswers {
        switch option {
        case nil: .on(port: nil, required: false)
        case .off?: .off
        case .port(let port)?: .on(port: port, required: true)
        }
    }
}

extension LogLevel: ExpressibleByArgument {
    var level: Logger.Level {
        switch self {
        case .trace: .trace
        case .debug: .debug
        case .info: .info
        case .notice: .notice
        case .warning: .warning
        case .error: .error
        }
    }
}
