import Glibc
import SMP

/// Sockets without TLS.
enum RawSocket {
    /// Connects from an own address; nil when it is refused.
    static func dial(_ relay: RelayAddress, from address: String) -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        let own = endpoint(address, 0)
        let other = endpoint(relay.hosts.first ?? "127.0.0.1", relay.effectivePort)
        guard with(own, { bind(descriptor, $0, $1) }) == 0, with(other, { connect(descriptor, $0, $1) }) == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    static func endpoint(_ host: String, _ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        return address
    }

    static func with(
        _ address: sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
