import ArgumentParser
import Logging
import Relay
import SMP

/// `HOST:PORT`; an IPv6 address stands in brackets.
struct ListenAddress: ExpressibleByArgument, Equatable, Sendable {
    var host: String
    var port: UInt16

    /// This machine only, at the port of SMP.
    static let standard = ListenAddress(host: "127.0.0.1", port: RelayAddress.defaultPort)

    var endpoint: RelayEndpoint { RelayEndpoint(host: host, port: port) }

    init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    init?(argument: String) {
        guard let colon = argument.lastIndex(of: ":"), let port = UInt16(argument[argument.index(after: colon)...])
        else { return nil }
        var host = argument[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty else { return nil }
        self.init(host: String(host), port: port)
    }

    var defaultValueDescription: String { endpoint.description }
}

/// `MIN-MAX`, or one version.
struct VersionsOption: ExpressibleByArgument, Equatable, Sendable {
    var range: SMPVersionRange

    init(range: SMPVersionRange) { self.range = range }

    init?(argument: String) {
        let parts = argument.split(separator: "-", omittingEmptySubsequences: false).map { UInt16($0) }
        guard (1...2).contains(parts.count), let first = parts[0], let last = parts[parts.count - 1],
            let range = SMPVersionRange(min: SMPVersion(rawValue: first), max: SMPVersion(rawValue: last)),
            range.min >= SMPVersionRange.supported.min, range.max <= SMPVersionRange.supported.max
        else { return nil }
        self.init(range: range)
    }

    var defaultValueDescription: String { "\(range.min)-\(range.max)" }
}

/// `off`, or the port of UDP where addresses are told.
enum StunOption: ExpressibleByArgument, Equatable, Sendable {
    case off
    case port(UInt16)

    init?(argument: String) {
        if argument == "off" {
            self = .off
        } else if let port = UInt16(argument) {
            self = .port(port)
        } else {
            return nil
        }
    }

    /// What the relay does; without a word it answers at the port of its TCP where that is free.
    static func answers(_ option: StunOption?) -> AddressAnswers {
        switch option {
        case nil: .on(port: nil, required: false)
        case .off?: .off
        case .port(let port)?: .on(port: port, required: true)
        }
    }
}

/// How much to log, on standard error.
enum LogLevel: String, CaseIterable, ExpressibleByArgument, Sendable {
    case trace, debug, info, notice, warning, error

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
