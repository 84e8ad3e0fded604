import BaseKit
import SFURules
import Signaling
import Synchronization
import TestSupport
import Testing

@testable import SFU

/// A Janus of the test's own, and those who use it.
struct JanusTown {
    let folder: TemporaryFolder
    let server: JanusServer
    let keys: SFUKeys

    init(patience: JanusServer.Patience = .init(), token: String? = "test") async throws {
        folder = try TemporaryFolder()
        server = try await JanusServer(folder, keys: .init(token: token), patience: patience)
        keys = SFUKeys(roomKey: SecretText("create"), tokenSecret: token.map { SecretText($0) })
    }

    /// Somebody who keeps what they were told. `port`: of a tunnel, or the server's.
    func person(port: Int? = nil, keys: SFUKeys? = nil) throws -> Person {
        let address = try SFUAddress(parsing: "ws://127.0.0.1:\(port ?? Int(server.port))/")
        return Person(SFURoomClient(address: address, keys: keys ?? self.keys))
    }
}

/// A client with everything that it was told.
final class Person: Sendable {
    let client: SFURoomClient
    let feed = SFUFeed(id: .random(), display: "mark")
    private let told = Mutex<[SFUEvent]>([])

    init(_ client: SFURoomClient) {
        self.client = client
        Task { [weak self] in
            for await event in client.events { self?.told.withLock { $0.append(event) } }
        }
    }

    var events: [SFUEvent] { told.withLock { $0 } }

    func heard(_ event: SFUEvent) async throws {
        try await waitUntil("\(event) of \(events)") { events.contains(event) }
    }

    /// Joins, sends, and is connected.
    func publish(in room: SFURoom, _ authority: TestAuthority) async throws -> BarePeer {
        try await client.join(room, as: feed)
        let peer = try BarePeer(authority)
        try peer.connect(try await client.publish(peer.offer, as: feed.id))
        try await heard(.connected(.own(feed.id)))
        return peer
    }
}
