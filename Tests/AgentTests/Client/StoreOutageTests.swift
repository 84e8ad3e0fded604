import SMP
import Testing

@testable import Agent

/// What is done with a store that fails: transcripts.
@Suite(.timeLimit(.minutes(5))) struct StoreOutageTests {
    private let connection = ConnectionID(rawValue: "first")
    private var outage = StoreOutage()
    /// The wake that was asked for last.
    private var number = 0
    private var delay: Int64 = 0

    private func message(_ id: UInt8, queue: UInt8) throws -> PostponedWork {
        let relay = try RelayAddress(parsing: "smp://\(String(repeating: "A", count: 43))=@relay.example")
        return .receive(
            HeldMessage(
                id: MessageID([UInt8](repeating: id, count: 24)), body: [id],
                queue: ReceiveQueueName(relay: relay, recipientID: EntityID([queue]))))
    }

    /// Takes what an answer asks for; what it tells.
    private mutating func take(_ actions: [StoreOutage.Action]) -> [StoreOutage.Action] {
        actions.filter { action in
            guard case .wake(let delay, let number) = action else { return true }
            (self.delay, self.number) = (delay, number)
            return false
        }
    }

    private mutating func fail(_ error: StoreError = .full) -> [StoreOutage.Action] {
        take(outage.failed(error, jitter: 0.5))
    }

    /// The time asked for comes, everything is tried, and succeeds or not.
    private mutating func attempt(fails: Bool) -> [StoreOutage.Action] {
        guard outage.wake(number) != nil else { return take(outage.cooled(number)) }
        return (fails ? fail() : []) + take(outage.tried(jitter: 0.5))
    }

    @Test mutating func `the first failure is tried again without a word`() {
        #expect(fail() == [])
        #expect(delay == 200)
        #expect(outage.failed(.full, jitter: 0.5) == [])
        outage.postpone(.accept(connection, message: 1))
        #expect(outage.wake(number) == [.accept(connection, message: 1)])
        #expect(take(outage.tried(jitter: 0.5)) == [])
        #expect(outage.wake(number) == nil)
        #expect(take(outage.cooled(number)) == [])
    }

    @Test mutating func `a store that goes on failing is told once and its recovery too`() {
        _ = fail()
        for round in 0..<3 { #expect(attempt(fails: true) == (round == 0 ? [.tellFailing(.full)] : [])) }
        #expect(attempt(fails: false) == [])
        #expect(attempt(fails: false) == [.tellRecovered])
        #expect(attempt(fails: false) == [])
    }

    @Test mutating func `the delay grows to five seconds and begins anew after a recovery`() {
        _ = fail(.inUse)
        var delays = [delay]
        for _ in 0..<12 {
            _ = attempt(fails: true)
            delays.append(delay)
        }
        #expect(zip(delays, delays.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(delays.last == 5_000)
        _ = attempt(fails: false)
        _ = attempt(fails: false)
        _ = fail(.inUse)
        #expect(delay == 200)
    }

    /// A relay is asked, and its answer is too large for the store.
    @Test mutating func `a store that fails soon after it worked is tried ever more seldom and told once`() {
        _ = fail()
        var delays = [delay]
        var told: [StoreOutage.Action] = []
        for _ in 0..<12 {
            told += attempt(fails: false)
            #expect(delay == StoreOutage.coolingTime)
            told += fail()
            delays.append(delay)
        }
        #expect(delays.last == 5_000)
        #expect(told == [.tellFailing(.full)])
        told += attempt(fails: false)
        told += attempt(fails: false)
        #expect(told == [.tellFailing(.full), .tellRecovered])
    }

    @Test mutating func `a time that was asked for before means nothing any more`() {
        _ = fail()
        _ = attempt(fails: false)
        let cooling = number
        _ = fail()
        outage.postpone(.restore(connection))
        #expect(outage.wake(cooling) == nil)
        #expect(outage.cooled(cooling) == [])
        #expect(outage.wake(number) == [.restore(connection)])
    }

    @Test mutating func `what was postponed comes back in its order and once`() {
        _ = fail()
        outage.postpone(.restore(connection))
        outage.postpone(.acknowledge(connection, message: 1, receipt: true))
        outage.postpone(.restore(connection))
        #expect(outage.wake(number) == [.restore(connection), .acknowledge(connection, message: 1, receipt: true)])
        // What fails again is kept again.
        outage.postpone(.restore(connection))
        _ = fail()
        _ = take(outage.tried(jitter: 0.5))
        #expect(outage.wake(number) == [.restore(connection)])
    }

    @Test mutating func `of each queue the last delivery alone is kept`() throws {
        _ = fail()
        outage.postpone(try message(1, queue: 1))
        outage.postpone(try message(2, queue: 2))
        outage.postpone(try message(3, queue: 1))
        #expect(try outage.wake(number) == [message(3, queue: 1), message(2, queue: 2)])
    }

    @Test mutating func `a queue that delivers again needs no copy`() throws {
        _ = fail()
        outage.postpone(try message(1, queue: 1))
        guard case .receive(let kept) = try message(1, queue: 1) else { return }
        outage.forgetDelivery(on: kept.queue)
        #expect(outage.wake(number) == [])
    }
}
