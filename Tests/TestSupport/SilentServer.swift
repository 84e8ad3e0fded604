import Foundation
import Synchronization

/// A socket on the loopback that takes connections, says nothing unless the test lets it, and counts what whoever connects sends.
public final class SilentServer: Sendable {
    /// The bytes of each connection so far.
    private struct State {
        var received: [Int32: Int] = [:]
        var ended: [Int] = []
        var isStopped = false
    }

    public let port: UInt16
    private let descriptor: Int32
    private let answer: @Sendable ([UInt8]) -> [UInt8]
    private let state = Mutex(State())

    /// - Parameter answer: what is said to bytes that came in at once; nothing by itself.
    /// - Throws: `Overdue` when there is no socket to be had.
    public init(_ answer: @escaping @Sendable ([UInt8]) -> [UInt8] = { _ in [] }) throws {
        self.answer = answer
        (descriptor, port) = try Self.socketOnFreePort()
        guard listen(descriptor, 16) == 0 else { throw Overdue("No socket to listen on: \(errno).") }
        Thread.detachNewThread { [self] in serve() }
    }

    /// A port of the loopback on which nobody listens.
    /// - Throws: `Overdue` when there is none to be had.
    public static func closedPort() throws -> UInt16 {
        let (descriptor, port) = try socketOnFreePort()
        close(descriptor)
        return port
    }

    private static func socketOnFreePort() throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw Overdue("No port is free: \(errno).") }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    /// What each connection that has ended had sent, in bytes.
    public var ended: [Int] { state.withLock { $0.ended } }

    /// What the open connections have sent, in bytes.
    public var received: [Int] { state.withLock { Array($0.received.values) } }

    public func stop() {
        state.withLock { $0.isStopped = true }
    }

    private func serve() {
        var open: [Int32] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !state.withLock({ $0.isStopped }) {
            var polled = ([descriptor] + open).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&polled, nfds_t(polled.count), 50) > 0 else { continue }
            for item in polled where item.revents != 0 {
                if item.fd == descriptor {
                    let connection = accept(descriptor, nil, nil)
                    guard connection >= 0 else { continue }
                    open.append(connection)
                    state.withLock { $0.received[connection] = 0 }
                    continue
                }
                let count = read(item.fd, &buffer, buffer.count)
                if count > 0 {
                    state.withLock { $0.received[item.fd, default: 0] += count }
                    let words = answer(Array(buffer[..<count]))
                    _ = send(item.fd, words, words.count, Int32(MSG_NOSIGNAL))
                } else {
                    open.removeAll { $0 == item.fd }
                    state.withLock { state in
                        state.ended.append(state.received.removeValue(forKey: item.fd) ?? 0)
                    }
                    close(item.fd)
                }
            }
        }
        for connection in open { close(connection) }
        close(descriptor)
    }
}
