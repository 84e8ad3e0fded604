import Cryptography
import Foundation
import SMP
import SMPSession
import SMPTransport
import Testing

/// The memory of a real relay that is given more than it may keep in memory.
@Suite(.timeLimit(.minutes(5))) struct MemoryTests {
    private static let setting = 64
    private static let bodySize = 16_000
    private static let queues = 70
    private static let messages = 100

    private struct Queue: Sendable {
        let ids: QueueIDs
        let key: AuthenticationPrivateKey
    }

    private struct Refused: Error {}

    /// A figure of the kernel's about a process, in bytes.
    private func figure(_ name: String, of relay: RelayProcess) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(relay.identifier)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name + ":") })
        return try #require(Int(line.filter(\.isNumber))) * 1_024
    }

    private func start(_ state: String) throws -> (relay: RelayProcess, address: RelayAddress) {
        let relay = try RelayProcess([
            "--listen", "127.0.0.1:0", "--state", state, "--memory", "\(Self.setting)", "--log-level", "error",
        ])
        return (relay, try relay.address())
    }

    private func fill(_ address: RelayAddress) async throws -> [Queue] {
        try await withThrowingTaskGroup(of: [Queue].self) { group in
            for share in 0..<2 {
                group.addTask {
                    let connection = try await RelayConnection.connect(to: address)
                    var queues: [Queue] = []
                    for _ in 0..<(Self.queues / 2) {
                        queues.append(try await filledQueue(on: connection, UInt8(share)))
                    }
                    await connection.close()
                    return queues
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    private func filledQueue(on connection: RelayConnection, _ filling: UInt8) async throws -> Queue {
        let key = AuthenticationPrivateKey.ed25519(.init())
        let request = QueueRequest(
            recipientKey: key.publicKey, agreementKey: X25519.PrivateKey().publicKey, subscribes: false,
            link: .messaging(nil))
        let answer = try await connection.request(RelayRequest(.new(request), key: key))
        guard case .queue(let ids) = answer else { throw RelayRequestError.unexpectedResponse }
        let body = [UInt8](repeating: filling, count: Self.bodySize)
        let sends = (0..<Self.messages).map { _ in
            RelayRequest(.send(notify: false, body: body), entity: ids.senderID)
        }
        for answer in await connection.requests(sends) { guard answer == .success(.ok) else { throw Refused() } }
        return Queue(ids: ids, key: key)
    }

    @Test func `what waits takes no more memory than the setting before and after a restart`() async throws {
        try await withState { state in
            let allowed = Self.setting << 20
            // Nothing is shown by messages that would fit.
            #expect(Self.queues * Self.messages * Self.bodySize > allowed * 3 / 2)
            var (relay, address) = try start(state)
            let empty = try figure("VmRSS", of: relay)
            let queues = try await fill(address)
            let filled = try figure("VmHWM", of: relay)
            #expect(
                filled < empty + allowed, "\(empty >> 20) MiB empty, \(filled >> 20) MiB at most while it was filled")
            relay.end(SIGTERM)

            (relay, address) = try start(state)
            let connection = try await RelayConnection.connect(to: address)
            for queue in queues {
                let answer = try await connection.request(
                    RelayRequest(.get, entity: queue.ids.recipientID, key: queue.key))
                guard case .message = answer else {
                    Issue.record("a message is gone")
                    break
                }
            }
            let restarted = try figure("VmHWM", of: relay)
            #expect(
                restarted < empty + allowed / 2, "\(empty >> 20) MiB empty, \(restarted >> 20) MiB with all of it again"
            )
            await connection.close()
            relay.end(SIGTERM)
        }
    }
}
