import GRDB
import SMP
import Synchronization
import TestSupport
import Testing

@testable import Agent

/// A disk that fails from some commit on until it is mended.
private final class Fault: Sendable {
    /// Commits that succeed before; nil for all.
    private let passes: Mutex<Int?>

    init(passes: Int) { self.passes = Mutex(passes) }

    func happen(_ moment: AgentStore.Moment) throws {
        guard moment != .afterCommit else { return }
        try passes.withLock { left in
            guard let count = left else { return }
            guard count > 0 else { throw StoreError.unavailable("disk I/O error") }
            if moment == .beforeCommit { left = count - 1 }
        }
    }

    func end() { passes.withLock { $0 = nil } }
}

/// A disk that is too full for a queue, and for nothing else, until it is mended.
private final class QueueRefusal: TransactionObserver, Sendable {
    private let state = Mutex((isFull: true, hasQueue: false))

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { eventKind.tableName == "receiveQueue" }
    func databaseDidChange(with event: DatabaseEvent) { state.withLock { $0.hasQueue = true } }
    func databaseWillCommit() throws {
        if state.withLock({ $0.isFull && $0.hasQueue }) { throw DatabaseError(resultCode: .SQLITE_FULL) }
    }
    func databaseDidCommit(_ database: Database) { state.withLock { $0.hasQueue = false } }
    func databaseDidRollback(_ database: Database) { state.withLock { $0.hasQueue = false } }

    func end() { state.withLock { $0.isFull = false } }
}

/// Agents whose store has no room for a while, over a real relay; their connections to it hold all the time.
@Suite(.timeLimit(.minutes(5))) struct AgentOutageTests {
    /// Lets the file of a store grow no more and fills it, or lets it grow again. SQLite answers as with a full disk.
    private func limit(_ agent: Agent, _ isFull: Bool) throws {
        try agent.store.read { (transaction: StoreTransaction) throws -> Void in
            let database = transaction.database.database
            let pages = isFull ? try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0 : 1_073_741_823
            _ = try Int.fetchOne(database, sql: "PRAGMA max_page_count = \(pages)")
        }
        guard isFull else { return }
        for size in [3_000, 100] {
            #expect(throws: StoreError.full) {
                for number in 0..<10_000 {
                    try agent.store.write {
                        try $0.setApplicationData("filler \(size) \(number)", [UInt8](repeating: 1, count: size))
                    }
                }
            }
        }
    }

    private static let large = [UInt8](repeating: 7, count: 15_000)

    private func waitUntilTold(_ agent: TestAgent, _ event: AgentEvent) async throws {
        try await agent.wait("\(event)") { $0.contains(event) ? true : nil }
    }

    @Test func `a message that the full store cannot take arrives when there is room and so do all after it`()
        async throws
    {
        let relay = try await TestRelay()
        let (ada, bob) = (try await TestAgent([relay.address]), try await TestAgent([relay.address]))
        let (sending, _) = try await connect(ada, bob)
        try limit(bob.agent, true)
        for number in 0..<3 as Range<UInt8> {
            _ = try await ada.agent.send(Self.large + [number], on: sending, notify: true)
        }
        try await waitUntilTold(bob, .storeFailing(.full))
        #expect(await bob.messages.isEmpty)
        try limit(bob.agent, false)
        let bodies = try await bob.waitForMessages(3)
        #expect(bodies == (0..<3 as Range<UInt8>).map { Self.large + [$0] })
        try await waitUntilTold(bob, .storeRecovered)
        #expect(await bob.events.filter { $0 == .storeFailing(.full) }.count == 1)
        #expect(await bob.events.filter { $0 == .storeRecovered }.count == 1)
        #expect(await bob.failures.isEmpty)
        await ada.stop()
        await bob.stop()
        await relay.stop()
    }

    @Test func `a message that cannot be encrypted for now leaves when the store works`() async throws {
        let relay = try await TestRelay()
        let (ada, bob) = (try await TestAgent([relay.address]), try await TestAgent([relay.address]))
        let (sending, _) = try await connect(ada, bob)
        let fault = Fault(passes: 1)
        ada.agent.store.interruption.withLock { $0 = fault.happen }
        let number = try await ada.agent.send([1], on: sending, notify: true)
        try await waitUntilTold(ada, .storeFailing(.unavailable("disk I/O error")))
        fault.end()
        #expect(try await bob.waitForMessages(1) == [[1]])
        try await waitUntilTold(ada, .sent(sending, number))
        #expect(await ada.failures.isEmpty)
        await ada.stop()
        await bob.stop()
        await relay.stop()
    }

    /// A queue costs a relay something, so it is not made again and again for a store that can't take it.
    @Test func `a queue that the store cannot take is made ever more seldom and the person is told`() async throws {
        let relay = try await TestRelay()
        let initiator = try await TestAgent([relay.address])
        let database = try DatabaseQueue()
        let fault = QueueRefusal()
        database.add(transactionObserver: fault, extent: .databaseLifetime)
        let store = try AgentStore(database, key: testStoreKey)
        let joiner = try await TestAgent([relay.address], store: store)
        let (_, link) = try await initiator.agent.makeInvitation()
        let connection = try await joiner.agent.join(link: link, info: [1])
        try await waitUntilTold(joiner, .storeFailing(.full))
        // What is small is taken all the time.
        try await joiner.agent.setApplicationData("a", to: [1])
        fault.end()
        let asked = try await initiator.wait("a confirmation") { events in
            events.lazy.compactMap { if case .confirmation(let id, _) = $0 { id } else { nil } }.first
        }
        try await initiator.agent.allow(asked, info: [2])
        try await joiner.wait("connected") { $0.contains(.connected(connection)) ? true : nil }
        try await waitUntilTold(joiner, .storeRecovered)
        #expect(await joiner.events.filter { $0 == .storeFailing(.full) }.count == 1)
        // The two of the connection: what was made and could not be kept is deleted.
        try await waitUntil("no queue is left over") { relay.queueCount == 2 }
        await initiator.stop()
        await joiner.stop()
        await relay.stop()
    }

    @Test func `connections that could not be restored are taken up when the store works`() async throws {
        let relay = try await TestRelay()
        let folder = TemporaryFolder()
        let bob = try await TestAgent([relay.address])
        var ada = try await TestAgent([relay.address], folder: folder)
        let (_, sending) = try await connect(ada, bob)
        await ada.stop()
        ada = try await TestAgent([relay.address], folder: folder, starts: false)
        let fault = Fault(passes: 0)
        ada.agent.store.interruption.withLock { $0 = fault.happen }
        await ada.agent.start()
        _ = try await bob.agent.send([1], on: sending, notify: true)
        try await waitUntilTold(ada, .storeFailing(.unavailable("disk I/O error")))
        fault.end()
        #expect(try await ada.waitForMessages(1) == [[1]])
        await ada.stop()
        await bob.stop()
        await relay.stop()
    }

    @Test func `a queue that could not be stored is forgotten by its relay only when the store works`() async throws {
        let relay = try await TestRelay()
        let ada = try await TestAgent([relay.address])
        let fault = Fault(passes: 0)
        ada.agent.store.interruption.withLock { $0 = fault.happen }
        await #expect(throws: AgentError.store(.unavailable("disk I/O error"))) {
            _ = try await ada.agent.makeInvitation()
        }
        // Until something else is on disk, what failed may be found there by the next process.
        try await waitUntilTold(ada, .storeFailing(.unavailable("disk I/O error")))
        #expect(relay.queueCount == 1)
        fault.end()
        try await waitUntil("the relay has forgotten it") { relay.queueCount == 0 }
        await ada.stop()
        await relay.stop()
    }
}
