import NIOCore

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
        return switch (bytes[0], bytes[1]) {
        case (0, _), (10, _), (127, _), (169, 254), (192, 168): true
        case (172, 16...31), (100, 64...127): true
        case (224..., _): true
        default: false
        }
    }

    private static func isLocal(v6 bytes: [UInt8]) -> Bool {
        guard bytes.count == 16 else { return true }
        // ::/96 holds ::, ::1 and the old form of IPv4; ::ffff:0:0/96 its new form; 64:ff9b::/96 that of translators.
        if bytes.prefix(10).allSatisfy({ $0 == 0 }) {
            guard bytes[10] == 0xFF, bytes[11] == 0xFF else { return true }
            return isLocal(v4: Array(bytes.suffix(4)))
        }
        if bytes.prefix(4) == [0x00, 0x64, 0xFF, 0x9B] { return isLocal(v4: Array(bytes.suffix(4))) }
        // fc00::/7, fe80::/10, ff00::/8.
        return bytes[0] & 0xFE == 0xFC || (bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80) || bytes[0] == 0xFF
    }
}
