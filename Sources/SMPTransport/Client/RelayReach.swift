import Glibc
import NIOCore
import SMP

/// From where a relay can be reached, by what its address says; nobody is asked.
public enum RelayReach: Int, Sendable, Hashable, Comparable {
    /// Only programs of this machine reach it.
    case thisMachine
    /// Whoever is in the same network as the relay.
    case thisNetwork
    /// Everybody, as far as its address tells.
    case everywhere

    public static func < (one: RelayReach, other: RelayReach) -> Bool { one.rawValue < other.rawValue }

    /// From where a host can be reached. Names that no public name server knows are those of a network: of one label, and
    /// RFC 6762 §3, RFC 8375, and what ICANN keeps for private use.
    public init(host: String) {
        if let address = Self.address(host) {
            self = Self.reach(of: address)
            return
        }
        var name = host.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        if labels.last == "localhost" {
            self = .thisMachine
        } else if labels.count == 1 || ["local", "internal"].contains(labels.last)
            || labels.suffix(2) == ["home", "arpa"]
        {
            self = .thisNetwork
        } else {
            self = .everywhere
        }
    }

    /// An address in any form that a system takes for one, such as 127.1 (inet_aton(3)).
    private static func address(_ host: String) -> SocketAddress? {
        var v4 = in_addr()
        if inet_aton(host, &v4) == 1 {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr = v4
            return SocketAddress(address)
        }
        return try? SocketAddress(ipAddress: host, port: 0)
    }

    private static func reach(of address: SocketAddress) -> RelayReach {
        guard LocalNetworkGate.isLocal(address) else { return .everywhere }
        switch address {
        case .v4(let address):
            let first = withUnsafeBytes(of: address.address.sin_addr) { $0[0] }
            // What is unspecified or for groups leads to nobody else.
            return first == 0 || first == 127 || first >= 224 ? .thisMachine : .thisNetwork
        case .v6(let address):
            let bytes = withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
            if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
                let inside = bytes[12...].map(String.init).joined(separator: ".")
                return RelayReach(host: inside)
            }
            return bytes[..<8].allSatisfy { $0 == 0 } || bytes[0] == 0xFF ? .thisMachine : .thisNetwork
        case .unixDomainSocket: return .thisMachine
        }
    }
}

extension RelayAddress {
    /// From where the relay can be reached: by the best of its hosts.
    public var reach: RelayReach { hosts.map { RelayReach(host: $0) }.max() ?? .thisMachine }
}
