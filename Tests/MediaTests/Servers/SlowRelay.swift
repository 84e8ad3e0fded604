import BaseKit
import Glibc
import TestSupport

@testable import Media

/// A way to a TURN server over UDP on which the answers to an allocation take their time; all else passes at once.
final class SlowRelay: Sendable {
    let port: UInt16
    private let end: Int32

    /// Passes datagrams between a free port of `address` and a server there. `delay` is of each answer.
    init(_ address: String, server: UInt16, delay: Duration) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Overdue("No pipe: \(errno).") }
        end = ends[1]
        let front = try Self.socket(address)
        port = try Self.port(of: front)
        let passage = Passage(front: front, end: ends[0], server: try Self.address(address, server), delay: delay)
        DetachedThread.start {
            var passage = passage
            passage.run()
        }
    }

    deinit { close(end) }

    /// What its thread has.
    private struct Passage: Sendable {
        let front: Int32
        let end: Int32
        let server: sockaddr_in
        let delay: Duration
        /// A socket for each who comes: the server tells them apart by it.
        private var backs: [(socket: Int32, client: sockaddr_in)] = []
        private var waiting: [(due: Instant, client: sockaddr_in, datagram: [UInt8])] = []

        init(front: Int32, end: Int32, server: sockaddr_in, delay: Duration) {
            (self.front, self.end, self.server, self.delay) = (front, end, server, delay)
        }

        mutating func run() {
            defer { for descriptor in [front, end] + backs.map(\.socket) { close(descriptor) } }
            while true {
                var polled = ([end, front] + backs.map(\.socket)).map {
                    pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
                }
                poll(&polled, nfds_t(polled.count), 20)
                if polled[0].revents != 0 { return }
                for (place, back) in zip(polled.dropFirst(2), backs) where place.revents != 0 { answer(of: back) }
                if polled[1].revents != 0 { takeQuestion() }
                for (_, client, datagram) in waiting.filter({ $0.due <= .now }) {
                    SlowRelay.with(client) { _ = sendto(front, datagram, datagram.count, 0, $0, $1) }
                }
                waiting.removeAll { $0.due <= .now }
            }
        }

        private mutating func takeQuestion() {
            var client = sockaddr_in()
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = withUnsafeMutablePointer(to: &client) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    recvfrom(front, &buffer, buffer.count, 0, $0, &size)
                }
            }
            guard count > 0, let back = back(for: client) else { return }
            _ = Glibc.send(back, buffer, count, 0)
        }

        private mutating func back(for client: sockaddr_in) -> Int32? {
            if let known = backs.first(where: {
                $0.client.sin_addr.s_addr == client.sin_addr.s_addr && $0.client.sin_port == client.sin_port
            }) {
                return known.socket
            }
            let made = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            guard made >= 0, SlowRelay.with(server, { connect(made, $0, $1) }) == 0 else { return nil }
            backs.append((made, client))
            return made
        }

        private mutating func answer(of back: (socket: Int32, client: sockaddr_in)) {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = recv(back.socket, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            let datagram = Array(buffer.prefix(count))
            waiting.append((.now + (SlowRelay.isAllocation(datagram) ? delay : .zero), back.client, datagram))
        }
    }

    /// RFC 8656 §17: the method Allocate, 3, in a response (0x0103) or an error (0x0113).
    fileprivate static func isAllocation(_ datagram: [UInt8]) -> Bool {
        datagram.count >= 20 && datagram[0] == 1 && (datagram[1] == 0x03 || datagram[1] == 0x13)
    }

    private static func socket(_ address: String) throws -> Int32 {
        let descriptor = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        guard descriptor >= 0, try with(self.address(address, 0), { bind(descriptor, $0, $1) }) == 0 else {
            throw Overdue("No socket: \(errno).")
        }
        return descriptor
    }

    private static func address(_ text: String, _ port: UInt16) throws -> sockaddr_in {
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = port.bigEndian
        guard inet_pton(AF_INET, text, &place.sin_addr) == 1 else { throw Overdue("No address: \(text).") }
        return place
    }

    private static func port(of descriptor: Int32) throws -> UInt16 {
        var place = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        guard status == 0 else { throw Overdue("No port: \(errno).") }
        return UInt16(bigEndian: place.sin_port)
    }

    fileprivate static func with<Result>(
        _ place: sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafePointer(to: place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }
}
