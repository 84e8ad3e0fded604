import NIOCore
import SMPSession

extension ConnectionOrigin {
    /// Nil for 127.0.0.1 and ::1, and for sockets that are no network's.
    public init?(_ address: SocketAddress) {
        switch address {
        case .v4(let address): self.init(v4: UInt32(bigEndian: address.address.sin_addr.s_addr))
        case .v6(let address):
            let origin = withUnsafeBytes(of: address.address.sin6_addr) { ConnectionOrigin(v6: $0) }
            guard let origin else { return nil }
            self = origin
        case .unixDomainSocket: return nil
        }
    }
}
