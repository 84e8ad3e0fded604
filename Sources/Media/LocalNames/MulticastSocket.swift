import Glibc

/// A socket that speaks multicast DNS on all links of one address family.
///
/// It has the port of multicast DNS where it may, so that answers come by multicast, which all responders send; else any port,
/// to which answers come directly (RFC 6762 §5.1).
struct MulticastSocket {
    static let port: UInt16 = 5_353

    private let socket: OwnedSocket
    private let family: Int32
    private let interfaces: [UInt32]

    var descriptor: Int32 { socket.descriptor }

    /// Nil when the system has no such family or no link to speak on.
    init?(family: Int32, interfaces: [UInt32]) {
        let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = Glibc.socket(family, kind, 0)
        guard descriptor >= 0 else { return nil }
        socket = OwnedSocket(descriptor)
        self.family = family
        var one: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, 4)
        if family == AF_INET6 { setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &one, 4) }
        guard Self.bind(descriptor, family, Self.port) || Self.bind(descriptor, family, 0) else { return nil }
        // Linux gives a socket also what other sockets joined, unless told not to: IP_MULTICAST_ALL, IPV6_MULTICAST_ALL.
        var none: Int32 = 0
        if family == AF_INET {
            setsockopt(descriptor, Int32(IPPROTO_IP), 49, &none, 4)
        } else {
            setsockopt(descriptor, Int32(IPPROTO_IPV6), 29, &none, 4)
        }
        // Packets of multicast DNS travel with the highest hop limit (RFC 6762 §11).
        var hops: Int32 = 255
        if family == AF_INET {
            setsockopt(descriptor, Int32(IPPROTO_IP), IP_MULTICAST_TTL, &hops, 4)
        } else {
            setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_MULTICAST_HOPS, &hops, 4)
        }
        self.interfaces = interfaces.filter { Self.join(descriptor, family, $0) }
        if self.interfaces.isEmpty { return nil }
    }

    private static func bind(_ descriptor: Int32, _ family: Int32, _ port: UInt16) -> Bool {
        if family == AF_INET {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            return withGeneric(&address) { Glibc.bind(descriptor, $0, $1) == 0 }
        }
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        return withGeneric(&address) { Glibc.bind(descriptor, $0, $1) == 0 }
    }

    private static func join(_ descriptor: Int32, _ family: Int32, _ interface: UInt32) -> Bool {
        if family == AF_INET {
            var request = Self.request4(interface)
            let size = socklen_t(MemoryLayout<ip_mreqn>.size)
            return setsockopt(descriptor, Int32(IPPROTO_IP), IP_ADD_MEMBERSHIP, &request, size) == 0
        }
        var request = ipv6_mreq()
        request.ipv6mr_multiaddr = Self.group6
        request.ipv6mr_interface = interface
        let size = socklen_t(MemoryLayout<ipv6_mreq>.size)
        return setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_ADD_MEMBERSHIP, &request, size) == 0
    }

    /// 224.0.0.251
    private static let group4: UInt32 = 0xE000_00FB

    private static func request4(_ interface: UInt32) -> ip_mreqn {
        var request = ip_mreqn()
        request.imr_multiaddr.s_addr = group4.bigEndian
        request.imr_ifindex = Int32(bitPattern: interface)
        return request
    }

    /// ff02::fb
    private static var group6: in6_addr {
        var address = in6_addr()
        withUnsafeMutableBytes(of: &address) { bytes in
            bytes[0] = 0xFF
            bytes[1] = 0x02
            bytes[15] = 0xFB
        }
        return address
    }

    private static func withGeneric<Address, Result>(
        _ address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        let size = socklen_t(MemoryLayout<Address>.size)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
        }
    }

    /// Sends a message on each link.
    func send(_ message: [UInt8]) {
        for interface in interfaces {
            if family == AF_INET {
                var request = Self.request4(interface)
                let size = socklen_t(MemoryLayout<ip_mreqn>.size)
                setsockopt(descriptor, Int32(IPPROTO_IP), IP_MULTICAST_IF, &request, size)
                var address = sockaddr_in()
                address.sin_family = sa_family_t(AF_INET)
                address.sin_port = Self.port.bigEndian
                address.sin_addr.s_addr = Self.group4.bigEndian
                _ = Self.withGeneric(&address) { sendto(descriptor, message, message.count, 0, $0, $1) }
            } else {
                var index = interface
                setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_MULTICAST_IF, &index, 4)
                var address = sockaddr_in6()
                address.sin6_family = sa_family_t(AF_INET6)
                address.sin6_port = Self.port.bigEndian
                address.sin6_addr = Self.group6
                address.sin6_scope_id = interface
                _ = Self.withGeneric(&address) { sendto(descriptor, message, message.count, 0, $0, $1) }
            }
        }
    }

    /// The next message that waits; nil when none does.
    func receive(into buffer: inout [UInt8]) -> [UInt8]? {
        let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
        return count >= 0 ? Array(buffer.prefix(count)) : nil
    }
}
