import Glibc

/// An IPv4 or IPv6 address in its text form; names are none.
package struct InternetAddress: Hashable, Sendable {
    private let bytes: [UInt8]

    package init?(literal: String) {
        var version4 = in_addr()
        var version6 = in6_addr()
        if inet_pton(AF_INET, literal, &version4) == 1 {
            bytes = withUnsafeBytes(of: version4) { [UInt8]($0) }
        } else if inet_pton(AF_INET6, literal, &version6) == 1 {
            let all = withUnsafeBytes(of: version6) { [UInt8]($0) }
            // ::ffff:a.b.c.d is the IPv4 address a.b.c.d.
            let isMapped = all.prefix(10).allSatisfy { $0 == 0 } && all[10] == 0xFF && all[11] == 0xFF
            bytes = isMapped ? [UInt8](all[12...]) : all
        } else {
            return nil
        }
    }

    /// The address as RFC 5952 writes it.
    package var text: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    package var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }

    /// Neither unspecified nor multicast, broadcast or reserved, and not of one link only (fe80::/10): which link it means
    /// would be in a zone that no candidate carries.
    var isUnicast: Bool {
        if bytes.count == 4 { return bytes[0] != 0 && bytes[0] < 224 }
        let isOfLink = bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
        return bytes[0] != 0xFF && !isOfLink && !bytes.allSatisfy { $0 == 0 }
    }
}
