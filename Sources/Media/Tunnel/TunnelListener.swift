import Glibc
import MediaRules

/// A listening socket on the loopback address.
final class TunnelListener: Sendable {
    private let socket: OwnedSocket
    /// Address and port, the IPv6 address in brackets.
    let place: String

    init(onIPv6: Bool) throws(RelayServerError) {
        guard let socket = OwnedSocket.stream(onIPv6 ? AF_INET6 : AF_INET) else { throw Self.failure() }
        self.socket = socket
        var port: UInt16 = 0
        let isListening =
            onIPv6
            ? Self.listen(socket, sockaddr_in6.loopback) { port = UInt16(bigEndian: $0.sin6_port) }
            : Self.listen(socket, sockaddr_in.loopback) { port = UInt16(bigEndian: $0.sin_port) }
        guard isListening, port > 0 else { throw Self.failure() }
        place = (onIPv6 ? "[::1]" : "127.0.0.1") + ":\(port)"
    }

    private static func failure() -> RelayServerError { .local(String(cString: strerror(errno))) }

    private static func listen<Address>(_ socket: OwnedSocket, _ address: Address, _ bound: (Address) -> Void) -> Bool {
        var address = address
        var length = socklen_t(MemoryLayout<Address>.size)
        let isDone = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(socket.descriptor, generic, length) == 0 && Glibc.listen(socket.descriptor, 16) == 0
                    && getsockname(socket.descriptor, generic, &length) == 0
            }
        }
        if isDone { bound(address) }
        return isDone
    }

    /// Waits for the next connection; nil once the flag is raised.
    func accept(until stop: StopFlag) -> OwnedSocket? {
        while true {
            var waiting = [
                pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            _ = poll(&waiting, 2, -1)
            if waiting[1].revents != 0 { return nil }
            let descriptor = Glibc.accept(socket.descriptor, nil, nil)
            if descriptor >= 0 {
                _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
                _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
                return OwnedSocket(descriptor)
            }
            // Out of descriptors, for example: not in a circle at full speed.
            if errno != EAGAIN, errno != EINTR, errno != ECONNABORTED { _ = poll(&waiting[1], 1, 100) }
        }
    }
}

extension sockaddr_in {
    fileprivate static var loopback: sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}

extension sockaddr_in6 {
    fileprivate static var loopback: sockaddr_in6 {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_addr = in6addr_loopback
        return address
    }
}
