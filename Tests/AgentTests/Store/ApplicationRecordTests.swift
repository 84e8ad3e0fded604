import Cryptography
import Foundation
import GRDB
import Testing

@testable import Agent

/// The application's own records, as the store keeps them.
@Suite(.timeLimit(.minutes(5))) struct ApplicationRecordTests {
    private let folder = TemporaryFolder()

    private func open() throws -> AgentStore { try AgentStore(directory: folder.path, key: testStoreKey) }

    private func draft(_ byte: UInt8) -> ApplicationRecordDraft {
        ApplicationRecordDraft(key: [byte], value: [byte, byte])
    }

    private func append(_ bytes: [UInt8], to collection: String = "calls", in store: AgentStore) throws -> [Int64] {
        try store.write { transaction in
            try bytes.map { try transaction.appendRecord(draft($0), to: collection) }
        }
    }

    @Test func `records come back after reopening, newest first and page by page`() throws {
        let store = try open()
        let numbers = try append([1, 2, 3, 4, 5], in: store)
        #expect(numbers == numbers.sorted())
        store.close()
        try open().read { (transaction: StoreTransaction) throws -> Void in
            let first = try transaction.records(of: "calls", before: .max, limit: 3)
            #expect(first.map(\.key) == [[5], [4], [3]] && first.map(\.value) == [[5, 5], [4, 4], [3, 3]])
            let second = try transaction.records(of: "calls", before: first[2].number, limit: 3)
            #expect(second.map(\.number) == [numbers[1], numbers[0]])
            #expect(try transaction.recordKeys(of: "calls", before: numbers[2], limit: 1).map(\.key) == [[2]])
            #expect(try transaction.recordCount(of: "calls") == 5)
        }
    }

    @Test func `collections don't see each other's records`() throws {
        let store = try open()
        let calls = try append([1], in: store)
        let others = try append([2], to: "others", in: store)
        try store.write { (transaction: StoreTransaction) throws -> Void in
            #expect(try transaction.records(of: "calls", before: .max, limit: 9).map(\.number) == calls)
            #expect(try transaction.records(of: "calls", numbers: others) == [])
            #expect(try !transaction.replaceRecord(others[0], of: "calls", value: []))
            try transaction.deleteRecords(of: "calls", numbers: others)
            _ = try transaction.deleteRecords(of: "calls", upTo: .max, limit: 9)
            #expect(try transaction.recordCount(of: "others") == 1)
        }
    }

    @Test func `a number is never used again`() throws {
        let store = try open()
        let first = try append([1, 2], in: store)
        try store.write { try $0.deleteRecords(of: "calls", numbers: first) }
        store.close()
        let again = try open()
        #expect(try append([3], in: again)[0] > first[1])
    }

    @Test func `given numbers are read in their order and missing ones passed over`() throws {
        let store = try open()
        let numbers = try append([1, 2, 3], in: store)
        let wanted = [numbers[2], 999, numbers[0]]
        #expect(try store.read { try $0.records(of: "calls", numbers: wanted) }.map(\.key) == [[3], [1]])
    }

    @Test func `a value is replaced and its key stays`() throws {
        let store = try open()
        let number = try append([1], in: store)[0]
        #expect(try store.write { try $0.replaceRecord(number, of: "calls", value: [7]) })
        let found = try store.read { try $0.records(of: "calls", numbers: [number]) }
        #expect(found == [ApplicationRecord(number: number, key: [1], value: [7])])
    }

    @Test func `the oldest are deleted up to a number`() throws {
        let store = try open()
        let numbers = try append([1, 2, 3, 4], in: store)
        #expect(try store.write { try $0.deleteRecords(of: "calls", upTo: numbers[2], limit: 2) } == 2)
        #expect(try store.write { try $0.deleteRecords(of: "calls", upTo: numbers[2], limit: 2) } == 1)
        #expect(try store.read { try $0.records(of: "calls", before: .max, limit: 9) }.map(\.key) == [[4]])
    }

    @Test func `nothing of keys and values is in the file`() throws {
        let store = try open()
        let (key, value) = (Array("a key nobody may read".utf8), Array("a value nobody may read".utf8))
        _ = try store.write { try $0.appendRecord(ApplicationRecordDraft(key: key, value: value), to: "calls") }
        store.close()
        let contents = try folder.contents()
        #expect(!contents.contains(key) && !contents.contains(value))
        #expect(contents.contains(Array("calls".utf8)))
    }

    @Test func `what was deleted is nowhere in the files`() throws {
        let store = try open()
        let number = try append([1], in: store)[0]
        let sealed = try store.read { (transaction: StoreTransaction) throws -> [UInt8] in
            let row = try Row.fetchOne(transaction.database, sql: "SELECT value FROM applicationRecord")
            return [UInt8](try #require(row?["value"] as Data?))
        }
        try store.emptyLog()
        #expect(try folder.contents().contains(sealed))
        try store.write { try $0.deleteRecords(of: "calls", numbers: [number]) }
        try store.emptyLog()
        #expect(try !folder.contents().contains(sealed))
    }

    /// Who can write the file must not be able to give one record the place of another.
    @Test(arguments: ["key", "value"]) func `a record does not open in another's place`(column: String) throws {
        let store = try open()
        let numbers = try append([1, 2], in: store)
        store.close()
        let raw = try DatabaseQueue(path: folder.path + "/agent.sqlite")
        try raw.write {
            try $0.execute(
                sql: """
                    UPDATE applicationRecord SET \(column) = (SELECT \(column) FROM applicationRecord WHERE id = ?)
                    WHERE id = ?
                    """, arguments: [numbers[0], numbers[1]])
        }
        try raw.close()
        let again = try open()
        #expect(throws: StoreError.damaged("applicationRecord.\(column)")) {
            try again.read { try $0.records(of: "calls", numbers: [numbers[1]]) }
        }
        #expect(try again.read { try $0.records(of: "calls", numbers: [numbers[0]]) }.count == 1)
    }

    @Test func `a record does not open in another collection`() throws {
        let store = try open()
        let number = try append([1], in: store)[0]
        store.close()
        let raw = try DatabaseQueue(path: folder.path + "/agent.sqlite")
        try raw.write { try $0.execute(sql: "UPDATE applicationRecord SET collection = 'others'") }
        try raw.close()
        #expect(throws: StoreError.damaged("applicationRecord.key")) {
            try open().read { try $0.records(of: "others", numbers: [number]) }
        }
    }
}
