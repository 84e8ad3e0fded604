import BaseKit
import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct OverloadTests {
    /// A packet each five milliseconds; each `keep`th comes, so many milliseconds after it left.
    private func reports(_ count: Int = 60, keep: Int, delay: Int, size: Int = 1_000) -> [PacketReport] {
        (0..<count).map { index in
            let sent = at(index * 5)
            let arrival: Duration? = index % keep == 0 ? sent.sinceStart + .milliseconds(delay) : nil
            return PacketReport(sentAt: sent, arrivedAt: arrival, size: size)
        }
    }

    private func capacity(_ packets: [PacketReport], base: Duration? = .milliseconds(20)) -> Int? {
        var overload = Overload()
        return overload.receive(packets, base: base, now: at(600))
    }

    @Test func `where most is lost and the rest has waited, what comes tells what the link carries`() throws {
        // One of six packets of 8,000 bits each 30 ms.
        let seen = try #require(capacity(reports(keep: 6, delay: 320)))
        #expect(abs(seen - 266_666) < 1_000)
    }

    @Test(arguments: [(1, 320), (6, 25)])
    func `a queue without losses, and losses without a queue, are no overload`(keep: Int, delay: Int) {
        #expect(capacity(reports(keep: keep, delay: delay)) == nil)
    }

    @Test func `few packets and an unknown way say nothing`() {
        #expect(capacity(reports(12, keep: 6, delay: 320)) == nil)
        #expect(capacity(reports(keep: 6, delay: 320), base: nil) == nil)
        #expect(capacity(reports(keep: 30, delay: 320)) == nil)
    }

    @Test func `what was sent before the queue filled counts for nothing`() throws {
        let before = (0..<100).map { index in
            PacketReport(sentAt: at(-300 + index * 3), arrivedAt: .milliseconds(-280 + index * 3), size: 1_000)
        }
        let seen = try #require(capacity(before + reports(keep: 6, delay: 320)))
        #expect(abs(seen - 266_666) < 1_000)
    }

    @Test func `reports are forgotten after a while`() {
        var overload = Overload()
        #expect(overload.receive(reports(keep: 6, delay: 320), base: .milliseconds(20), now: at(600)) != nil)
        #expect(overload.receive([], base: .milliseconds(20), now: at(1_000)) == nil)
    }
}

@Suite(.timeLimit(.minutes(5))) struct ChanceLossTests {
    @Test func `a loss that sending less does not change is chance, and the rate was not to blame`() {
        var chance = ChanceLoss()
        chance.decreased(from: 1_000_000, loss: 0.22, now: at(0))
        #expect(chance.look(loss: 0.2, hasQueue: false, now: at(1_000)) == nil)
        #expect(chance.look(loss: 0.2, hasQueue: false, now: at(1_500)) == 1_000_000)
        #expect(chance.part == 0.2)
    }

    @Test(arguments: [(0.22, 0.1, false), (0.22, 0.2, true), (0.6, 0.6, false)])
    func `a loss that falls with the rate, one with a queue, and a very large one are not`(
        before: Double, after: Double, hasQueue: Bool
    ) {
        var chance = ChanceLoss()
        chance.decreased(from: 1_000_000, loss: before, now: at(0))
        #expect(chance.look(loss: after, hasQueue: hasQueue, now: at(2_000)) == nil)
        #expect(chance.part == 0)
    }

    @Test func `what is known of chance is forgotten when less is lost`() {
        var chance = ChanceLoss()
        chance.decreased(from: 1_000_000, loss: 0.22, now: at(0))
        _ = chance.look(loss: 0.22, hasQueue: false, now: at(2_000))
        _ = chance.look(loss: 0.05, hasQueue: false, now: at(3_000))
        #expect(chance.part == 0.05)
    }
}
