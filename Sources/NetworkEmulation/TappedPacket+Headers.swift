import Glibc

/// What the headers say (RFC 791, RFC 8200, RFC 768, RFC 9293); nil where a packet is too short or of another kind. IPv6
/// extension headers are not followed.
extension TappedPacket {
    /// What an IP packet carries.
    package enum Payload: Sendable, Equatable {
        /// ICMP of either version.
        case icmp
        /// TCP.
        case tcp
        /// UDP.
        case udp
        /// Another protocol, by its number.
        case other(UInt8)
    }

    private var isVersion6: Bool { bytes.first.map { $0 >> 4 } == 6 }

    private var headerLength: Int? {
        guard let first = bytes.first else { return nil }
        let length = isVersion6 ? 40 : Int(first & 0xF) * 4
        return length >= 20 && bytes.count >= length ? length : nil
    }

    /// Where what it carries begins.
    var payloadStart: Int? { headerLength }

    /// Whether it is a later part of a larger packet, without ports (RFC 791 §3.1).
    var isLaterFragment: Bool {
        !isVersion6 && headerLength != nil && (UInt16(bytes[6]) << 8 | UInt16(bytes[7])) & 0x1FFF != 0
    }

    /// What it carries.
    package var payload: Payload? {
        guard headerLength != nil else { return nil }
        switch bytes[isVersion6 ? 6 : 9] {
        case 1, 58: return .icmp
        case 6: return .tcp
        case 17: return .udp
        case let number: return .other(number)
        }
    }

    /// The sender's address as text.
    package var source: String? { isVersion6 ? address(at: 8) : address(at: 12) }
    /// The receiver's address as text.
    package var destination: String? { isVersion6 ? address(at: 24) : address(at: 16) }
    /// The sender's port of UDP or TCP.
    package var sourcePort: UInt16? { port(0) }
    /// The receiver's port of UDP or TCP.
    package var destinationPort: UInt16? { port(2) }

    /// What a UDP packet carries.
    package var datagram: ArraySlice<UInt8>? {
        guard payload == .udp, let start = headerLength, bytes.count >= start + 8 else { return nil }
        return bytes[(start + 8)...]
    }

    /// What a TCP packet carries.
    package var segment: ArraySlice<UInt8>? {
        guard payload == .tcp, let start = headerLength, bytes.count >= start + 20 else { return nil }
        let offset = start + Int(bytes[start + 12] >> 4) * 4
        return offset <= bytes.count ? bytes[offset...] : nil
    }

    /// Whether a system sends it by itself when a device comes up: neighbours, routers and groups of IPv6 (RFC 4861 §4,
    /// RFC 9777).
    var isHousekeeping: Bool {
        guard isVersion6, let start = headerLength else { return false }
        // Reports of multicast groups have a hop-by-hop header before ICMP.
        let kind = bytes[6] == 0 ? start + 8 : start
        guard bytes[6] == 0 || bytes[6] == 58, bytes.indices.contains(kind) else { return false }
        return (130...137).contains(bytes[kind]) || bytes[kind] == 143
    }

    private func port(_ offset: Int) -> UInt16? {
        guard payload == .udp || payload == .tcp, let start = headerLength, bytes.count >= start + 4 else { return nil }
        return UInt16(bytes[start + offset]) << 8 | UInt16(bytes[start + offset + 1])
    }

    private func address(at offset: Int) -> String? {
        guard headerLength != nil else { return nil }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = isVersion6 ? AF_INET6 : AF_INET
        let isText = bytes.withUnsafeBytes { raw in
            inet_ntop(family, raw.baseAddress.map { $0 + offset }, &text, socklen_t(text.count)) != nil
        }
        return isText ? String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }
}
