import BaseKit
import Foundation
import Glibc
import RelayRules
import SMPSession

/// A UDP socket where whoever asks by STUN is told the own address, and the thread that answers there.
///
/// It is no NIO channel since an answer has to leave from the address that was asked, which on a socket of every interface only the
/// message's control data can say (ip(7), `IP_PKTINFO`; RFC 3542 §6).
final class AddressListener: Sendable {
    /// Longer datagrams are cut, and so none of STUN.
    private static let maximumDatagram = 2_048

    private let responder: SharedResponder
    private let sockets = Lock<[AddressSocket]>([])
    private let threads = DispatchGroup()

    init() { responder = SharedResponder() }

    var counts: AddressResponder.Counts { responder.withLock { $0.counts } }

    /// Opens one more socket; the thread that answers there runs until ``stop()``.
    /// - Parameter port: 0 for any free one.
    /// - Returns: the port.
    /// - Throws: `TransportError.cannotListen`.
    func start(host: String, port: UInt16) throws(TransportError) -> UInt16 {
        let socket: AddressSocket
        do throws(SocketFault) {
            socket = try AddressSocket(host: host, port: port)
        } catch {
            throw .cannotListen("\(RelayEndpoint(host: host, port: port)) for STUN: \(error.reason)")
        }
        sockets.withLock { $0.append(socket) }
        threads.enter()
        let thread = Thread { [responder, threads] in
            defer {
                socket.close()
                threads.leave()
            }
            var buffer = [UInt8](repeating: 0, count: Self.maximumDatagram)
            while socket.wait() {
                // What waits is answered at one go.
                while let received = socket.receive(into: &buffer) {
                    let answer = responder.withLock {
                        $0.receive(
                            Array(buffer[..<received.count]), from: received.address, port: received.port, at: .now)
                    }
                    if let answer { socket.send(answer, answering: received) }
                }
            }
        }
        thread.name = "stun"
        thread.stackSize = 256 * 1_024
        thread.start()
        return socket.port
    }

    /// Closes the sockets and ends their threads, which takes no longer than an answer.
    func stop() {
        let open = sockets.withLock { sockets in
            defer { sockets = [] }
            return sockets
        }
        for socket in open { socket.end() }
        threads.wait()
    }

    deinit { stop() }
}

/// The rules, for all sockets and their threads.
private final class SharedResponder: Sendable {
    private let responder = Lock(AddressResponder(time: .now))

    func withLock<Value: Sendable>(_ body: (inout AddressResponder) -> Value) -> Value {
        responder.withLock { body(&$0) }
    }
}

/// Why there is no socket.
struct SocketFault: Error { let reason: String }
