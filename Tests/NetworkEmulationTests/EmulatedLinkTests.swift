import BaseKit
import TestSupport
import Testing

@testable import NetworkEmulation

@Suite(.timeLimit(.minutes(5))) struct EmulatedLinkTests {
    private let packet = [UInt8](repeating: 7, count: 1_000)

    /// Offers packets at even distances and gives when each that arrived did so, with its number.
    private func run(
        _ condition: LinkCondition, count: Int, every distance: Duration, seed: UInt64 = 1
    ) -> (link: EmulatedLink, arrivals: [(number: Int, at: Instant)]) {
        var link = EmulatedLink(condition, seed: seed)
        var arrivals: [(Int, Instant)] = []
        func collect(until moment: Instant?) {
            while let next = link.nextArrival, moment.map({ next <= $0 }) ?? true {
                for packet in link.arrivals(now: next) { arrivals.append((number(of: packet), next)) }
            }
        }
        for index in 0..<count {
            let now = at(0) + distance * index
            collect(until: now)
            var packet = packet
            for byte in 0..<4 { packet[byte] = UInt8(truncatingIfNeeded: index >> (8 * byte)) }
            link.offer(packet, now: now)
        }
        collect(until: nil)
        return (link, arrivals)
    }

    private func number(of packet: [UInt8]) -> Int { (0..<4).reduce(0) { $0 | Int(packet[$1]) << (8 * $1) } }

    @Test func `a link without faults gives packets at once`() {
        let result = run(LinkCondition(), count: 10, every: .milliseconds(1))
        #expect(result.arrivals.map(\.number) == Array(0..<10))
        #expect(result.arrivals.map(\.at) == (0..<10).map { at($0) })
    }

    @Test func `the delay is added to each packet`() {
        let result = run(LinkCondition(delay: 50), count: 10, every: .milliseconds(1))
        #expect(result.arrivals.map(\.at) == (0..<10).map { at($0 + 50) })
    }

    @Test func `jitter stays in its width and keeps the order`() {
        let result = run(LinkCondition(delay: 50, jitter: 20), count: 2_000, every: .milliseconds(100))
        let delays = result.arrivals.map { $0.at - at($0.number * 100) }
        #expect(delays.allSatisfy { (Duration.milliseconds(30)...Duration.milliseconds(70)).contains($0) })
        #expect(Set(delays).count > 1_000)
        let dense = run(LinkCondition(delay: 50, jitter: 20), count: 2_000, every: .microseconds(100))
        #expect(dense.arrivals.map(\.number) == Array(0..<2_000))
    }

    @Test func `the rate spaces packets`() {
        // 1,000 bytes at 1 Mbit/s take 8 ms.
        let result = run(LinkCondition(rate: 1_000_000), count: 10, every: .zero)
        #expect(result.arrivals.map(\.at) == (1...10).map { at($0 * 8) })
    }

    @Test func `a packet that would wait too long is dropped`() {
        let result = run(LinkCondition(rate: 1_000_000, queue: 40), count: 100, every: .zero)
        // Five are sent or wait 0 to 32 ms, the sixth waits 40 ms.
        #expect(result.arrivals.count == 6)
        #expect(result.link.statistics.overflowed == 94)
    }

    @Test func `the queue empties again`() {
        var link = EmulatedLink(LinkCondition(rate: 1_000_000, queue: 40), seed: 1)
        for _ in 0..<100 { link.offer(packet, now: at(0)) }
        link.offer(packet, now: at(1_000))
        #expect(link.statistics.queueDelay == .zero)
        #expect(link.arrivals(now: at(1_008)).count == 7)
    }

    @Test(arguments: [0.01, 0.1, 0.5])
    func `the loss is as often as said`(loss: Double) {
        let result = run(LinkCondition(loss: loss), count: 20_000, every: .milliseconds(1))
        #expect(abs(Double(result.link.statistics.lost) / 20_000 - loss) < 0.01)
        #expect(result.arrivals.count + result.link.statistics.lost == 20_000)
    }

    @Test func `losses in bursts are as often and as long as said`() {
        let result = run(LinkCondition(loss: 0.1, burst: 5), count: 100_000, every: .milliseconds(1))
        #expect(abs(Double(result.link.statistics.lost) / 100_000 - 0.1) < 0.01)
        let numbers = result.arrivals.map(\.number)
        let bursts = zip(numbers, numbers.dropFirst()).filter { $1 - $0 > 1 }.count
        #expect(abs(Double(result.link.statistics.lost) / Double(bursts) - 5) < 0.5)
    }

    @Test func `a whole cut loses everything`() {
        #expect(run(LinkCondition(loss: 1), count: 100, every: .milliseconds(1)).arrivals.isEmpty)
    }

    @Test func `the same seed loses the same packets`() {
        let condition = LinkCondition(delay: 10, jitter: 5, loss: 0.2, burst: 3)
        let one = run(condition, count: 1_000, every: .milliseconds(1), seed: 9)
        let again = run(condition, count: 1_000, every: .milliseconds(1), seed: 9)
        let other = run(condition, count: 1_000, every: .milliseconds(1), seed: 10)
        #expect(one.arrivals.map(\.number) == again.arrivals.map(\.number))
        #expect(one.arrivals.map(\.at) == again.arrivals.map(\.at))
        #expect(one.arrivals.map(\.number) != other.arrivals.map(\.number))
    }

    @Test func `a change of condition holds for later packets only`() {
        var link = EmulatedLink(LinkCondition(delay: 50), seed: 1)
        link.offer(packet, now: at(0))
        link.condition = LinkCondition(loss: 1)
        link.offer(packet, now: at(1))
        #expect(link.arrivals(now: at(50)).count == 1)
        #expect(link.statistics.lost == 1)
    }
}
