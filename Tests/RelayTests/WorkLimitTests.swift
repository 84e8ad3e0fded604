import BaseKit
import Cryptography
import Foundation
import SMP
import SMPTransport
import Synchronization
import TestSupport
import Testing

@testable import Relay
@testable import RelayRules
@testable import SMPSession

/// What one client can cost a relay is bounded, and its connection survives.
@Suite(.timeLimit(.minutes(5))) struct WorkLimitTests {
    @Test func `refusals within the budget cost no waiting`() {
        var budget = RefusalBudget(time: at(0))
        for second in 0..<20 { #expect(budget.spend(50, at: at(second * 1_000)) == .zero) }
        #expect(budget.spend(Int(RefusalBudget.capacity), at: at(1_000_000)) == .zero)
    }

    @Test func `refusals beyond the budget cost their time`() {
        var budget = RefusalBudget(time: at(0))
        #expect(budget.spend(Int(RefusalBudget.capacity), at: at(0)) == .zero)
        #expect(budget.spend(100, at: at(0)) == .seconds(2))
        #expect(budget.spend(0, at: at(1_000)) == .seconds(1))
        #expect(budget.spend(0, at: at(2_000)) == .zero)
        // A clock that goes back gives nothing.
        #expect(budget.spend(50, at: at(1_000)) == .seconds(1))
    }

    @Test func `a guesser is slowed alone and answered to the end`() async throws {
        try await withRelay { _, address in
            let guesser = try await RelayConnection.connect(to: address)
            let other = try await RelayConnection.connect(to: address)
            let key = AuthenticationPrivateKey.ed25519(.init())
            let start = Instant.now
            var (asked, count) = (start, 0)
            // Each refusal beyond the budget costs its time. What the guesses take themselves gives some of it back: a slow machine needs
            // more of them.
            var cost: Duration {
                .seconds((Double(count) - RefusalBudget.capacity) / RefusalBudget.rate) - (asked - start)
            }
            repeat {
                let more = Int(count == 0 ? RefusalBudget.capacity : 0) + 4 * Int(RefusalBudget.rate)
                let guesses = (0..<more).map { _ in RelayRequest(.subscribe, entity: .random(), key: key) }
                let answers = await guesser.requests(guesses)
                #expect(answers == Array(repeating: .failure(.refused(.authentication)), count: more))
                (asked, count) = (.now, count + more)
            } while cost < .seconds(3)
            async let pong = guesser.request(RelayRequest(.ping))
            // Others don't wait for the guesser.
            #expect(try await other.request(RelayRequest(.ping)) == .pong)
            let served = Instant.now
            #expect(try await pong == .pong)
            let end = Instant.now
            #expect(end - asked >= cost - .milliseconds(500))
            #expect(served - asked < end - asked)
        }
    }

    /// A disk that is stuck until it is told otherwise.
    private final class StuckDisk: QueuePersistence {
        private let gate = DispatchSemaphore(value: 0)
        let isFree = Mutex(false)

        func load() throws -> PersistedQueues { PersistedQueues() }
        func bodies(of numbers: [Int64]) throws -> [Int64: [UInt8]] { [:] }
        func write(_ changes: [StoreChange]) throws {
            if !isFree.withLock({ $0 }) { gate.wait() }
        }
        func free() {
            isFree.withLock { $0 = true }
            gate.signal()
        }
        func tidy() -> Bool { true }
        func close() {}
    }

    @Test func `a client that does not wait for the disk is read no further but answered`() async throws {
        try await withRelay(change: .init { $0.storage = .memory }) { relay, address in
            let disk = StuckDisk()
            let connection = try await RelayConnection.connect(to: address)
            let queue = try await TestQueue(on: connection, subscribes: false)
            // From here on answers wait for the disk; the queue is not lost, for memory keeps it.
            relay.service.core.withStore { $0.journal.isKept = true }
            relay.service.core.writer.attach(disk)
            let count = SessionWatch.maximumUnanswered * 2 + 10
            let answers = Task {
                try await withThrowingTaskGroup(of: BrokerMessage.self) { group in
                    for _ in 0..<count {
                        group.addTask {
                            try await connection.request(queue.sender(.send(notify: false, body: [1]), secured: false))
                        }
                    }
                    try await group.waitForAll()
                }
            }
            while relay.snapshot.messages < SessionWatch.maximumUnanswered {
                try await Task.sleep(for: .milliseconds(10))
            }
            // What the sockets had read already still comes; then the relay stands still with most of the blocks unread.
            try await Task.sleep(for: .milliseconds(500))
            #expect(relay.snapshot.messages < SessionWatch.maximumUnanswered + 40)
            disk.free()
            // The quota is 128: the rest is refused, but answered.
            await #expect(throws: RelayRequestError.refused(.quota)) { try await answers.value }
            #expect(try await connection.request(RelayRequest(.ping)) == .pong)
        }
    }
}
