import BaseKit
import TestSupport
import Testing

@testable import Agent
@testable import SMPSession

/// A thousand connections whose relay restarts: nothing is lost, and the relay is not flooded.
@Suite(.timeLimit(.minutes(5))) struct ReconnectStormTests {
    private static let count = 1_000
    private static let second: Int64 = 1_000

    /// One machine for each connection, each with a message in flight when the relay goes.
    private func cutOff(_ random: inout SeededGenerator, now: Int64) -> (machines: [DeliveryMachine], wakes: [Int64]) {
        var machines: [DeliveryMachine] = []
        var wakes: [Int64] = []
        for id in 0..<Self.count {
            var machine = DeliveryMachine(gate: .open)
            _ = machine.enqueue(DeliveryMachine.Entry(id: Int64(id), kind: .message, createdAt: now))
            let jitter = Double.random(in: 0...1, using: &random)
            for case .wake(let time) in machine.failed(Int64(id), .unreachable, now: now, jitter: jitter) {
                wakes.append(time)
            }
            machines.append(machine)
        }
        return (machines, wakes)
    }

    /// The most events in any window of the given length.
    private func densest(_ times: [Int64], window: Int64) -> Int {
        let sorted = times.sorted()
        var (start, most) = (0, 0)
        for (end, time) in sorted.enumerated() {
            while time - sorted[start] >= window { start += 1 }
            most = max(most, end - start + 1)
        }
        return most
    }

    @Test func `a relay that comes back gets a few at once and the others spread`() {
        var random = SeededGenerator(seed: 11)
        var (machines, _) = cutOff(&random, now: 0)
        let delays = (0..<Self.count).map { index in
            ReleasePlan.delay(index: index, jitter: Double.random(in: 0...1, using: &random))
        }
        let attempts = zip(machines.indices, delays).flatMap { index, delay in
            machines[index].reachable().map { _ in delay }
        }
        // Everybody goes on exactly once, the last one soon.
        #expect(attempts.count == Self.count)
        #expect(attempts.max() ?? 0 <= 10 * Self.second)
        #expect(densest(attempts, window: Self.second) <= ReleasePlan.immediate + ReleasePlan.perSecond + 1)
    }

    @Test func `attempts during a long outage spread and become rare`() {
        var random = SeededGenerator(seed: 12)
        var (machines, wakes) = cutOff(&random, now: 0)
        var attempts: [Int64] = []
        let end = 600 * Self.second
        for index in machines.indices {
            var time = wakes[index]
            while time < end {
                let id = Int64(index)
                #expect(machines[index].wake(now: time) == [.transmit(id)])
                attempts.append(time)
                let jitter = Double.random(in: 0...1, using: &random)
                guard case .wake(let next)? = machines[index].failed(id, .unreachable, now: time, jitter: jitter).first
                else { break }
                #expect(next > time)
                time = next
            }
        }
        // In step, all of them would come within the same moment again and again.
        let late = attempts.filter { $0 >= 300 * Self.second }
        #expect(densest(late, window: Self.second) < Self.count / 20)
        #expect(late.count < Self.count * 5)
        #expect(attempts.count < Self.count * 70)
    }

    @Test func `lines dialled again by many clients do not come in step`() {
        var random = SeededGenerator(seed: 13)
        var dials: [Int64] = []
        for _ in 0..<Self.count {
            var backoff = ReconnectBackoff(initial: .seconds(2), growAfter: .seconds(10), maximum: .seconds(30))
            var time: Int64 = 0
            while time < 300 * Self.second {
                time += backoff.next(random: Double.random(in: 0...1, using: &random)).wholeMilliseconds
                dials.append(time)
            }
        }
        let late = dials.filter { $0 >= 120 * Self.second && $0 < 300 * Self.second }
        #expect(densest(late, window: Self.second) < Self.count / 4)
    }

    @Test func `a thousand clients of a relay that was away for a minute come back within seconds but not at once`() {
        var random = SeededGenerator(seed: 14)
        let end = 60 * Self.second
        let returns = (0..<Self.count).map { _ in
            var backoff = ReconnectBackoff()
            var time: Int64 = 0
            while time < end {
                time += backoff.next(random: Double.random(in: 0...1, using: &random)).wholeMilliseconds
            }
            return time
        }
        #expect(returns.max() ?? .max < end + 5 * Self.second)
        #expect(densest(returns, window: Self.second) < Self.count / 3)
    }
}
