import Glibc

/// What the machine's network looks like from inside.
enum LocalNetwork {
    /// Whether no interface but loopback has an address: a test call has to do with that one.
    static var hasOnlyLoopback: Bool {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return false }
        defer { freeifaddrs(list) }
        var next = list
        while let entry = next {
            let flags = Int(entry.pointee.ifa_flags)
            let isUp = flags & Int(IFF_UP) != 0
            let isLoopback = flags & Int(IFF_LOOPBACK) != 0
            if isUp, !isLoopback, let address = entry.pointee.ifa_addr {
                let family = Int32(address.pointee.sa_family)
                if family == AF_INET || family == AF_INET6 { return false }
            }
            next = entry.pointee.ifa_next
        }
        return true
    }
}
