import Cryptography
import SMP
import Synchronization
import TestSupport
import Testing

@testable import SMPTransport

/// A relay that sends as fast as it can.
@Suite(.timeLimit(.minutes(5))) struct FloodTests {
    /// Answers each SUB with OK and a message, all at once.
    private final class EagerService: ServerSessionHandler {
        static let body = [UInt8](repeating: 7, count: SMPLimits.sealedMessageBody)

        func sessionStarted(_ session: ServerSession) {}

        func sessionEnded(_ session: ServerSession, reason: TransportError) {}

        func session(_ session: ServerSession, received payload: Result<[UInt8], SMPDecodingError>) {
            guard let payload = try? payload.get(),
                let requests = try? Batch.transmissions(payload, version: session.version)
            else { return }
            for case .success(let request) in requests {
                let answer: BrokerMessage = request.entityID.isEmpty ? .pong : .ok
                send(answer, request.correlationID, request.entityID, session)
                if answer == .ok { send(.message(.random(), body: Self.body), .none, request.entityID, session) }
            }
        }

        private func send(
            _ message: BrokerMessage, _ id: CorrelationID, _ entity: EntityID, _ session: ServerSession
        ) {
            let transmission = try? Transmission(
                message, correlationID: id, entityID: entity, version: session.version)
            guard let bytes = try? transmission?.encoded(session.version) else { return }
            session.send((try? Batch.pack([bytes])) ?? [])
        }
    }

    @Test func aReaderThatIsBehindStopsTheReadingAndLosesNothing() async throws {
        let certificates = try RelayCertificates.make(host: "localhost")
        let listener = Listener(
            configuration: ListenerConfiguration(host: "127.0.0.1", port: 0, certificates: certificates),
            sessions: EagerService())
        let port = try await listener.start()
        var configuration = TransportConfiguration()
        configuration.commandTimeout = .seconds(60)
        let connection = try await RelayConnection.connect(
            to: RelayAddress(hosts: ["127.0.0.1"], port: port, keyHash: certificates.fingerprint),
            configuration: configuration)

        // Messages of 32 MB, and nobody reads them.
        let queues = (0..<2_000).map { _ in EntityID.random() }
        let key = AuthenticationPrivateKey.ed25519(.init())
        async let answers = connection.requests(queues.map { RelayRequest(.subscribe, entity: $0, key: key) })
        try await waitUntil("the stream is full") { connection.events.backlog >= RelayConnection.backlog }
        // Whatever is still on its way comes; then it must stand still.
        try await Task.sleep(for: .milliseconds(300))
        let backlog = connection.events.backlog
        #expect(backlog < RelayConnection.backlog + 1_024 * 1_024)

        // What was held back comes as soon as somebody reads.
        var delivered: [EntityID] = []
        for await event in connection.events {
            if case .message(let queue, _, let body) = event, body.count == EagerService.body.count {
                delivered.append(queue)
            }
            if delivered.count == queues.count { break }
        }
        #expect(delivered == queues)
        #expect(await answers.allSatisfy { $0 == .success(.ok) })
        #expect(try await connection.request(RelayRequest(.ping)) == .pong)
        await connection.close()
        await listener.stop()
    }
}
