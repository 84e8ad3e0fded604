import Cryptography
import Foundation
import GRDB
import Testing

@testable import Agent

@Suite(.timeLimit(.minutes(5))) struct AgentStoreTests {
    private let folder = TemporaryFolder()

    private func open(_ key: SecretBytes = testStoreKey) throws -> AgentStore {
        try AgentStore(directory: folder.path, key: key)
    }

    private let connection = ConnectionRecord(
        id: ConnectionID(rawValue: "first"), role: .joiner, state: .preparing, agentVersion: 7, createdAt: 5,
        agreementKeys: SecretBytes([1]), ratchet: SecretBytes([2, 2]), chains: [3], ownInformation: [4],
        peerInformation: nil)

    private func receiveQueue() -> ReceiveQueueRecord {
        ReceiveQueueRecord(
            connection: connection.id, isFast: true, relay: "smp://relay", recipientID: [1, 2], senderID: [3],
            authenticationKey: .random(32), deliverySecret: .random(32), queueKey: .random(32), queueSecret: nil,
            peerAuthenticationKey: [9])
    }

    @Test func `everything comes back after reopening`() throws {
        let store = try open()
        let sendQueue = SendQueueRecord(
            connection: connection.id, isFast: false, clientVersion: 4, relay: "smp://other", senderID: [7],
            authenticationKey: .random(32), queueKey: .random(32), queueSecret: .random(32))
        let stored = try store.write { (transaction: StoreTransaction) throws in
            try transaction.insert(connection)
            let outgoing = OutgoingRecord(
                connection: connection.id, kind: .application, notify: true, createdAt: 9, body: [1, 2, 3])
            return (
                try transaction.insert(receiveQueue()), try transaction.insert(sendQueue),
                try transaction.insert(outgoing)
            )
        }
        store.close()

        let again = try open()
        try again.read { (transaction: StoreTransaction) throws -> Void in
            #expect(try transaction.connections() == [connection])
            #expect(try transaction.receiveQueues(of: connection.id) == [stored.0])
            #expect(try transaction.sendQueue(of: connection.id) == stored.1)
            #expect(try transaction.outgoing(stored.2.id) == stored.2)
        }
    }

    @Test func `a failed transaction leaves nothing`() throws {
        struct Interrupted: Error {}
        let store = try open()
        #expect(throws: Interrupted.self) {
            try store.write { (transaction: StoreTransaction) throws in
                try transaction.insert(connection)
                throw Interrupted()
            }
        }
        #expect(try store.read { try $0.connections() } == [])
    }

    @Test func `deleting a connection takes its queues and messages along`() throws {
        let store = try open()
        try store.write { (transaction: StoreTransaction) throws in
            try transaction.insert(connection)
            let queue = try transaction.insert(receiveQueue())
            let message = ReceivedRecord(
                connection: connection.id, receiveQueue: queue.id, receivedAt: 1, brokerTime: 1, isAcknowledged: false,
                integrity: [0], body: [5])
            _ = try transaction.insert(message, relayID: [1], content: [2])
            try transaction.deleteConnection(connection.id)
            #expect(try transaction.receiveQueues() == [])
            #expect(try transaction.waitingMessages() == [])
        }
    }

    @Test func `received messages are known by relay ID and content until forgotten`() throws {
        let store = try open()
        try store.write { (transaction: StoreTransaction) throws in
            try transaction.insert(connection)
            let queue = try transaction.insert(receiveQueue())
            #expect(try transaction.receptionRecord(queue: queue.id, relayID: [1]) == .unknown)
            var message = ReceivedRecord(
                connection: connection.id, receiveQueue: queue.id, receivedAt: 100, brokerTime: 1,
                isAcknowledged: false, integrity: [0], body: [5])
            message = try transaction.insert(message, relayID: [1], content: [2])
            #expect(try transaction.receptionRecord(queue: queue.id, relayID: [1]) == .waiting(message.id))
            #expect(try transaction.hasContent([2], connection: connection.id))
            #expect(try transaction.waitingMessages() == [message])

            #expect(try transaction.acknowledge(message.id, connection: ConnectionID(rawValue: "other")) == nil)
            #expect(try transaction.acknowledge(message.id, connection: connection.id) == queue.id)
            #expect(try transaction.acknowledge(message.id, connection: connection.id) == nil)
            #expect(try transaction.receptionRecord(queue: queue.id, relayID: [1]) == .finished)
            #expect(try transaction.received(message.id)?.body == nil)

            try transaction.forgetReceived(before: 100)
            #expect(try transaction.hasContent([2], connection: connection.id))
            try transaction.forgetReceived(before: 101)
            #expect(try !transaction.hasContent([2], connection: connection.id))
        }
    }

    @Test func `application data is replaced and removed`() throws {
        let store = try open()
        try store.write { (transaction: StoreTransaction) throws in
            try transaction.setApplicationData("contact/b", [1])
            try transaction.setApplicationData("contact/a", [2])
            try transaction.setApplicationData("profile", [])
            try transaction.setApplicationData("contact/b", [3, 4])
        }
        try store.write { (transaction: StoreTransaction) throws in
            #expect(try transaction.applicationData("contact/b") == [3, 4])
            #expect(try transaction.applicationData("profile") == [])
            #expect(try transaction.applicationData("nothing") == nil)
            #expect(try transaction.applicationDataNames(prefix: "contact/") == ["contact/a", "contact/b"])
            try transaction.setApplicationData("contact/b", nil)
            #expect(try transaction.applicationData("contact/b") == nil)
        }
    }

    @Test func `the file holds no key and no content`() throws {
        let body = Array("the body that must not be found at rest".utf8)
        let store = try open()
        let queue = try store.write { (transaction: StoreTransaction) throws in
            var connection = connection
            connection.ratchet = SecretBytes(body)
            connection.peerInformation = body
            try transaction.insert(connection)
            try transaction.setApplicationData("profile", body)
            _ = try transaction.insert(
                OutgoingRecord(connection: connection.id, kind: .application, notify: true, createdAt: 9, body: body))
            let queue = try transaction.insert(receiveQueue())
            let message = ReceivedRecord(
                connection: connection.id, receiveQueue: queue.id, receivedAt: 1, brokerTime: 1, isAcknowledged: false,
                integrity: [0], body: body)
            _ = try transaction.insert(message, relayID: Array("relay id in the clear".utf8), content: body)
            return queue
        }
        func check() throws {
            let bytes = try folder.contents()
            #expect(bytes.count > 4096)
            for secret in [
                body, testStoreKey.bytes, queue.authenticationKey.bytes, queue.deliverySecret.bytes,
                queue.queueKey.bytes, Array("smp://".utf8), Array("relay id in the clear".utf8),
            ] {
                #expect(!bytes.contains(secret))
            }
        }
        try check()
        store.close()
        try check()
    }

    @Test func `another key is refused`() throws {
        try open().close()
        #expect(throws: StoreError.wrongKey) { try open(SecretBytes([UInt8](repeating: 1, count: 32))) }
        #expect(throws: StoreError.invalidKey) { try open(SecretBytes([1, 2, 3])) }
        _ = try open()
    }

    @Test func `a newer schema is refused and left alone`() throws {
        try open().close()
        let database = try DatabaseQueue(path: folder.path + "/agent.sqlite")
        try database.write { try $0.execute(sql: "PRAGMA user_version = 900") }
        try database.close()
        #expect(throws: StoreError.newerSchema(found: 900, supported: StoreSchema.version)) { try open() }
        let after = try DatabaseQueue(path: folder.path + "/agent.sqlite")
        #expect(try after.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == 900)
    }

    @Test func `a second agent is kept out`() throws {
        let store = try open()
        #expect(throws: StoreError.inUse) { try open() }
        store.close()
        _ = try open()
    }

    @Test func `a file that is no database is reported`() throws {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        try Data(repeating: 0x41, count: 8192).write(to: URL(fileURLWithPath: folder.path + "/agent.sqlite"))
        #expect(throws: StoreError.damaged("the file")) { try open() }
    }

    @Test func `a sealed value moved to another row does not open`() throws {
        let store = try open()
        try store.write { try $0.setApplicationData("a", [1]) }
        try store.write { try $0.setApplicationData("b", [2]) }
        try store.write { (transaction: StoreTransaction) throws in
            try transaction.database.execute(
                sql: "UPDATE applicationData SET value = (SELECT value FROM applicationData WHERE name = 'a')")
        }
        #expect(try store.read { try $0.applicationData("a") } == [1])
        #expect(throws: StoreError.damaged("applicationData.value")) {
            try store.read { try $0.applicationData("b") }
        }
    }

    @Test func `every commit is synced and logged`() throws {
        let store = try open()
        try store.read { (transaction: StoreTransaction) throws -> Void in
            #expect(try Int.fetchOne(transaction.database, sql: "PRAGMA synchronous") == 2)
            #expect(try String.fetchOne(transaction.database, sql: "PRAGMA journal_mode") == "wal")
        }
    }

    @Test func `a crash leaves what was committed`() throws {
        let store = try open()
        try store.write { try $0.insert(connection) }
        let crashed = try folder.copy()
        let recovered = try AgentStore(directory: crashed.path, key: testStoreKey)
        #expect(try recovered.read { try $0.connections() } == [connection])
        store.close()
    }

    @Test func `only the owner may read the file`() throws {
        _ = try open()
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/agent.sqlite")
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        let directory = try FileManager.default.attributesOfItem(atPath: folder.path)
        #expect((directory[.posixPermissions] as? NSNumber)?.intValue == 0o700)
    }

    @Test func `a store that was closed says so to whoever comes late`() throws {
        let store = try open()
        try store.write { try $0.insert(connection) }
        store.close()
        store.close()
        #expect(throws: StoreError.closed) { try store.read { try $0.connections() } }
        #expect(throws: StoreError.closed) { try store.write { try $0.connections() } }
        #expect(throws: StoreError.closed) { try store.emptyLog() }
        #expect(try open().read { try $0.connections() } == [connection])
    }

    @Test func `whoever reads while the store is closed gets everything or hears that it is closed`() async throws {
        for _ in 0..<20 {
            let store = try open()
            try store.write { try $0.setApplicationData("a", [1]) }
            let readers = (0..<4).map { _ in
                Task.detached { () -> any Error in
                    do {
                        while true {
                            let value = try store.read { try $0.applicationData("a") }
                            #expect(value == [1])
                            // The one who closes needs a thread, too.
                            await Task.yield()
                        }
                    } catch {
                        return error
                    }
                }
            }
            await Task.yield()
            store.close()
            for reader in readers { #expect(await reader.value as? StoreError == .closed) }
        }
    }
}
