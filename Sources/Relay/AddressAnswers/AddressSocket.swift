import Glibc

/// A bound UDP socket that tells of each datagram which own address it was for, and answers from there.
final class AddressSocket: Sendable {
    /// A datagram's sender, and what makes the answer leave from the address that it came to.
    struct Received {
        let count: Int
        /// 4 or 16 bytes; those of IPv4 also where it came over a socket of IPv6.
        let address: [UInt8]
        let port: UInt16
        fileprivate var name: sockaddr_storage
        fileprivate let nameLength: socklen_t
        fileprivate var control: [UInt8]
    }

    /// Bytes of the largest control message that is asked for: a header of 16 and an in6_pktinfo of 20, rounded up (cmsg(3)).
    private static let controlLength = 40
    private static let headerLength = 16

    let port: UInt16
    private let descriptor: Int32
    /// A pipe that is written to when it is over.
    private let wake: (read: Int32, write: Int32)

    init(host: String, port: UInt16) throws(SocketFault) {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host.isEmpty ? nil : host, "\(port)", &hints, &list) == 0, let entry = list?.pointee else {
            throw SocketFault(reason: "\(host) is no address of this machine")
        }
        defer { freeaddrinfo(list) }
        let kind = entry.ai_socktype | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        descriptor = socket(entry.ai_family, kind, 0)
        var ends: [Int32] = [-1, -1]
        let hasPipe = pipe(&ends) == 0
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        wake = (ends[0], ends[1])
        guard descriptor >= 0, hasPipe else {
            let fault = Self.fault
            Self.close([descriptor] + ends)
            throw fault
        }
        var yes: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        if entry.ai_family == AF_INET6 {
            // Every interface of IPv6 is not every interface of IPv4, so that both can be listened on.
            setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &yes, size)
            setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_RECVPKTINFO, &yes, size)
        } else {
            setsockopt(descriptor, Int32(IPPROTO_IP), IP_PKTINFO, &yes, size)
        }
        guard bind(descriptor, entry.ai_addr, entry.ai_addrlen) == 0 else {
            let fault = Self.fault
            Self.close([descriptor] + ends)
            throw fault
        }
        var name = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let own = descriptor
        _ = withUnsafeMutablePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(own, $0, &length) }
        }
        self.port = Self.place(of: name).port
    }

    deinit { Self.close([wake.read, wake.write]) }

    private static func close(_ descriptors: [Int32]) {
        for descriptor in descriptors where descriptor >= 0 { _ = Glibc.close(descriptor) }
    }

    private static var fault: SocketFault { SocketFault(reason: String(cString: strerror(errno))) }

    /// Waits for datagrams; false when it is over.
    func wait() -> Bool {
        var wanted = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: wake.read, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&wanted, 2, -1) < 0 {
            guard errno == EINTR else { return false }
        }
        return wanted[1].revents == 0
    }

    /// Has ``wait()`` return false, from any thread.
    func end() { _ = write(wake.write, [1], 1) }

    /// Closes the socket; for who waits there and nobody else, once.
    func close() { Self.close([descriptor]) }

    /// The next datagram, if there is one.
    func receive(into buffer: inout [UInt8]) -> Received? {
        var name = sockaddr_storage()
        var control = [UInt8](repeating: 0, count: Self.controlLength)
        var message = msghdr()
        let count = buffer.withUnsafeMutableBytes { bytes in
            var part = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
            return Self.with(&message, &name, &control, &part) { recvmsg(descriptor, $0, 0) }
        }
        guard count >= 0 else {
            // What an earlier answer met, such as nobody there, is told here; there may be more behind it.
            return errno == ECONNREFUSED || errno == EINTR ? receive(into: &buffer) : nil
        }
        let (address, port) = Self.place(of: name)
        let length = min(Int(message.msg_controllen), control.count)
        return Received(
            count: count, address: address, port: port, name: name, nameLength: message.msg_namelen,
            control: Self.answering(Array(control[..<length])))
    }

    /// Sends an answer from the address that was asked. What can't be sent is lost, as datagrams are.
    func send(_ bytes: [UInt8], answering received: Received) {
        var (name, control, bytes) = (received.name, received.control, bytes)
        var message = msghdr()
        _ = bytes.withUnsafeMutableBytes { content in
            var part = iovec(iov_base: content.baseAddress, iov_len: content.count)
            return Self.with(&message, &name, &control, &part, nameLength: received.nameLength) {
                sendmsg(descriptor, $0, Int32(MSG_NOSIGNAL))
            }
        }
    }

    private static func with(
        _ message: inout msghdr, _ name: inout sockaddr_storage, _ control: inout [UInt8], _ part: inout iovec,
        nameLength: socklen_t = socklen_t(MemoryLayout<sockaddr_storage>.size),
        _ body: (UnsafeMutablePointer<msghdr>) -> Int
    ) -> Int {
        withUnsafeMutablePointer(to: &name) { name in
            control.withUnsafeMutableBytes { control in
                withUnsafeMutablePointer(to: &part) { part in
                    message.msg_name = UnsafeMutableRawPointer(name)
                    message.msg_namelen = nameLength
                    message.msg_iov = part
                    message.msg_iovlen = 1
                    message.msg_control = control.isEmpty ? nil : control.baseAddress
                    message.msg_controllen = control.count
                    return body(&message)
                }
            }
        }
    }

    /// The control data that has an answer leave from where the question came to. The interface is left to the system, as it may be
    /// another one than the question's, but for addresses that mean nothing without it.
    private static func answering(_ control: [UInt8]) -> [UInt8] {
        guard control.count >= headerLength else { return [] }
        let (level, kind) = control.withUnsafeBytes {
            ($0.load(fromByteOffset: 8, as: Int32.self), $0.load(fromByteOffset: 12, as: Int32.self))
        }
        var control = control
        if level == Int32(IPPROTO_IP), kind == IP_PKTINFO, control.count >= headerLength + 12 {
            // in_pktinfo: the interface's number, the own address, the one that the datagram named.
            for index in headerLength..<headerLength + 4 { control[index] = 0 }
            return control
        }
        if level == Int32(IPPROTO_IPV6), kind == IPV6_PKTINFO, control.count >= headerLength + 20 {
            // in6_pktinfo: the own address, the interface's number.
            let isLinkLocal = control[headerLength] == 0xFE && control[headerLength + 1] & 0xC0 == 0x80
            if !isLinkLocal { for index in headerLength + 16..<headerLength + 20 { control[index] = 0 } }
            return control
        }
        return []
    }

    private static func place(of name: sockaddr_storage) -> (address: [UInt8], port: UInt16) {
        withUnsafePointer(to: name) { pointer in
            switch Int32(name.ss_family) {
            case AF_INET:
                pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { v4 in
                    (withUnsafeBytes(of: v4.pointee.sin_addr) { Array($0) }, UInt16(bigEndian: v4.pointee.sin_port))
                }
            case AF_INET6:
                pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { v6 in
                    (withUnsafeBytes(of: v6.pointee.sin6_addr) { Array($0) }, UInt16(bigEndian: v6.pointee.sin6_port))
                }
            default: ([], 0)
            }
        }
    }
}
