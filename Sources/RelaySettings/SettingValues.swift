import SMP

/// `HOST:PORT`; an IPv6 address stands in brackets.
package struct ListenAddress: Equatable, Sendable {
    package var host: String
    package var port: UInt16

    /// This machine only, at the port of SMP.
    package static let standard = ListenAddress(host: "127.0.0.1", port: RelayAddress.defaultPort)

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Nil for what is no address with a port.
    package init?(argument: String) {
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
}

/// `MIN-MAX`, or one version.
package struct VersionsOption: Equatable, Sendable {
    package var range: SMPVersionRange

    package init(range: SMPVersionRange) { self.range = range }

    /// Nil for what is no range, or one of versions that are not supported.
    package init?(argument: String) {
        let parts = argument.split(separator: "-", omittingEmptySubsequences: false).map { UInt16($0) }
        guard (1...2).contains(parts.count), let first = parts[0], let last = parts[parts.count - 1],
            let range = SMPVersionRange(min: SMPVersion(rawValue: first), max: SMPVersion(rawValue: last)),
            range.min >= SMPVersionRange.supported.min, range.max <= SMPVersionRange.supported.max
        else { return nil }
        self.init(range: range)
    }
}

/// `off`, or the port of UDP where addresses are told.
package enum StunOption: Equatable, Sendable {
    case off
    case port(UInt16)

    /// Nil for what is neither.
    package init?(argument: String) {
        if argument == "off" {
            self = .off
        } else if let port = UInt16(argument) {
            self = .port(port)
        } else {
            return nil
        }
    }
}

/// How much to log, on standard error.
package enum LogLevel: String, CaseIterable, Sendable {
    case trace, debug, info, notice, warning, error
}
