import NIOCore

/// Where a connection comes from, as far as anything is counted by it: an address of IPv4, or a network of IPv6 of 64 bits,
/// which is what one subscriber has.
public enum ConnectionOrigin: Hashable, Sendable {
    case ipv4(UInt32)
    /// The first 64 bits.
    case ipv6(UInt64)

    /// Nil for 127.0.0.1 and ::1, where an onion service or a forwarder of ports speaks for many. Addresses of IPv4 within
    /// IPv6 count as what they are.
    public init?(_ address: SocketAddress) {
        switch address {
        case .v4(let address): self.init(v4: UInt32(bigEndian: address.address.sin_addr.s_addr))
        case .v6(let address):
            let halves = withUnsafeBytes(of: address.address.sin6_addr) { bytes in
                (bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            }
            let (high, low) = (UInt64(bigEndian: halves.0), UInt64(bigEndian: halves.1))
            if high == 0, low == 1 { return nil }
            // ::ffff:0:0/96 (RFC 4291 §2.5.5.2).
            if high == 0, low >> 32 == 0xFFFF {
                self.init(v4: UInt32(truncatingIfNeeded: low))
            } else {
                self = .ipv6(high)
            }
        case .unixDomainSocket: return nil
        }
    }

    private init?(v4 number: UInt32) {
        guard number != 0x7F00_0001 else { return nil }
        self = .ipv4(number)
    }
}
