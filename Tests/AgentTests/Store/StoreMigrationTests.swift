import Cryptography
import Foundation
import GRDB
import Testing

@testable import Agent

/// Stores of every schema there has been, opened by this one.
@Suite(.timeLimit(.minutes(5))) struct StoreMigrationTests {
    private static let schemas = Array(1...StoreSchema.version)

    private func open(_ folder: TemporaryFolder) throws -> AgentStore {
        try AgentStore(directory: folder.path, key: testStoreKey)
    }

    private func raw<Value>(_ folder: TemporaryFolder, _ body: (Database) throws -> Value) throws -> Value {
        let database = try DatabaseQueue(path: folder.path + "/agent.sqlite")
        defer { try? database.close() }
        return try database.writeWithoutTransaction(body)
    }

    private func tables(_ folder: TemporaryFolder) throws -> [String: [String]] {
        try raw(folder) { database in
            let names = try String.fetchAll(
                database, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
            return try Dictionary(
                uniqueKeysWithValues: names.map { name in
                    (name, try database.columns(in: name).map { "\($0.name) \($0.type)" }.sorted())
                })
        }
    }

    private func expectSample(_ store: AgentStore, schema: Int) throws {
        try store.write { (transaction: StoreTransaction) throws -> Void in
            let connections = [StoreSample.contact(schema: schema)] + (schema < 4 ? [] : [StoreSample.contactAddress])
            #expect(try transaction.connections() == connections)
            #expect(try transaction.receiveQueues() == [StoreSample.receiveQueue(schema: schema)])
            #expect(try transaction.sendQueues(of: StoreSample.connection) == [StoreSample.sendQueue])
            #expect(try transaction.outgoing(1) == StoreSample.outgoing)
            #expect(try transaction.waitingMessages() == [StoreSample.received(schema: schema)])
            #expect(try transaction.receptionRecord(queue: 1, relayID: [1]) == .waiting(1))
            #expect(try transaction.hasContent([2], connection: StoreSample.connection))
            #expect(try transaction.applicationData("contacts") == [1, 2, 3])
            let sent = try transaction.sent(7, connection: StoreSample.connection)
            #expect(sent == (schema < 2 ? nil : StoreSample.sent))
            #expect(try transaction.requests() == (schema < 4 ? [] : [StoreSample.request]))
            let records = try transaction.records(of: "records", before: .max, limit: 9)
            #expect(records.map(\.key) == (schema < 8 ? [] : [StoreSample.record.key]))
            #expect(records.map(\.value) == (schema < 8 ? [] : [StoreSample.record.value]))
        }
    }

    @Test(arguments: schemas) func `a store of every schema opens with all it holds`(schema: Int) throws {
        let folder = try StoreSample.folder(schema: schema)
        let store = try open(folder)
        try expectSample(store, schema: schema)
        store.close()
        #expect(try raw(folder) { try Int.fetchOne($0, sql: "PRAGMA user_version") } == StoreSchema.version)
        // A second time there is nothing to do.
        let again = try open(folder)
        try expectSample(again, schema: schema)
    }

    @Test(arguments: schemas) func `every way leads to the same tables`(schema: Int) throws {
        let old = try StoreSample.folder(schema: schema)
        try open(old).close()
        let new = TemporaryFolder()
        try open(new).close()
        #expect(try tables(old) == tables(new))
    }

    /// Whoever changes the schema adds a step, and the dump of a store of the schema as it then is.
    @Test func `the newest dump is of this schema`() throws {
        let dump = try tables(StoreSample.folder(schema: StoreSchema.version))
        let new = TemporaryFolder()
        try open(new).close()
        #expect(try dump == tables(new))
    }

    @Test(arguments: schemas) func `a migration that fails leaves the store as it was`(schema: Int) throws {
        let folder = try StoreSample.folder(schema: schema)
        let before = try tables(folder)
        let broken = Array(StoreSchema.steps) + ["CREATE TABLE extra (id INTEGER); CREATE TABLE extra (id INTEGER);"]
        #expect(throws: (any Error).self) {
            try raw(folder) { database in
                try database.inTransaction {
                    try StoreSchema.migrate(database, steps: broken)
                    return .commit
                }
            }
        }
        #expect(try tables(folder) == before)
        #expect(try raw(folder) { try Int.fetchOne($0, sql: "PRAGMA user_version") } == schema)
        try expectSample(open(folder), schema: schema)
    }

    @Test(arguments: schemas.dropLast()) func `a crash in the middle of a migration loses nothing`(schema: Int) throws {
        let folder = try StoreSample.folder(schema: schema)
        var crashed: [TemporaryFolder] = []
        try raw(folder) { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA cache_size = 1; PRAGMA cache_spill = 1")
            try database.inTransaction {
                for step in StoreSchema.steps.dropFirst(schema) {
                    try database.execute(sql: step)
                    // What a power cut leaves at this point.
                    crashed.append(try folder.copy())
                }
                return .rollback
            }
        }
        for copy in crashed { try expectSample(open(copy), schema: schema) }
    }
}
