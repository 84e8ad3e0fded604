import BaseKit
import Glibc
import MediaRules

/// One connection through a tunnel, from its beginning to its end on one thread.
///
/// Neither side is read while too much waits for the other: the system then makes the sender wait.
struct TunnelConnection {
    let client: OwnedSocket
    let tls: TunnelTLS
    let limits: TunnelLimits
    let stop: StopFlag

    /// Carries bytes until one side ends, the tunnel is closed or something fails.
    func run(report: (RelayServerError) -> Void) {
        do throws(RelayServerError) {
            client.sendAtOnce()
            let deadline = Instant.now + limits.setUp
            guard let server = try dial(until: deadline) else { return }
            server.sendAtOnce()
            let session = try tls.makeSession()
            guard try agree(server, session, until: deadline) else { return }
            carry(server, session)
        } catch {
            report(error)
        }
    }

    // MARK: Reaching the server

    /// Connects to the first of the host's addresses that answers; nil when the tunnel was closed.
    private func dial(until deadline: Instant) throws(RelayServerError) -> OwnedSocket? {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_ADDRCONFIG | AI_NUMERICSERV
        // With AI_ADDRCONFIG a literal of a family that only loopback has would be unknown.
        if InternetAddress(literal: tls.url.host) != nil { hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV }
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(tls.url.host, "\(tls.url.port)", &hints, &list) == 0 else { throw .unknownHost(tls.url.host) }
        defer { freeaddrinfo(list) }
        var reason = "no answer"
        var next = list
        while let entry = next, Instant.now < deadline {
            next = entry.pointee.ai_next
            guard let socket = OwnedSocket.stream(entry.pointee.ai_family) else { continue }
            let result = connect(socket.descriptor, entry.pointee.ai_addr, entry.pointee.ai_addrlen)
            if result != 0, errno != EINPROGRESS {
                reason = String(cString: strerror(errno))
                continue
            }
            // The next address gets its share of the time.
            let share = next == nil ? deadline : .now + (deadline - .now) / 2
            guard let isReady = wait(socket, Int16(POLLOUT), until: share) else { return nil }
            var error: Int32 = 0
            var length = socklen_t(4)
            getsockopt(socket.descriptor, SOL_SOCKET, SO_ERROR, &error, &length)
            if isReady, error == 0 { return socket }
            reason = isReady ? String(cString: strerror(error)) : "no answer"
        }
        throw .unreachable(tls.url.place, reason: reason)
    }

    /// Does the handshake; false when the tunnel was closed or the client left.
    private func agree(
        _ server: OwnedSocket, _ session: TunnelTLS.Session, until deadline: Instant
    ) throws(RelayServerError) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let verdict = Result { () throws(RelayServerError) in try session.handshake() }
            // OpenSSL may have left an alert that tells the server why.
            let isSent = flush(session, to: server, &buffer)
            if try verdict.get(), session.waitingOutput == 0 { return true }
            guard isSent != .over else { throw .handshake(tls.url.place, reason: "the server closed the connection") }
            let wanted = Int16(POLLIN) | (session.waitingOutput > 0 ? Int16(POLLOUT) : 0)
            guard let isReady = wait(server, wanted, until: deadline) else { return false }
            guard isReady else { throw .handshake(tls.url.place, reason: "no answer") }
            switch buffer.withUnsafeMutableBytes({ server.receive(into: $0) }) {
            case .bytes(let count):
                buffer.withUnsafeBytes { session.receive(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
            case .wouldBlock: break
            case .over: throw .handshake(tls.url.place, reason: "the server closed the connection")
            }
        }
    }

    /// Waits for a socket; nil when the tunnel was closed, false when the time is over.
    private func wait(_ socket: OwnedSocket, _ events: Int16, until deadline: Instant) -> Bool? {
        while true {
            var waiting = [
                pollfd(fd: socket.descriptor, events: events, revents: 0),
                pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            _ = poll(&waiting, 2, (deadline - .now).forPoll)
            if waiting[1].revents != 0 { return nil }
            if waiting[0].revents != 0 { return true }
            if Instant.now >= deadline { return false }
        }
    }

    // MARK: Carrying

    private struct Ends {
        var client = false
        var server = false
        var deadline: Instant?
    }

    private func carry(_ server: OwnedSocket, _ session: TunnelTLS.Session) {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        var toClient = ByteQueue()
        var ends = Ends()
        while true {
            fromClient(session, &buffer, &ends)
            fromServer(server, session, &buffer, &toClient, &ends)
            if flush(session, to: server, &buffer) == .over { ends.server = true }
            let wasFull = toClient.count >= limits.bytesWaiting
            if !deliver(&toClient) { ends.client = true }
            // What OpenSSL has taken from the network already wakes nobody.
            if wasFull, toClient.count < limits.bytesWaiting, !ends.client, !ends.server { continue }
            if ends.client || ends.server {
                let isDrained = ends.server ? toClient.isEmpty || ends.client : session.waitingOutput == 0
                let deadline = ends.deadline ?? .now + limits.farewell
                ends.deadline = deadline
                if isDrained || Instant.now >= deadline { break }
            }
            if !waitForMore(server, session, toClient, ends) { break }
        }
        session.shutDown()
        _ = flush(session, to: server, &buffer)
    }

    private func fromClient(_ session: TunnelTLS.Session, _ buffer: inout [UInt8], _ ends: inout Ends) {
        guard !ends.client, !ends.server else { return }
        while session.waitingOutput < limits.bytesWaiting {
            switch buffer.withUnsafeMutableBytes({ client.receive(into: $0) }) {
            case .bytes(let count):
                let isTaken = buffer.withUnsafeBytes {
                    session.write(UnsafeRawBufferPointer(rebasing: $0.prefix(count)))
                }
                if !isTaken { ends.server = true }
            case .wouldBlock: return
            case .over:
                ends.client = true
                return
            }
        }
    }

    private func fromServer(
        _ server: OwnedSocket, _ session: TunnelTLS.Session, _ buffer: inout [UInt8], _ toClient: inout ByteQueue,
        _ ends: inout Ends
    ) {
        guard !ends.client, !ends.server else { return }
        while toClient.count < limits.bytesWaiting {
            switch buffer.withUnsafeMutableBytes({ session.read(into: $0) }) {
            case .bytes(let count): toClient.append(buffer[..<count])
            case .closed:
                ends.server = true
                return
            case .needsInput:
                switch buffer.withUnsafeMutableBytes({ server.receive(into: $0) }) {
                case .bytes(let count):
                    buffer.withUnsafeBytes { session.receive(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
                case .wouldBlock: return
                case .over:
                    ends.server = true
                    return
                }
            }
        }
    }

    /// Hands waiting records to the network.
    private func flush(
        _ session: TunnelTLS.Session, to server: OwnedSocket, _ buffer: inout [UInt8]
    ) -> OwnedSocket.Outcome {
        session.flush(through: &buffer) { server.send($0) }
    }

    /// False when the client is gone.
    private func deliver(_ queue: inout ByteQueue) -> Bool {
        while !queue.isEmpty {
            switch queue.withFront({ client.send($0) }) {
            case .bytes(let count): queue.removeFirst(count)
            case .wouldBlock: return true
            case .over: return false
            }
        }
        return true
    }

    /// Waits until something can go on; false when the tunnel was closed.
    private func waitForMore(
        _ server: OwnedSocket, _ session: TunnelTLS.Session, _ toClient: ByteQueue, _ ends: Ends
    ) -> Bool {
        let isOpen = !ends.client && !ends.server
        var clientEvents: Int16 = 0
        var serverEvents: Int16 = 0
        if isOpen, session.waitingOutput < limits.bytesWaiting { clientEvents |= Int16(POLLIN) }
        if !toClient.isEmpty { clientEvents |= Int16(POLLOUT) }
        if isOpen, toClient.count < limits.bytesWaiting { serverEvents |= Int16(POLLIN) }
        if session.waitingOutput > 0 { serverEvents |= Int16(POLLOUT) }
        var waiting = [
            // A descriptor below 0 is passed over: an end that is gone would be reported again and again.
            pollfd(fd: ends.client ? -1 : client.descriptor, events: clientEvents, revents: 0),
            pollfd(fd: ends.server ? -1 : server.descriptor, events: serverEvents, revents: 0),
            pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&waiting, 3, ends.deadline.map { ($0 - .now).forPoll } ?? -1)
        // A peer that reset while it is not read (too much waits for the other) must not turn the loop in circles.
        for index in 0..<2 where waiting[index].revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { return false }
        return waiting[2].revents == 0
    }
}
