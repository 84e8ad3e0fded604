import Cryptography
import SMP
import Synchronization
import TestSupport
import Testing

@testable import SMPSession
@testable import SMPTransport

/// A relay that sends as fast as it can.
@Suite(.timeLimit(.minutes(5))) struct FloodTests {
    /// Answers each SUB with OK and so many messages, all at once.
    private final class EagerService: ServerSessionHandler {
        static let body = [UInt8](repeating: 7, count: SMPLimits.sealedMessageBody)

        /// Answers to PINGs that are held back; nil when they are not.
        private let held = Mutex<[@Sendable () -> Void]?>(nil)
        private let messages: Int
        private let endings = Mutex(0)

        init(messages: Int = 1) { self.messages = messages }

        /// How many connections are over.
        var endingCount: Int { endings.withLock { $0 } }

        func holdPongs() { held.withLock { $0 = [] } }

        func releasePongs() {
            let pongs = held.withLock { held in
                defer { held = nil }
                return held
            }
            for pong in pongs ?? [] { pong() }
        }

        func sessionStarted(_ session: ServerSession) {}

        func sessionEnded(_ session: ServerSession, reason: TransportError) { endings.withLock { $0 += 1 } }

        func session(_ session: ServerSession, received payload: Result<[UInt8], SMPDecodingError>) {
            guard let payload = try? payload.get(),
                let requests = try? Batch.transmissions(payload, version: session.version)
            else { return }
            for case .success(let request) in requests {
                guard !request.entityID.isEmpty else {
                    pong(request.correlationID, session)
                    continue
                }
                send(.ok, request.correlationID, request.entityID, session)
                for _ in 0..<messages {
                    send(.message(.random(), body: Self.body), .none, request.entityID, session)
                }
            }
        }

        private func pong(_ id: CorrelationID, _ session: ServerSession) {
            let isHeld = held.withLock { held in
                held?.append { self.send(.pong, id, .none, session) }
                return held != nil
            }
            if !isHeld { send(.pong, id, .none, session) }
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

    /// An eager relay and where it is.
    private func listen(_ service: EagerService) async throws -> (listener: Listener, address: RelayAddress) {
        let certificates = try RelayCertificates.make(host: "localhost")
        let listener = Listener(
            configuration: ListenerConfiguration(host: "127.0.0.1", port: 0, certificates: certificates),
            sessions: service)
        let port = try await listener.start()
        let address = try RelayAddress(hosts: ["127.0.0.1"], port: port, keyHash: certificates.fingerprint)
        return (listener, address)
    }

    private func configuration(commandTimeout: Duration) -> TransportConfiguration {
        var configuration = TransportConfiguration()
        configuration.commandTimeout = commandTimeout
        return configuration
    }

    /// A connection to an eager relay.
    private func connect(
        _ service: EagerService = EagerService(), commandTimeout: Duration
    ) async throws -> (connection: RelayConnection, listener: Listener) {
        let (listener, address) = try await listen(service)
        let connection = try await RelayConnection.connect(
            to: address, configuration: configuration(commandTimeout: commandTimeout))
        return (connection, listener)
    }

    /// Subscriptions to so many queues.
    private func subscriptions(_ count: Int) -> [RelayRequest] {
        let key = AuthenticationPrivateKey.ed25519(.init())
        return (0..<count).map { _ in RelayRequest(.subscribe, entity: .random(), key: key) }
    }

    /// The queues of the messages that come, until there are so many.
    private func read(_ count: Int, _ connection: RelayConnection) async -> [EntityID] {
        var delivered: [EntityID] = []
        for await event in connection.events {
            if case .message(let queue, _, let body) = event, body.count == EagerService.body.count {
                delivered.append(queue)
            }
            if delivered.count == count { break }
        }
        return delivered
    }

    @Test func `a reader that is behind stops the reading and loses nothing`() async throws {
        let (connection, listener) = try await connect(commandTimeout: .seconds(60))
        // Messages of 32 MB, and nobody reads them.
        let requests = subscriptions(2_000)
        async let answers = connection.requests(requests)
        try await waitUntil("the stream is full") { connection.events.backlog >= RelayConnection.backlog }
        // Whatever is still on its way comes; then it must stand still.
        try await Task.sleep(for: .milliseconds(300))
        let backlog = connection.events.backlog
        #expect(backlog < RelayConnection.backlog + 1_024 * 1_024)

        // What was held back comes as soon as somebody reads.
        #expect(await read(requests.count, connection) == requests.map(\.entity))
        #expect(await answers.allSatisfy { $0 == .success(.ok) })
        #expect(try await connection.request(RelayRequest(.ping)) == .pong)
        await connection.close()
        await listener.stop()
    }

    @Test func `the time of a request stands still while nothing is read`() async throws {
        let patience = Duration.seconds(2)
        let service = EagerService()
        service.holdPongs()
        let (connection, listener) = try await connect(service, commandTimeout: patience)
        let requests = subscriptions(100)
        async let pong = connection.requests([RelayRequest(.ping)])
        async let answers = connection.requests(requests)
        try await waitUntil("nothing is read any more") { await connection.isPaused }
        try await Task.sleep(for: patience + .seconds(1))
        #expect(await read(requests.count, connection) == requests.map(\.entity))
        service.releasePongs()
        #expect(await answers.allSatisfy { $0 == .success(.ok) })
        #expect(await pong == [.success(.pong)])
        await connection.close()
        await listener.stop()
    }

    @Test func `a second message before the acknowledgement ends the connection and nothing after it is kept`()
        async throws
    {
        // 32 MB for one queue, and nobody reads.
        let service = EagerService(messages: 2_000)
        let (connection, listener) = try await connect(service, commandTimeout: .seconds(60))
        async let answers = connection.requests(subscriptions(1))
        try await waitUntil("the connection is over") { service.endingCount == 1 }
        #expect(connection.events.backlog < 2 * EagerService.body.count)
        var (bodies, end) = (0, TransportError?.none)
        for await event in connection.events {
            if case .message = event { bodies += 1 }
            if case .down(let reason) = event { end = reason }
        }
        #expect(bodies == 1)
        #expect(end == .protocolViolation(.unacknowledgedMessage))
        _ = await answers
        await listener.stop()
    }

    @Test func `a client that nobody reads holds little of a flood over all its queues`() async throws {
        let (listener, address) = try await listen(EagerService())
        let client = RelayClient(address: address, configuration: configuration(commandTimeout: .seconds(60)))
        await client.start()
        // Messages of 48 MB, as one for each queue is no violation.
        let requests = subscriptions(3_000)
        async let answers = client.requests(requests)
        try await waitUntil("nothing is read any more") {
            await client.present?.isPaused == true && client.events.backlog >= RelayConnection.backlog
        }
        // Whatever is still on its way comes; then it must stand still.
        try await Task.sleep(for: .milliseconds(300))
        let connection = try #require(await client.present)
        #expect(client.events.backlog + connection.events.backlog < 4 * 1_024 * 1_024)
        await client.stop()
        _ = await answers
        await listener.stop()
    }
}
