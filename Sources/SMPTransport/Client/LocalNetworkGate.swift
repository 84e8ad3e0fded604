import NIOCore
import SMPSession

/// Ends a connection to an address of this machine or of a private network before a byte is sent.
final class LocalNetworkGate: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    func channelActive(context: ChannelHandlerContext) {
        guard let address = context.remoteAddress, !Self.isLocal(address) else {
            context.fireErrorCaught(TransportError.noReachableHost)
            return context.close(promise: nil)
        }
        context.fireChannelActive()
    }

    /// Loopback, private, link-local and unspecified addresses (RFC 6890), also inside IPv6.
    static func isLocal(_ address: SocketAddress) -> Bool {
        switch address {
        case .v4(let address):
            withUnsafeBytes(of: address.address.sin_addr) { isLocal(v4: Array($0)) }
        case .v6(let address):
            withUnsafeBytes(of: address.address.sin6_addr) { isLocal(v6: Array($0)) }
        case .unixDomainSocket: true
        }
    }

    private static func isLocal(v4 bytes: [UInt8]) -> Bool {
        guard bytes.count == 4 else { return true }
        return switch (bytes[0], bytes[1], bytes[2]) {
        case (0, _, _), (10, _, _), (127, _, _), (169, 254, _), (192, 168, _): true
        // Shared by a provider's customers; for protocols and for measuring.
        case (172, 16...31, _), (100, 64...127, _), (192, 0, 0), (198, 18...19, _): true
        case (224..., _, _): true
        default: false
        }
    }

    private static func isLocal(v6 bytes: [UInt8]) -> Bool {
        guard bytes.count == 16 else { return true }
        if let inside = embedded(bytes) { return inside.isEmpty || inside.contains { isLocal(v4: $0) } }
        // fc00::/7, fe80::/10, fec0::/10, ff00::/8.
        return bytes[0] & 0xFE == 0xFC || (bytes[0] == 0xFE && bytes[1] & 0x80 == 0x80) || bytes[0] == 0xFF
    }

    /// The addresses of IPv4 that one of IPv6 stands for; none where that is this network's secret, nil where it stands for
    /// itself.
    private static func embedded(_ bytes: [UInt8]) -> [[UInt8]]? {
        let last = Array(bytes.suffix(4))
        switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
        case (0, 0, 0, 0):
            // ::ffff:0:0/96 maps, ::ffff:0:0:0/96 translates (RFC 4291, RFC 2765); ::/64 besides holds ::, ::1 and an
            // old form.
            let middle = Array(bytes[4..<12])
            let forms: [[UInt8]] = [[0, 0, 0, 0, 0, 0, 0xFF, 0xFF], [0, 0, 0, 0, 0xFF, 0xFF, 0, 0]]
            return forms.contains(middle) ? [last] : []
        // 64:ff9b::/96 is translated everywhere, 64:ff9b:1::/48 as a network likes (RFC 6052, RFC 8215).
        case (0, 0x64, 0xFF, 0x9B): return bytes[4..<12].allSatisfy { $0 == 0 } ? [last] : []
        // 6to4 (RFC 3056).
        case (0x20, 0x02, _, _): return [Array(bytes[2..<6])]
        // Teredo: its server, and its client with all bits turned over (RFC 4380).
        case (0x20, 0x01, 0, 0): return [Array(bytes[4..<8]), last.map { ~$0 }]
        default: break
        }
        // ISATAP (RFC 5214 §6.1).
        if bytes[8] & 0xFD == 0, bytes[9] == 0, bytes[10] == 0x5E, bytes[11] == 0xFE { return [last] }
        return nil
    }
}
