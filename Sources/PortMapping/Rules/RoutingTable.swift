/// The kernel's table of routes of IPv4, as `/proc/net/route` shows it (proc(5)).
enum RoutingTable {
    /// `RTF_UP` and `RTF_GATEWAY` of `linux/route.h`.
    private static let (up, gateway): (UInt32, UInt32) = (1, 2)
    /// Lines that are looked at.
    private static let mostRoutes = 4_096

    /// The router that leads everywhere, by the route of the least metric; nil where there is none.
    static func router(in text: String) -> IPv4Address? {
        var best: (metric: UInt32, router: IPv4Address)?
        for line in text.split(separator: "\n").dropFirst().prefix(mostRoutes) {
            let fields = line.split { $0 == "\t" || $0 == " " }
            guard fields.count >= 8, fields[1] == "00000000", fields[7] == "00000000",
                let flags = UInt32(fields[3], radix: 16), flags & (up | gateway) == up | gateway,
                let address = UInt32(fields[2], radix: 16), let metric = UInt32(fields[6])
            else { continue }
            // In memory it stands in network order, and is printed as a number of this machine.
            guard let router = withUnsafeBytes(of: address, { IPv4Address($0) }), !router.isUnspecified,
                metric < best?.metric ?? .max
            else { continue }
            best = (metric, router)
        }
        return best?.router
    }
}
