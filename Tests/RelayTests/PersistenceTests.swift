import Cryptography
import Foundation
import GRDB
import RelayFixtures
import SMP
import SMPTransport
import Synchronization
import TestSupport
import Testing

@testable import Relay
@testable import RelayRules
@testable import SMPSession

/// A folder for the length of one test.
func withFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("parley-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder.path)
}

/// What is on disk is what was in memory.
@Suite(.timeLimit(.minutes(5))) struct PersistenceTests {
    /// A core whose changes go to the disk when `save` is called.
    private func open(_ folder: String, quota: Int = 3) throws -> (fixture: CoreFixture, persistence: SQLitePersistence)
    {
        let fixture = CoreFixture(quota: quota)
        let persistence = try SQLitePersistence(directory: folder)
        try fixture.core.attach(persistence)
        return (fixture, persistence)
    }

    private func state(_ core: RelayCore) -> [String] {
        core.withStore { store in
            store.queues.values.map { queue in
                """
                \(queue.number) \(queue.recipientID) \(queue.senderID) \(queue.recipientKeys) \(queue.secret.bytes) \
                \(String(describing: queue.mode)) \(String(describing: queue.senderKey)) \(queue.status) \(queue.canWrite) \
                \(String(describing: queue.link)) \(String(describing: queue.notifier?.id)) \
                \(String(describing: queue.notifier?.key)) \(queue.notifier?.secret.bytes ?? []) \
                \(queue.messages.map { "\($0.number) \($0.id) \($0.time) \($0.seen) \($0.content)" })
                """
            }.sorted()
        }
    }

    private func indices(_ core: RelayCore) -> [[EntityID: EntityID]] {
        core.withStore { [$0.senders, $0.links, $0.notifiers] }
    }

    @Test func `what happens between stop and start is neither answered nor kept`() async throws {
        try await withFolder { folder in
            let (fixture, _) = try open(folder, quota: 10)
            let session = fixture.session(1)
            let queue = try session.makeQueue(subscribes: false)
            #expect(try queue.send([1], in: session, secured: false) == .ok)
            fixture.core.writer.detach()
            // A connection that outlived its listener still speaks.
            let answered = Mutex(false)
            _ = try queue.send([2], in: session, secured: false)
            fixture.core.writer.whenWritten(fixture.core.withStore { $0.journal.position }) {
                answered.withLock { $0 = true }
            }
            #expect(!answered.withLock { $0 })
            try fixture.core.attach(SQLitePersistence(directory: folder))
            #expect(try queue.send([3], in: session, secured: false) == .ok)
            let expected = state(fixture.core)
            #expect(fixture.core.withStore { $0.queues.values.first?.messages.count } == 2)
            fixture.core.writer.detach()
            #expect(!answered.withLock { $0 })
            let (again, _) = try open(folder, quota: 10)
            #expect(state(again.core) == expected)
            again.core.writer.detach()
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `anything that happens is there after a restart`(seed: UInt64) async throws {
        try await withFolder { folder in
            var random = SeededGenerator(seed: seed)
            var queues: [CoreQueue] = []
            for _ in 0..<4 {
                let (fixture, _) = try open(folder)
                let session = fixture.session(1, version: 17)
                for _ in 0..<40 { try step(session, &queues, &random) }
                let expected = (state(fixture.core), indices(fixture.core))
                fixture.core.writer.detach()
                let (again, _) = try open(folder)
                #expect(state(again.core) == expected.0)
                #expect(indices(again.core) == expected.1)
                again.core.writer.detach()
            }
        }
    }

    private func step(_ session: CoreSession, _ queues: inout [CoreQueue], _ random: inout SeededGenerator) throws {
        guard let queue = queues.randomElement(using: &random), Int.random(in: 0..<6, using: &random) > 0 else {
            return queues.append(try make(session, Bool.random(using: &random)))
        }
        let keys = NotifierKeys(
            authenticationKey: AuthenticationPrivateKey.ed25519(.init()).publicKey,
            agreementKey: X25519.PrivateKey().publicKey)
        switch Int.random(in: 0..<12, using: &random) {
        case 0: try queue.secure(in: session)
        case 1: _ = try queue.ask(.setNotifier(keys), in: session)
        case 2: _ = try queue.ask(.deleteNotifier, in: session)
        case 3: _ = try queue.ask(.suspend, in: session)
        case 4: _ = try queue.ask(.delete, in: session)
        case 5: _ = try queue.ask(.deleteLinkData, in: session)
        case 6:
            let link = LinkData(fixed: [1], user: [UInt8.random(in: 0...9, using: &random)])
            _ = try queue.ask(.setLinkData(linkID: queue.ids.linkID ?? .random(), link), in: session)
        case 7: session.core.withStore { $0.block(queue.recipientID, .init(reason: "spam")) }
        case 8:
            let head = session.core.withStore { $0.queues[queue.recipientID]?.messages.first?.id }
            _ = try queue.ask(.subscribe, in: session)
            if let head { _ = try queue.ask(.acknowledge(head), in: session) }
        case 9 where queue.ids.mode == .contact:
            _ = try queue.ask(.setRecipientKeys([queue.recipientKey.publicKey, keys.authenticationKey]), in: session)
        default:
            try queue.send([7], in: session, secured: Bool.random(using: &random))
        }
    }

    private func make(_ session: CoreSession, _ isContact: Bool) throws -> CoreQueue {
        let id = CorrelationID.random()
        let key = AuthenticationPrivateKey.ed25519(.init())
        let data = LinkData(fixed: [1], user: [2])
        let request = QueueRequest(
            recipientKey: key.publicKey, agreementKey: X25519.PrivateKey().publicKey, subscribes: false,
            link: isContact
                ? .contact(.init(linkID: .random(), senderID: .sender(for: id), data: data))
                : .messaging(.init(senderID: .sender(for: id), data: data)),
            notifier: NotifierKeys(authenticationKey: key.publicKey, agreementKey: X25519.PrivateKey().publicKey))
        let transmission = try session.transmission(.new(request), .none, key, correlationID: id)
        guard case .queue(let ids) = try session.send([transmission]).answers.first?.message else {
            throw RelayRequestError.unexpectedResponse
        }
        return CoreQueue(ids: ids, recipientKey: key, senderKey: .ed25519(.init()))
    }

    @Test func `a newer schema is refused`() async throws {
        try await withFolder { folder in
            try SQLitePersistence(directory: folder).close()
            let database = try DatabaseQueue(path: folder + "/" + SQLitePersistence.fileName)
            try await database.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('9 from the future')") }
            try database.close()
            #expect(throws: RelayStorageError.newerSchema) { try SQLitePersistence(directory: folder) }
        }
    }

    @Test func `one relay at a time has the state`() async throws {
        try await withFolder { folder in
            let first = try SQLitePersistence(directory: folder)
            #expect(throws: RelayStorageError.inUse) { try SQLitePersistence(directory: folder) }
            first.close()
            try SQLitePersistence(directory: folder).close()
        }
    }

    /// Whether any file of a folder holds these bytes.
    private func holds(_ folder: String, _ bytes: [UInt8]) throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: folder).contains { file in
            let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + file))
            return data.range(of: Data(bytes)) != nil
        }
    }

    @Test(arguments: [Command.acknowledge(MessageID([])), .delete]) func `nothing deleted is left on disk`(
        by command: Command
    )
        async throws
    {
        try await withFolder { folder in
            let (fixture, persistence) = try open(folder)
            let session = fixture.session(1, version: 17)
            let queue = try session.makeQueue(subscribes: false)
            let body = (0..<16_000).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ $0 >> 8) }
            // The beginning, the middle and the end lie on different pages.
            let pieces = [Array(body[0..<64]), Array(body[8_000..<8_064]), Array(body[15_900..<15_964])]
            try queue.send(body, in: session, secured: false)
            try queue.send([1], in: session, secured: false)
            let written = fixture.core.withStore { $0.journal.take() }
            try persistence.write(written)
            persistence.tidy()
            #expect(try pieces.allSatisfy { try holds(folder, $0) })
            if case .delete = command {
                #expect(try queue.ask(command, in: session) == .ok)
            } else {
                guard case .message(let id, _) = try queue.ask(.get, in: session) else { throw SMPError.noMessage }
                _ = try queue.ask(.acknowledge(id), in: session)
            }
            let deleted = fixture.core.withStore { $0.journal.take() }
            try persistence.write(deleted)
            persistence.tidy()
            #expect(try !pieces.contains { try holds(folder, $0) })
            fixture.core.writer.detach()
            #expect(try !pieces.contains { try holds(folder, $0) })
        }
    }

    @Test func `others cannot read the state`() async throws {
        try await withFolder { folder in
            try SQLitePersistence(directory: folder).close()
            let file = try FileManager.default.attributesOfItem(atPath: folder + "/" + SQLitePersistence.fileName)
            #expect(file[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func `a stopped relay delivers after its next start`() async throws {
        try await withFolder { folder in
            let (first, address) = try await startRelay { RelayConfiguration(port: $0, stateDirectory: folder) }
            let connection = try await RelayConnection.connect(to: address)
            let queue = try await TestQueue(on: connection, subscribes: false)
            #expect(try await connection.request(queue.secure) == .ok)
            for number in 0..<5 as Range<UInt8> {
                #expect(try await connection.request(queue.sender(.send(notify: false, body: [number]))) == .ok)
            }
            await first.stop()
            let second = RelayServer(
                configuration: RelayConfiguration(port: address.port ?? 0, stateDirectory: folder))
            #expect(try await startAgain(second) == address)
            let later = try await RelayConnection.connect(to: address)
            var events = EventReader(later)
            _ = try await later.request(queue.recipient(.subscribe))
            for number in 0..<5 as Range<UInt8> {
                let (id, body) = try await events.nextMessage(of: queue)
                #expect(body.sent == [number])
                _ = try await later.request(queue.recipient(.acknowledge(MessageID([]))))
                _ = try await later.request(queue.recipient(.acknowledge(id)))
                _ = try await later.request(queue.recipient(.subscribe))
            }
            await second.stop()
        }
    }
}
