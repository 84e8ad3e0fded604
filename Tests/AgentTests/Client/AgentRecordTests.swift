import Synchronization
import Testing

@testable import Agent

/// The application's own records, as an agent gives them out.
@Suite(.timeLimit(.minutes(5))) struct AgentRecordTests {
    private let folder = TemporaryFolder()

    private func open() async throws -> Agent {
        try await Agent(
            configuration: AgentConfiguration(directory: folder.path, storeKey: testStoreKey, relays: []))
    }

    private func drafts(_ count: Int) -> [ApplicationRecordDraft] {
        (0..<count).map { ApplicationRecordDraft(key: [UInt8($0 % 256)], value: [UInt8($0 / 256)]) }
    }

    @Test func `keys are read in batches of a thousand, down to the last`() async throws {
        let agent = try await open()
        let numbers = try await agent.appendRecords(drafts(2_500), to: "calls")
        var (found, sizes): ([Int64], [Int]) = ([], [])
        repeat {
            let batch = try await agent.recordKeys(of: "calls", before: found.last ?? .max)
            found += batch.map(\.number)
            sizes.append(batch.count)
        } while sizes.last == 1_000
        #expect(sizes == [1_000, 1_000, 500] && found == numbers.reversed())
        await agent.stop()
    }

    @Test func `others have their turn while many are deleted`() async throws {
        let agent = try await open()
        _ = try await agent.appendRecords(drafts(5_000), to: "calls")
        let counts = Mutex<Set<Int>>([])
        async let deleted = agent.deleteRecords(of: "calls")
        while try await agent.recordCount(of: "calls") > 0 {
            let count = try await agent.recordCount(of: "calls")
            counts.withLock { _ = $0.insert(count) }
        }
        _ = try await deleted
        #expect(counts.withLock { $0.contains { $0 > 0 && $0 < 5_000 } })
        await agent.stop()
    }

    @Test func `records and the value beside them are kept together or not at all`() async throws {
        let agent = try await open()
        try await agent.setApplicationData("beside", to: [1])
        agent.store.interruption.withLock { hook in
            hook = { moment in if moment == .beforeCommit { throw StoreError.full } }
        }
        let value = ApplicationValue("beside") { [2] }
        await #expect(throws: AgentError.store(.full)) {
            try await agent.appendRecords(drafts(3), to: "calls", keeping: value)
        }
        agent.store.interruption.withLock { $0 = nil }
        #expect(try await agent.recordCount(of: "calls") == 0)
        #expect(try await agent.applicationData("beside") == [1])
        _ = try await agent.appendRecords(drafts(3), to: "calls", keeping: value)
        #expect(try await agent.recordCount(of: "calls") == 3)
        #expect(try await agent.applicationData("beside") == [2])
        await agent.stop()
    }

    @Test func `what is added while all are deleted stays`() async throws {
        let agent = try await open()
        _ = try await agent.appendRecords(drafts(3_000), to: "calls")
        async let deleted = agent.deleteRecords(of: "calls")
        while try await agent.recordCount(of: "calls") == 3_000 {}
        let late = try await agent.appendRecords(drafts(2), to: "calls")
        _ = try await deleted
        #expect(try await agent.records(of: "calls", limit: 10).map(\.number) == late.reversed())
        await agent.stop()
    }

    @Test func `more than a batch of given numbers is deleted`() async throws {
        let agent = try await open()
        let numbers = try await agent.appendRecords(drafts(2_100), to: "calls")
        try await agent.deleteRecords(of: "calls", numbers: Array(numbers.dropFirst(50)))
        #expect(try await agent.records(of: "calls", limit: 100).count == 50)
        await agent.stop()
        await #expect(throws: AgentError.stopped) { try await agent.recordCount(of: "calls") }
    }
}
