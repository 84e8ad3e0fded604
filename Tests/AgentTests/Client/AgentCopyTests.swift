import Cryptography
import Foundation
import GRDB
import SMP
import TestSupport
import Testing

@testable import Agent
@testable import SMPSession

/// Stores that are replaced by earlier copies, over real relays.
@Suite(.timeLimit(.minutes(3))) struct AgentCopyTests {
    private typealias IDs = (ada: ConnectionID, bob: ConnectionID)
    private static let soon = NoteSchedule.Pace(quiet: 100, longest: 500)
    private static let never = NoteSchedule.Pace(quiet: 3_600_000, longest: 3_600_000)

    private let relay: TestRelay
    private let folder = TemporaryFolder()

    init() async throws { relay = try await TestRelay() }

    private func ada(
        _ pace: NoteSchedule.Pace = soon, in folder: TemporaryFolder? = nil, store: AgentStore? = nil
    ) async throws -> TestAgent {
        try await TestAgent([relay.address], folder: folder ?? self.folder, store: store, notePace: pace)
    }

    /// Ada, whose store is in `folder` and who has a note at the relay, and Bob; they are connected.
    private func acquainted() async throws -> (ada: TestAgent, bob: TestAgent, ids: IDs) {
        let ada = try await ada()
        let bob = try await TestAgent([relay.address])
        let (first, second) = try await connect(ada, bob)
        try await waitForNote(ada)
        return (ada, bob, (first, second))
    }

    /// Waits until the relay has a note that knows everything.
    private func waitForNote(_ agent: TestAgent) async throws {
        try await waitUntil("a note is at the relay") { try await agent.agent.hasNoteForTests() }
    }

    /// Both say something.
    private func talk(_ ada: TestAgent, _ bob: TestAgent, _ ids: IDs, saying word: UInt8) async throws {
        _ = try await ada.agent.send([word, 1], on: ids.ada, notify: true)
        _ = try await bob.agent.send([word, 2], on: ids.bob, notify: true)
        try await bob.wait("Ada's \(word)") { $0.contains { $0.says([word, 1]) } ? true : nil }
        try await ada.wait("Bob's \(word)") { $0.contains { $0.says([word, 2]) } ? true : nil }
    }

    private func renewals(_ agent: TestAgent) async -> [RatchetSynchronisation] {
        await agent.events.compactMap { if case .synchronisation(_, let state) = $0 { state } else { nil } }
    }

    /// The disk as it is now, and what its files look like when it is put back.
    private func image(_ files: StoreFiles, _ copy: TemporaryFolder) throws -> AgentStore {
        try AgentStore(DatabaseQueue(path: copy.path + "/agent.sqlite"), key: testStoreKey, files: files)
    }

    private func end(_ agents: TestAgent...) async {
        for agent in agents { await agent.stop() }
        await relay.stop()
    }

    // MARK: Copies

    @Test func `an agent whose store nobody opens again leaves no note`() async throws {
        let ada = try await TestAgent([relay.address], folder: folder, notePace: Self.never, leavesNote: false)
        let bob = try await TestAgent([relay.address], notePace: Self.never)
        _ = try await connect(ada, bob)
        #expect(await bob.agent.notes.timer != nil)
        #expect(await ada.agent.notes.timer == nil)
        await end(ada, bob)
    }

    @Test func `a copy that is put back gets new ratchets and messages flow`() async throws {
        let (first, bob, ids) = try await acquainted()
        var ada = first
        let copy = try folder.copy()
        try await talk(ada, bob, ids, saying: 1)
        await ada.stop()
        try FileManager.default.removeItem(atPath: folder.path)
        try FileManager.default.copyItem(atPath: copy.path, toPath: folder.path)
        ada = try await self.ada()
        try await talk(ada, bob, ids, saying: 2)
        #expect(await renewals(ada).contains(.started))
        #expect(await renewals(ada).contains(.ok))
        await ada.stop()
        // It is the latest one from here on.
        ada = try await self.ada()
        try await talk(ada, bob, ids, saying: 3)
        #expect(await renewals(ada) == [])
        await end(ada, bob)
    }

    /// The files of a disk's image show nothing, whether the program ran or not.
    @Test(arguments: [StoreFiles.untouched, .cut])
    func `a disk that is put back is noticed by the relay's answer`(files: StoreFiles) async throws {
        let (first, bob, ids) = try await acquainted()
        var ada = first
        if files == .untouched { await ada.stop() }
        let copy = try folder.copy()
        if files == .untouched { ada = try await self.ada() }
        try await talk(ada, bob, ids, saying: 1)
        try await waitForNote(ada)
        await ada.stop()
        ada = try await self.ada(in: copy, store: try image(files, copy))
        try await talk(ada, bob, ids, saying: 2)
        #expect(await renewals(ada).contains(.started))
        #expect(await renewals(ada).contains(.ok))
        await end(ada, bob)
    }

    @Test func `the end leaves a note of the last changes`() async throws {
        let (first, bob, ids) = try await acquainted()
        var ada = first
        await ada.stop()
        ada = try await self.ada(Self.never)
        try await waitForNote(ada)
        let copy = try folder.copy()
        try await talk(ada, bob, ids, saying: 1)
        await ada.stop()
        ada = try await self.ada(in: copy, store: try image(.cut, copy))
        try await talk(ada, bob, ids, saying: 2)
        #expect(await renewals(ada).contains(.started))
        await end(ada, bob)
    }

    @Test func `a copy that lives at the same time is noticed by the original with its next note`() async throws {
        let (ada, bob, ids) = try await acquainted()
        let copy = try folder.copy()
        let clone = try await self.ada(in: copy, store: try image(.cut, copy))
        try await waitUntil("the clone is up") { await clone.agent.isSettled }
        #expect(await renewals(clone) == [])
        await clone.stop()
        _ = try await ada.agent.send([1], on: ids.ada, notify: true)
        try await ada.wait("new ratchets") { $0.contains(.synchronisation(ids.ada, .started)) ? true : nil }
        await end(ada, bob)
    }

    // MARK: What is no copy

    @Test func `a start without a relay in reach leaves the profile closed`() async throws {
        let (first, bob, _) = try await acquainted()
        await first.stop()
        await relay.stop()
        let ada = try await self.ada()
        try await waitUntil("another note is on its way") { try await ada.agent.hasAddedNoteForTests() }
        await ada.stop()
        let store = try AgentStore(DatabaseQueue(path: folder.path + "/agent.sqlite"), key: testStoreKey)
        let bookmark = try store.read { try $0.bookmark() }
        #expect(bookmark?.isClosed == true)
        await end(bob)
    }

    @Test func `a power cut at a quiet time renews nothing`() async throws {
        let (first, bob, ids) = try await acquainted()
        var ada = first
        let copy = try folder.copy()
        await ada.agent.dieForTests()
        ada = try await self.ada(in: copy, store: try image(.cut, copy))
        try await talk(ada, bob, ids, saying: 1)
        #expect(await renewals(ada) == [])
        await end(ada, bob)
    }

    @Test func `a power cut renews only what has changed since the note`() async throws {
        let (first, bob, ids) = try await acquainted()
        var ada = first
        let cem = try await TestAgent([relay.address])
        let others = try await connect(cem, ada)
        try await waitForNote(ada)
        await ada.stop()
        ada = try await self.ada(Self.never)
        try await waitForNote(ada)
        try await talk(ada, bob, ids, saying: 1)
        let copy = try folder.copy()
        await ada.agent.dieForTests()
        ada = try await self.ada(in: copy, store: try image(.cut, copy))
        try await talk(ada, bob, ids, saying: 2)
        try await talk(ada, cem, (others.joiner, others.initiator), saying: 3)
        let events = await ada.events
        #expect(events.contains(.synchronisation(ids.ada, .started)))
        #expect(!events.contains(.synchronisation(others.joiner, .started)))
        await cem.stop()
        await end(ada, bob)
    }

    @Test func `a profile that was ended may move to another folder`() async throws {
        let (first, bob, ids) = try await acquainted()
        var ada = first
        await ada.stop()
        ada = try await self.ada(in: try folder.copy())
        try await talk(ada, bob, ids, saying: 1)
        #expect(await renewals(ada) == [])
        await end(ada, bob)
    }

    @Test func `a profile of an earlier version goes on and gets its note`() async throws {
        let (first, bob, ids) = try await acquainted()
        var ada = first
        await ada.stop()
        let database = try DatabaseQueue(path: folder.path + "/agent.sqlite")
        try await database.write { database in
            try database.execute(
                sql: """
                    DROP TABLE applicationRecord; DROP TABLE bookmark;
                    ALTER TABLE connection DROP COLUMN changedAfterNote; PRAGMA user_version = 6;
                    """)
        }
        try database.close()
        try FileManager.default.removeItem(atPath: folder.path + "/" + StoreWitness.fileName)
        ada = try await self.ada()
        try await waitForNote(ada)
        try await talk(ada, bob, ids, saying: 1)
        #expect(await renewals(ada) == [])
        await end(ada, bob)
    }

    @Test func `a short life makes no queue for a note`() async throws {
        let ada = try await ada(NoteSchedule.Pace())
        let bob = try await TestAgent([relay.address])
        _ = try await connect(ada, bob)
        await ada.stop()
        #expect(relay.queueCount == 2)
        let again = try await self.ada(NoteSchedule.Pace())
        try await waitUntil("it is up") { await again.agent.isSettled }
        await again.stop()
        #expect(relay.queueCount == 2)
        await end(bob)
    }

    @Test func `the relay keeps one note`() async throws {
        let (ada, bob, ids) = try await acquainted()
        for word in 1..<4 as Range<UInt8> {
            try await talk(ada, bob, ids, saying: word)
            try await waitForNote(ada)
        }
        try await waitUntil("all is acknowledged") { relay.messageCount == 1 }
        await end(ada, bob)
    }

    // MARK: Relays

    @Test func `nothing leaves before the relay has said what it knows`() async throws {
        let (first, bob, ids) = try await acquainted()
        var ada = first
        await ada.stop()
        await relay.stop()
        ada = try await self.ada()
        try await ada.wait("down") { $0.contains { if case .down = $0 { true } else { false } } ? true : nil }
        let number = try await ada.agent.send([1], on: ids.ada, notify: true)
        #expect(try await ada.agent.inStoreForTests { try $0.outgoing(number)?.envelope } == nil)
        #expect(await !ada.agent.hasBegun)
        try await relay.start()
        try await ada.wait("sent") { $0.contains(.sent(ids.ada, number)) ? true : nil }
        #expect(await renewals(ada) == [])
        await end(ada, bob)
    }

    @Test func `a note moves with the person to another relay and the old one tells copies`() async throws {
        let (first, bob, ids) = try await acquainted()
        var ada = first
        let copy = try folder.copy()
        let other = try await TestRelay()
        try await ada.agent.setRelays([other.address])
        try await waitForNote(ada)
        #expect(await ada.agent.notes.queue?.relay == other.address)
        await ada.stop()
        // Nothing has changed since the copy, which asks at the old relay.
        let clone = try await TestAgent([relay.address], folder: copy, store: try image(.cut, copy))
        try await clone.wait("new ratchets") { $0.contains(.synchronisation(ids.ada, .started)) ? true : nil }
        await clone.stop()
        ada = try await TestAgent([other.address], folder: folder)
        try await waitUntil("it is up") { [ada] in await ada.agent.isSettled }
        #expect(await !renewals(ada).contains(.started))
        await other.stop()
        await end(ada, bob)
    }

    @Test func `a relay that has lost the queue gets another`() async throws {
        let (first, bob, ids) = try await acquainted()
        var ada = first
        await ada.stop()
        ada = try await self.ada(Self.never)
        try await waitForNote(ada)
        let queue = try #require(await ada.agent.notes.queue)
        try await ada.agent.deleteNoteForTests()
        await ada.stop()
        ada = try await self.ada()
        try await waitForNote(ada)
        #expect(await ada.agent.notes.queue != queue)
        try await talk(ada, bob, ids, saying: 1)
        #expect(await renewals(ada) == [])
        await end(ada, bob)
    }
}

extension AgentEvent {
    fileprivate func says(_ body: [UInt8]) -> Bool {
        if case .message(_, let message) = self { message.body == body } else { false }
    }
}

extension Agent {
    /// Looks into the store.
    fileprivate func inStoreForTests<Value: Sendable>(_ body: @Sendable (StoreTransaction) throws -> Value) throws
        -> Value
    {
        try inStore(body)
    }

    /// Whether the relay has a note that knows everything.
    fileprivate func hasNoteForTests() throws -> Bool {
        try isSettled && !notes.isBehind && inStore { try $0.bookmark()?.notes.count } == 1
    }

    /// Whether another note is on its way, or may have been.
    fileprivate func hasAddedNoteForTests() throws -> Bool { try inStore { try $0.bookmark()?.notes.count } ?? 0 > 1 }

    /// Ends without any order, so that no last note is written.
    fileprivate func dieForTests() async {
        store.close()
        await stop()
    }

    /// What a relay does that forgets.
    fileprivate func deleteNoteForTests() async throws {
        guard let bookmark = try inStore({ try $0.bookmark() }) else { return }
        let key = try Ed25519.PrivateKey(rawRepresentation: bookmark.authenticationKey)
        _ = try await request(
            RelayRequest(.delete, entity: EntityID(bookmark.recipientID), key: .ed25519(key)),
            on: try bookmark.queue.relay)
    }
}
