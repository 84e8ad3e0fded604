import BaseKit
import Glibc
import MediaRules
import STUN

/// A socket to a server that is tested, for a thread that may block.
final class ServerLine {
    /// The pauses between the times a datagram is sent: nobody knows whether it arrived (RFC 8489 §6.2.1, shortened).
    private static let pauses: [Duration] = [.milliseconds(500), .seconds(1), .milliseconds(1_500), .seconds(2)]
    /// The time for reaching a server by TCP, and for its answers; a tunnel needs it for TLS.
    private static let patience: Duration = .seconds(8)

    private let socket: OwnedSocket
    private let isDatagram: Bool
    private let place: String
    private var received: [UInt8] = []

    /// Reaches a server at the first of its addresses that can be reached.
    init(_ host: String, _ port: UInt16, isDatagram: Bool, place: String) throws(ServerTestError) {
        self.isDatagram = isDatagram
        self.place = place
        var hints = addrinfo()
        hints.ai_socktype = Int32(isDatagram ? SOCK_DGRAM.rawValue : SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &list) == 0 else { throw .way(.unknownHost(host)) }
        defer { freeaddrinfo(list) }
        var reason = "nobody is there"
        var next = list
        while let entry = next {
            next = entry.pointee.ai_next
            if let socket = Self.connect(entry.pointee, &reason) {
                self.socket = socket
                return
            }
        }
        throw .way(.unreachable(place, reason: reason))
    }

    private static func connect(_ entry: addrinfo, _ reason: inout String) -> OwnedSocket? {
        let kind = entry.ai_socktype | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = Glibc.socket(entry.ai_family, kind, 0)
        guard descriptor >= 0 else { return nil }
        let socket = OwnedSocket(descriptor)
        if Glibc.connect(descriptor, entry.ai_addr, entry.ai_addrlen) == 0 { return socket }
        var fault = errno
        if fault == EINPROGRESS {
            guard wait(descriptor, POLLOUT, until: .now + patience) else {
                reason = String(cString: strerror(ETIMEDOUT))
                return nil
            }
            var length = socklen_t(4)
            getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &fault, &length)
        }
        guard fault == 0 else {
            reason = String(cString: strerror(fault))
            return nil
        }
        return socket
    }

    /// Sends a question until `receive` makes something of what comes; nil when nothing does in time.
    func ask<Step>(
        _ question: [UInt8], _ receive: ([UInt8]) -> Step?
    ) throws(ServerTestError) -> Step? {
        for pause in isDatagram ? Self.pauses : [Self.patience] {
            send(question)
            let end = Instant.now + pause
            while Self.wait(socket.descriptor, POLLIN, until: end) {
                if let step = try read(receive) { return step }
            }
        }
        return nil
    }

    func send(_ bytes: [UInt8]) { _ = bytes.withUnsafeBytes { socket.send($0) } }

    /// Reads what is there.
    private func read<Step>(_ receive: ([UInt8]) -> Step?) throws(ServerTestError) -> Step? {
        var buffer = [UInt8](repeating: 0, count: STUNMessage.maximumLength)
        switch buffer.withUnsafeMutableBytes({ socket.receive(into: $0) }) {
        case .wouldBlock: return nil
        case .over:
            // A datagram that nobody takes comes back as an error.
            throw isDatagram
                ? .way(.unreachable(place, reason: String(cString: strerror(ECONNREFUSED)))) : .silent(place)
        case .bytes(let count):
            guard !isDatagram else { return receive(Array(buffer[..<count])) }
            received += buffer[..<count]
            // What comes at once may be several messages; nobody would say again that the rest is there.
            while received.count >= STUNMessage.headerLength {
                guard let length = STUNMessage.length(received) else { throw .malformed(place) }
                guard received.count >= length else { return nil }
                let message = Array(received[..<length])
                received.removeFirst(length)
                if let step = receive(message) { return step }
            }
            return nil
        }
    }

    private static func wait(_ descriptor: Int32, _ events: Int32, until end: Instant) -> Bool {
        while true {
            let rest = end - .now
            guard rest > .zero else { return false }
            var wanted = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            let result = poll(&wanted, 1, rest.forPoll)
            if result > 0 { return true }
            if result == 0 || errno != EINTR { return false }
        }
    }
}

/// Why a tunnel failed, told on a thread of its own.
final class TunnelFailure: Sendable {
    private let state = Lock<RelayServerError?>(nil)

    func note(_ error: RelayServerError) { state.withLock { $0 = $0 ?? error } }

    /// The reason, which may come a moment after the tunnel's end was seen.
    var reason: RelayServerError? {
        for _ in 0..<20 {
            if let known = state.withLock({ $0 }) { return known }
            usleep(10_000)
        }
        return nil
    }
}
