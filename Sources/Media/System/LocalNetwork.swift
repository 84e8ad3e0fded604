import Glibc

/// What the machine's network looks like from inside.
enum LocalNetwork {
    /// Whether no interface but loopback has an address: a test call has to do with that one.
    static var hasOnlyLoopback: Bool { families.isEmpty }

    /// Whether addresses are to be had, but none of them of IPv4.
    static var hasOnlyIPv6: Bool { families == [AF_INET6] }

    /// The address families that interfaces have which are up, loopback apart.
    private static var families: Set<Int32> {
        var found: Set<Int32> = []
        for interface in interfaces where !interface.isLoopback { found.insert(interface.family) }
        return found
    }

    /// An address of an interface that is up.
    struct Interface: Hashable {
        var index: UInt32
        var family: Int32
        var isLoopback: Bool
        var canMulticast: Bool
    }

    /// The addresses of all interfaces that are up, IPv4 and IPv6.
    static var interfaces: [Interface] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var found: [Interface] = []
        var next = list
        while let entry = next {
            next = entry.pointee.ifa_next
            let flags = Int(entry.pointee.ifa_flags)
            guard flags & Int(IFF_UP) != 0, let address = entry.pointee.ifa_addr else { continue }
            let family = Int32(address.pointee.sa_family)
            guard family == AF_INET || family == AF_INET6 else { continue }
            found.append(
                Interface(
                    index: if_nametoindex(entry.pointee.ifa_name), family: family,
                    isLoopback: flags & Int(IFF_LOOPBACK) != 0, canMulticast: flags & Int(IFF_MULTICAST) != 0))
        }
        return found
    }
}
