import Glibc

/// Where a connection comes from, as far as anything is counted by it: an address of IPv4, or a network of IPv6 of 64 bits,
/// which is what one subscriber has.
public enum ConnectionOrigin: Hashable, Sendable {
    case ipv4(UInt32)
    /// The first 64 bits.
    case ipv6(UInt64)

    /// Nil for 127.0.0.1, where an onion service or a forwarder of ports speaks for many.
    package init?(v4 number: UInt32) {
        guard number != 0x7F00_0001 else { return nil }
        self = .ipv4(number)
    }

    /// Nil for ::1. An address of IPv4 within IPv6 counts as what it is.
    package init?(high: UInt64, low: UInt64) {
        if high == 0, low == 1 { return nil }
        // ::ffff:0:0/96 (RFC 4291 §2.5.5.2).
        if high == 0, low >> 32 == 0xFFFF {
            self.init(v4: UInt32(truncatingIfNeeded: low))
        } else {
            self = .ipv6(high)
        }
    }

    /// What a text of an address stands for.
    public enum Reading: Equatable, Sendable {
        case origin(ConnectionOrigin)
        /// 127.0.0.1 or ::1.
        case thisMachine

        /// Reads an address (inet_pton(3)); nil if it is none.
        public init?(parsing text: String) {
            var v4 = in_addr()
            var v6 = in6_addr()
            let origin: ConnectionOrigin?
            if inet_pton(AF_INET, text, &v4) == 1 {
                origin = ConnectionOrigin(v4: UInt32(bigEndian: v4.s_addr))
            } else if inet_pton(AF_INET6, text, &v6) == 1 {
                origin = withUnsafeBytes(of: v6) { ConnectionOrigin(v6: $0) }
            } else {
                return nil
            }
            self = origin.map { .origin($0) } ?? .thisMachine
        }
    }

    /// - Parameter bytes: the 16 of an address.
    package init?(v6 bytes: UnsafeRawBufferPointer) {
        let (high, low) = (
            bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        )
        self.init(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
    }
}

extension ConnectionOrigin: CustomStringConvertible {
    /// The address, or the first one of the network.
    public var description: String {
        switch self {
        case .ipv4(let number): (0..<4).map { String(number >> (24 - 8 * $0) & 0xFF) }.joined(separator: ".")
        case .ipv6(let number):
            (0..<4).map { String(number >> (48 - 16 * $0) & 0xFFFF, radix: 16) }.joined(separator: ":") + "::"
        }
    }
}
