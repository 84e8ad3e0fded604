import SMP
import Testing

@testable import Agent

/// What is done with a store that fails: transcripts.
@Suite(.timeLimit(.minutes(5))) struct StoreOutageTests {
    private let connection = ConnectionID(rawValue: "first")
    private var outage = StoreOutage()

    private func message(_ id: UInt8, queue: UInt8) throws -> PostponedWork {
        let relay = try RelayAddress(text: "smp://\(String(repeating: "A", count: 43))=@relay.example")
        return .receive(
            HeldMessage(
                id: MessageID([UInt8](repeating: id, count: 24)), body: [id],
                queue: ReceiveQueueName(relay: relay, recipientID: EntityID([queue]))))
    }

    /// The delay that an answer asks for.
    private func delay(_ actions: [StoreOutage.Action]) throws -> Int64 {
        try #require(actions.lazy.compactMap { if case .wake(let delay) = $0 { delay } else { nil } }.first)
    }

    @Test mutating func theFirstFailureIsTriedAgainWithoutAWord() {
        #expect(outage.failed(.full, jitter: 0.5) == [.wake(after: 200)])
        #expect(outage.failed(.full, jitter: 0.5) == [])
        outage.postpone(.offer(connection, message: 1))
        #expect(outage.wake() == [.offer(connection, message: 1)])
        #expect(outage.tried(jitter: 0.5) == [])
        #expect(outage.wake() == [])
    }

    @Test mutating func aStoreThatGoesOnFailingIsToldOnceAndItsRecoveryToo() {
        _ = outage.failed(.full, jitter: 0.5)
        for round in 0..<3 {
            _ = outage.wake()
            #expect(outage.failed(.full, jitter: 0.5) == [])
            #expect(outage.tried(jitter: 0.5).contains(.tellFailing(.full)) == (round == 0))
        }
        _ = outage.wake()
        #expect(outage.tried(jitter: 0.5) == [.tellRecovered])
        #expect(outage.tried(jitter: 0.5) == [])
    }

    @Test mutating func theDelayGrowsToFiveSecondsAndBeginsAnewAfterARecovery() throws {
        var delays = [try delay(outage.failed(.inUse, jitter: 0.5))]
        for _ in 0..<12 {
            _ = outage.wake()
            _ = outage.failed(.inUse, jitter: 0.5)
            delays.append(try delay(outage.tried(jitter: 0.5)))
        }
        #expect(zip(delays, delays.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(delays.last == 5_000)
        _ = outage.wake()
        _ = outage.tried(jitter: 0.5)
        #expect(try delay(outage.failed(.inUse, jitter: 0.5)) == 200)
    }

    @Test mutating func whatWasPostponedComesBackInItsOrderAndOnce() {
        _ = outage.failed(.full, jitter: 0.5)
        outage.postpone(.restore(connection))
        outage.postpone(.acknowledge(connection, message: 1, receipt: true))
        outage.postpone(.restore(connection))
        #expect(outage.wake() == [.restore(connection), .acknowledge(connection, message: 1, receipt: true)])
        // What fails again is kept again.
        outage.postpone(.restore(connection))
        _ = outage.failed(.full, jitter: 0.5)
        _ = outage.tried(jitter: 0.5)
        #expect(outage.wake() == [.restore(connection)])
    }

    @Test mutating func ofEachQueueTheLastDeliveryAloneIsKept() throws {
        _ = outage.failed(.full, jitter: 0.5)
        outage.postpone(try message(1, queue: 1))
        outage.postpone(try message(2, queue: 2))
        outage.postpone(try message(3, queue: 1))
        #expect(outage.wake() == [try message(3, queue: 1), try message(2, queue: 2)])
    }

    @Test mutating func aQueueThatDeliversAgainNeedsNoCopy() throws {
        _ = outage.failed(.full, jitter: 0.5)
        outage.postpone(try message(1, queue: 1))
        guard case .receive(let kept) = try message(1, queue: 1) else { return }
        outage.forgetDelivery(on: kept.queue)
        #expect(outage.wake() == [])
    }
}
