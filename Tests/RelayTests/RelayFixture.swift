import Cryptography
import Foundation
import Relay
import SMP
import SMPSession
import SMPTransport

/// What a test wants other than usual.
struct RelayChange {
    let apply: (inout RelayConfiguration) -> Void

    init(_ apply: @escaping (inout RelayConfiguration) -> Void) { self.apply = apply }
}

/// A relay on loopback for the length of one test.
func withRelay(
    versions: SMPVersionRange = TransportConfiguration.defaultVersions, quota: Int = 128,
    change: RelayChange = .init { _ in },
    _ body: (RelayServer, RelayAddress) async throws -> Void
) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("parley-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let (relay, address) = try await startRelay {
        var configuration = RelayConfiguration(port: $0, stateDirectory: folder.path, versions: versions, quota: quota)
        // Tests don't wait for the next round.
        configuration.endingInterval = .zero
        change.apply(&configuration)
        return configuration
    }
    do {
        try await body(relay, address)
    } catch {
        await relay.stop()
        throw error
    }
    await relay.stop()
}

/// Starts a relay on a port that no outgoing connection is given while the relay is stopped.
func startRelay(
    _ configuration: (UInt16) -> RelayConfiguration
) async throws -> (RelayServer, RelayAddress) {
    for _ in 0..<20 {
        let relay = RelayServer(configuration: configuration(UInt16.random(in: 12_000..<32_000)))
        do throws(RelayStartError) {
            return (relay, try await relay.start())
        } catch .network(.cannotListen) {
            continue
        }
    }
    throw TransportError.cannotListen("no free port")
}

/// Starts a relay that was stopped. A program that another test starts may hold copies of its socket for a moment.
@discardableResult
func startAgain(_ relay: RelayServer) async throws -> RelayAddress {
    for _ in 0..<100 {
        do throws(RelayStartError) {
            return try await relay.start()
        } catch .network(.cannotListen) {
            try await Task.sleep(for: .milliseconds(20))
        }
    }
    return try await relay.start()
}

/// A queue as its recipient and its sender know it.
struct TestQueue {
    let recipientKey: AuthenticationPrivateKey
    let senderKey: AuthenticationPrivateKey
    let ids: QueueIDs
    let secret: SecretBytes

    /// Makes a queue on a connection.
    init(
        on connection: RelayConnection, subscribes: Bool = true, mode: QueueRequest.Link = .messaging(nil),
        recipientKey: AuthenticationPrivateKey = .ed25519(.init()),
        senderKey: AuthenticationPrivateKey = .ed25519(.init())
    ) async throws {
        self.recipientKey = recipientKey
        self.senderKey = senderKey
        let agreement = X25519.PrivateKey()
        let request = QueueRequest(
            recipientKey: recipientKey.publicKey, agreementKey: agreement.publicKey, subscribes: subscribes, link: mode)
        let answer = try await connection.request(RelayRequest(.new(request), key: recipientKey))
        guard case .queue(let ids) = answer else { throw RelayRequestError.unexpectedResponse }
        self.ids = ids
        secret = try agreement.sharedSecret(with: ids.serverKey)
    }

    func recipient(_ command: Command) -> RelayRequest {
        RelayRequest(command, entity: ids.recipientID, key: recipientKey)
    }

    func sender(_ command: Command, secured: Bool = true) -> RelayRequest {
        RelayRequest(command, entity: ids.senderID, key: secured ? senderKey : nil)
    }

    var secure: RelayRequest { sender(.secure(senderKey.publicKey)) }

    func open(_ body: [UInt8], _ id: MessageID) throws -> MessageBody {
        try MessageBody(opening: body, secret: secret, id: id)
    }
}

/// Reads a connection's events one by one.
struct EventReader {
    private var iterator: PacedStream<RelayEvent>.Iterator

    init(_ connection: RelayConnection) { iterator = connection.events.makeAsyncIterator() }

    mutating func next() async -> RelayEvent? { await iterator.next() }

    /// The next message, opened.
    mutating func nextMessage(of queue: TestQueue) async throws -> (id: MessageID, body: MessageBody) {
        while let event = await next() {
            if case .message(queue.ids.recipientID, let id, let body) = event { return (id, try queue.open(body, id)) }
        }
        throw TransportError.closed
    }
}

extension MessageBody {
    /// What the sender sent, nil for the marker.
    var sent: [UInt8]? { if case .message(_, _, let body) = self { body } else { nil } }
}
