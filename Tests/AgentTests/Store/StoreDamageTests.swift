import Cryptography
import Foundation
import GRDB
import SMP
import TestSupport
import Testing

@testable import Agent

/// Stores that something outside has changed: never a trap, always an error of the store's own.
@Suite(.timeLimit(.minutes(5))) struct StoreDamageTests {
    private func bytes(_ folder: TemporaryFolder) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path + "/agent.sqlite")))
    }

    private func filled() throws -> (folder: TemporaryFolder, bytes: [UInt8]) {
        let folder = TemporaryFolder()
        let store = try AgentStore(directory: folder.path, key: testStoreKey)
        try store.write { (transaction: StoreTransaction) throws -> Void in
            try StoreSample.fill(transaction)
            for number in 0..<60 {
                try transaction.setApplicationData("value \(number)", [UInt8](repeating: 1, count: 900))
            }
        }
        store.close()
        return (folder, try bytes(folder))
    }

    /// Opens a store of these bytes and reads all of it.
    private func read(_ bytes: [UInt8]) throws {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: folder.path + "/agent.sqlite"))
        let store = try AgentStore(directory: folder.path, key: testStoreKey)
        defer { store.close() }
        try store.write { (transaction: StoreTransaction) throws -> Void in
            let connections = try transaction.connections()
            _ = try transaction.receiveQueues()
            for connection in connections { _ = try transaction.sendQueues(of: connection.id) }
            _ = try transaction.outgoing(1)
            _ = try transaction.waitingMessages()
            _ = try transaction.requests()
            for name in try transaction.applicationDataNames(prefix: "") { _ = try transaction.applicationData(name) }
        }
    }

    @Test func `a file that was cut is named damaged`() throws {
        let (_, bytes) = try filled()
        for part in [2, 3, 4, 8] {
            #expect(throws: StoreError.damaged("the file")) { try read(Array(bytes.prefix(bytes.count / part))) }
        }
    }

    @Test func `a file with a page of garbage is named damaged`() throws {
        let (_, bytes) = try filled()
        var generator = SeededGenerator(seed: 7)
        for page in 1..<(bytes.count / 4_096) {
            var changed = bytes
            changed.replaceSubrange(page * 4_096..<(page + 1) * 4_096, with: generator.bytes(4_096))
            #expect(throws: StoreError.self, "page \(page)") { try read(changed) }
        }
    }

    @Test func `a table with another column is named damaged`() throws {
        let (folder, _) = try filled()
        let database = try DatabaseQueue(path: folder.path + "/agent.sqlite")
        try database.writeWithoutTransaction {
            try $0.execute(sql: "ALTER TABLE connection RENAME COLUMN isAddress TO isAddresr")
        }
        try database.close()
        #expect(throws: StoreError.damaged("the file")) { try read(bytes(folder)) }
    }

    @Test func `whatever bits fall over nothing traps and every refusal is a sentence`() throws {
        let (_, bytes) = try filled()
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<60 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...40, using: &generator) {
                changed[Int.random(in: 0..<changed.count, using: &generator)] ^=
                    1 << UInt8.random(in: 0..<8, using: &generator)
            }
            do {
                try read(changed)
            } catch is StoreError {
                // That is all that may be thrown.
            }
        }
    }
}
