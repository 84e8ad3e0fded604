import Cryptography
import Foundation
import SMP
import SMPSession
import SMPTransport
import TestSupport
import Testing

/// A real file system that is really full: a small one in memory, which only the relay sees.
@Suite(.timeLimit(.minutes(2)), .onlyWhere(UserNamespace.canMount, UserNamespace.refusal))
struct FullDiskTests {
    private struct Queue {
        let ids: QueueIDs
        let key: AuthenticationPrivateKey
    }

    private func makeQueue(on connection: RelayConnection) async throws -> Queue {
        let key = AuthenticationPrivateKey.ed25519(.init())
        let request = QueueRequest(
            recipientKey: key.publicKey, agreementKey: X25519.PrivateKey().publicKey, subscribes: false,
            link: .messaging(nil))
        guard case .queue(let ids) = try await connection.request(RelayRequest(.new(request), key: key)) else {
            throw RelayRequestError.unexpectedResponse
        }
        return Queue(ids: ids, key: key)
    }

    @Test func `a full disk is emptied by its clients and takes messages again`() async throws {
        try await withState { state in
            try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
            let relay = try RelayProcess(
                ["--listen", "127.0.0.1:0", "--state", state, "--memory", "64", "--log-level", "error"],
                within: [
                    "/usr/bin/unshare", "--user", "--map-root-user", "--mount", "/bin/sh", "-c",
                    "mount -t tmpfs -o size=56m,mode=0700 none \"$0\" && exec \"$@\"", state,
                ])
            defer { relay.end(SIGTERM) }
            let connection = try await RelayConnection.connect(to: relay.address())
            var queues = [try await makeQueue(on: connection)]
            let spare = try await makeQueue(on: connection)
            let body = [UInt8](repeating: 9, count: 16_000)
            func send(to queue: Queue) async -> Result<BrokerMessage, RelayRequestError>? {
                await connection.requests([RelayRequest(.send(notify: false, body: body), entity: queue.ids.senderID)])
                    .first
            }
            let full = Result<BrokerMessage, RelayRequestError>.failure(.refused(.store("no room")))
            var stored = 0
            while stored < 5_000 {
                if stored > 0, stored % 100 == 0 { queues.append(try await makeQueue(on: connection)) }
                guard await send(to: queues[queues.count - 1]) == .success(.ok) else { break }
                stored += 1
            }
            try #require(stored > 500 && stored < 5_000, "\(stored) messages were stored")
            #expect(await send(to: spare) == full)
            await #expect(throws: RelayRequestError.refused(.store("no room"))) { try await makeQueue(on: connection) }
            // Everything that was accepted is there, and can be fetched, acknowledged, switched off and deleted.
            var fetched = 0
            for queue in queues {
                #expect(
                    try await connection.request(RelayRequest(.suspend, entity: queue.ids.recipientID, key: queue.key))
                        == .ok)
                for _ in 0..<10 {
                    let get = RelayRequest(.get, entity: queue.ids.recipientID, key: queue.key)
                    guard case .message(let id, _) = try await connection.request(get) else { break }
                    let acknowledgement = RelayRequest(.acknowledge(id), entity: queue.ids.recipientID, key: queue.key)
                    #expect(try await connection.request(acknowledgement) == .ok)
                    fetched += 1
                }
                #expect(
                    try await connection.request(RelayRequest(.delete, entity: queue.ids.recipientID, key: queue.key))
                        == .ok)
            }
            #expect(fetched >= min(stored, 10 * (queues.count - 1)))
            try await waitUntil("there is room again") { await send(to: spare) == .success(.ok) }
        }
    }
}
