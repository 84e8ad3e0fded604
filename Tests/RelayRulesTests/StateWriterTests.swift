import Cryptography
import Foundation
import Logging
import RelayFixtures
import SMP
import Synchronization
import Testing

@testable import RelayRules

/// When answers may go, and how much goes to the disk at a time.
@Suite(.timeLimit(.minutes(5))) struct StateWriterTests {
    /// A disk that can be told to wait or to refuse.
    private final class Disk: QueuePersistence {
        struct State {
            var transactions: [Int] = []
            var isRefusing = false
        }

        let state = Mutex(State())
        /// Held while the disk must not finish.
        let gate = Mutex(())

        func load() throws -> PersistedQueues { PersistedQueues() }
        func bodies(of numbers: [Int64]) throws -> [Int64: [UInt8]] { [:] }

        func write(_ changes: [StoreChange]) throws {
            gate.withLock { _ in }
            try state.withLock { state in
                guard !state.isRefusing else { throw RelayStorageError.unavailable("full") }
                state.transactions.append(changes.count)
            }
        }

        func tidy() -> Bool { true }
        func close() {}
    }

    /// A disk whose closing takes as long as the test says.
    private final class SlowlyClosingDisk: QueuePersistence {
        let isClosing = DispatchSemaphore(value: 0)
        let mayClose = DispatchSemaphore(value: 0)

        func load() throws -> PersistedQueues { PersistedQueues() }
        func bodies(of numbers: [Int64]) throws -> [Int64: [UInt8]] { [:] }
        func write(_ changes: [StoreChange]) throws {}
        func tidy() -> Bool { true }

        func close() {
            isClosing.signal()
            mayClose.wait()
        }

        func waitForClosing() { isClosing.wait() }
    }

    @Test func `nobody reads while the disk is being closed`() async throws {
        let disk = SlowlyClosingDisk()
        let fixture = CoreFixture()
        try fixture.core.attach(disk)
        let writer = fixture.core.writer
        let order = Mutex<[String]>([])
        let thread = Thread { writer.detach() }
        thread.start()
        disk.waitForClosing()
        let (answers, answered) = AsyncStream<Void>.makeStream()
        writer.read([1]) { _ in
            order.withLock { $0.append("read") }
            answered.finish()
        }
        try await Task.sleep(for: .milliseconds(50))
        order.withLock { $0.append("closed") }
        disk.mayClose.signal()
        for await _ in answers {}
        #expect(order.withLock { $0 } == ["closed", "read"])
    }

    /// Notes what ran, in order, and waits for it.
    private struct Notes: Sendable {
        let stream: AsyncStream<Int>
        let add: AsyncStream<Int>.Continuation

        init() { (stream, add) = AsyncStream<Int>.makeStream() }

        func first(_ count: Int) async -> [Int] {
            var result: [Int] = []
            for await number in stream {
                result.append(number)
                if result.count == count { break }
            }
            return result
        }
    }

    private func position(_ core: RelayCore) -> UInt64 { core.withStore { $0.journal.position } }

    @Test func `a relay that stops while changes are noted writes again after its next start`() async throws {
        let disk = Disk()
        let fixture = CoreFixture()
        try fixture.core.attach(disk)
        let session = fixture.session(1)
        _ = try session.makeQueue()
        let writer = fixture.core.writer
        writer.note(position(fixture.core))
        writer.detach()
        // What was noted is looked after in the meantime, with no disk there.
        try await Task.sleep(for: .milliseconds(60))
        try fixture.core.attach(disk)
        _ = try session.makeQueue()
        let notes = Notes()
        writer.whenWritten(position(fixture.core)) { notes.add.yield(1) }
        #expect(await notes.first(1) == [1])
    }

    @Test func `many answers wait for one transaction and go in order`() async throws {
        let disk = Disk()
        let fixture = CoreFixture()
        try fixture.core.attach(disk)
        let notes = Notes()
        try disk.gate.withLock { _ in
            for number in 0..<50 {
                _ = try fixture.session(1).makeQueue()
                fixture.core.writer.whenWritten(position(fixture.core)) { notes.add.yield(number) }
            }
            #expect(disk.state.withLock { $0.transactions.isEmpty })
        }
        #expect(await notes.first(50) == Array(0..<50))
        let transactions = disk.state.withLock { $0.transactions }
        #expect(transactions.reduce(0, +) == 50)
        #expect(transactions.count <= 2)
    }

    @Test func `what changes nothing is answered at once`() async throws {
        let disk = Disk()
        let fixture = CoreFixture()
        try fixture.core.attach(disk)
        let ran = Mutex(false)
        _ = try fixture.session(1).ask(.ping)
        fixture.core.writer.whenWritten(position(fixture.core)) { ran.withLock { $0 = true } }
        #expect(ran.withLock { $0 })
    }

    @Test func `a relay without disk answers at once`() throws {
        let fixture = CoreFixture()
        _ = try fixture.session(1).makeQueue()
        let ran = Mutex(false)
        fixture.core.writer.whenWritten(position(fixture.core)) { ran.withLock { $0 = true } }
        #expect(ran.withLock { $0 })
    }

    @Test func `a refusing disk holds answers back until it takes them`() async throws {
        let disk = Disk()
        let fixture = CoreFixture()
        let session = fixture.session(1)
        try fixture.core.attach(disk)
        disk.state.withLock { $0.isRefusing = true }
        let queue = try session.makeQueue()
        let notes = Notes()
        fixture.core.writer.whenWritten(position(fixture.core)) { notes.add.yield(1) }
        while !fixture.core.writer.isFailing { await Task.yield() }
        let refusal = try queue.send(in: session, secured: false)
        #expect(refusal == .error(.store("no room")))
        #expect(try session.ask(.ping) == .pong)
        disk.state.withLock { $0.isRefusing = false }
        #expect(await notes.first(1) == [1])
        #expect(disk.state.withLock { $0.transactions } == [1])
        #expect(try queue.send(in: session, secured: false) == .ok)
    }

    @Test func `only answers that promise something wait for the disk`() throws {
        let fixture = CoreFixture()
        let session = fixture.session(1)
        try fixture.core.attach(Disk())
        let queue = try session.makeQueue()
        func waits(_ command: Command, _ entity: EntityID, _ key: AuthenticationPrivateKey?) throws -> Bool {
            let transmission = try session.transmission(command, entity, key)
            let payload = try Batch.encode([transmission.encoded(session.context.version)])
            return fixture.core.process(payload, session: session.context).mustBeWritten
        }
        #expect(try waits(.send(notify: false, body: [1]), queue.senderID, nil))
        #expect(try waits(.secure(queue.senderKey.publicKey), queue.senderID, queue.senderKey))
        #expect(try waits(.delete, queue.recipientID, queue.recipientKey))
        let other = try session.makeQueue()
        #expect(try !waits(.subscribe, other.recipientID, other.recipientKey))
        #expect(try !waits(.acknowledge(.random()), other.recipientID, other.recipientKey))
    }

    @Test func `what nobody waits for is written all the same`() async throws {
        let disk = Disk()
        let fixture = CoreFixture()
        let session = fixture.session(1)
        try fixture.core.attach(disk)
        let queue = try session.makeQueue()
        let written = Mutex(false)
        fixture.core.writer.whenWritten(position(fixture.core)) { written.withLock { $0 = true } }
        while !written.withLock({ $0 }) { await Task.yield() }
        let before = disk.state.withLock { $0.transactions.count }
        _ = try queue.send(in: session, secured: false)
        fixture.core.writer.note(position(fixture.core))
        while disk.state.withLock({ $0.transactions.count }) == before { await Task.yield() }
    }
}
