import Cryptography
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Agent

/// Earlier states of what is stored, as anybody finds them who reads the folder's files.
@Suite(.timeLimit(.minutes(5))) struct StoreLogTests {
    private let folder = TemporaryFolder()
    private let connection = ConnectionID(rawValue: "first")

    /// Stores one ratchet after another; the sealed form of each.
    private func ratchets(_ count: Int, in store: AgentStore, size: Int = 600) throws -> [[UInt8]] {
        try store.write {
            try $0.insert(
                ConnectionRecord(
                    id: connection, role: .joiner, state: .connected, agentVersion: 7, createdAt: 5,
                    ratchet: .random(size)))
        }
        return try (0..<count).map { _ in
            try store.write { (transaction: StoreTransaction) throws in
                guard var record = try transaction.connection(connection) else { return [] }
                record.ratchet = .random(size)
                try transaction.update(record)
                let row = try Row.fetchOne(transaction.database, sql: "SELECT ratchet FROM connection")
                return [UInt8](try #require(row?["ratchet"] as Data?))
            }
        }
    }

    /// How many of the sealed values can be found; a part of each is enough, for long ones are spread over pages.
    private func found(_ sealed: [[UInt8]]) throws -> Int {
        let bytes = try folder.contents()
        return sealed.filter { value in
            stride(from: 0, to: value.count - 48, by: 48).contains { bytes.contains(Array(value[$0..<$0 + 48])) }
        }.count
    }

    /// Short values lie in the row's page, long ones in pages of their own.
    @Test(arguments: [600, 9_000]) func `no earlier state is found once the log is emptied`(size: Int) throws {
        let store = try AgentStore(directory: folder.path, key: testStoreKey)
        let sealed = try ratchets(14, in: store, size: size)
        #expect(store.needsEmptying)
        // The search finds what is there: without this the rest would say nothing.
        #expect(try found(Array(sealed.dropLast())) == 13)
        try store.emptyLog()
        #expect(!store.needsEmptying)
        #expect(try found(Array(sealed.dropLast())) == 0)
        #expect(try found([try #require(sealed.last)]) == 1)
        store.close()
        #expect(try found(Array(sealed.dropLast())) == 0)
    }

    @Test func `what a process that died left in the log goes at the next start`() throws {
        let store = try AgentStore(directory: folder.path, key: testStoreKey)
        let sealed = try ratchets(5, in: store)
        let crashed = try folder.copy()
        store.close()
        let left = try crashed.contents()
        #expect(sealed.allSatisfy { left.contains($0) })
        let next = try AgentStore(directory: crashed.path, key: testStoreKey)
        let bytes = try crashed.contents()
        #expect(sealed.dropLast().allSatisfy { !bytes.contains($0) })
        #expect(sealed.last.map { bytes.contains($0) } == true)
        next.close()
    }

    @Test func `what is deleted is overwritten`() throws {
        let store = try AgentStore(directory: folder.path, key: testStoreKey)
        let sealed = try ratchets(1, in: store, size: 9_000)
        try store.write { try $0.deleteConnection(connection) }
        try store.emptyLog()
        #expect(try found(sealed) == 0)
        store.close()
    }

    // MARK: The agent's part

    /// Time that passes a hundred times as fast.
    private struct FastClock: AgentClock {
        var now: Int64 { SystemClock().now }

        func sleep(milliseconds: Int64, isolation: isolated (any Actor)?) async throws {
            try await Task.sleep(for: .milliseconds(milliseconds / 100))
        }
    }

    @Test func `an agent empties the log within a minute of a change and then rests`() async throws {
        #expect(Agent.logLifetime <= 60_000)
        let store = try AgentStore(directory: folder.path, key: testStoreKey)
        var surroundings = AgentSurroundings.system()
        surroundings.clock = FastClock()
        let configuration = AgentConfiguration(directory: folder.path, storeKey: testStoreKey, relays: [])
        let agent = Agent(configuration: configuration, surroundings: surroundings, store: store)
        await agent.start()
        try await waitUntil("the log of the start is empty") { !store.needsEmptying }
        #expect(await agent.emptying == nil)
        try await agent.setApplicationData("a", to: [1])
        #expect(store.needsEmptying)
        #expect(await agent.emptying != nil)
        try await waitUntil("the log is empty") { !store.needsEmptying }
        let log = try FileManager.default.attributesOfItem(atPath: folder.path + "/agent.sqlite-wal")
        #expect((log[.size] as? NSNumber)?.intValue == 0)
        #expect(await agent.emptying == nil)
        await agent.stop()
    }
}
