import BaseKit
import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct SendingPieceTests {
    @Test func `a paced frame leaves at the pacing rate`() {
        var pacer = Pacer(rate: 960_000)
        var now = at(1_000)
        for _ in 0..<100 { now += pacer.delay(size: 1_200, now: now) }
        // 99 packets of 10 ms each, less the budget saved up.
        #expect(now == at(1_000 + 99 * 10 - 5))
    }

    @Test func `a pause saves up no more than the burst`() {
        var pacer = Pacer(rate: 960_000)
        _ = pacer.delay(size: 1_200, now: at(0))
        let delays = (0..<3).map { _ in pacer.delay(size: 1_200, now: at(60_000)) }
        #expect(delays == [.zero, .milliseconds(5), .milliseconds(15)])
    }

    @Test func `key frames keep their distance and a refused wish is granted later`() {
        var budget = KeyFrameBudget()
        #expect(
            Self.answers(&budget, wishes: [0, 100], polls: [299, 300, 3_000]) == [true, false, false, true, false])
    }

    @Test func `the next key frame waits longer the larger the last was`() {
        let intervals = [100, 4_000, 12_000, 40_000, 4_000_000].map { bytes in
            var budget = KeyFrameBudget()
            budget.made(bytes: bytes, rate: 300_000, now: at(0))
            return budget.interval
        }
        #expect(intervals == [300, 355, 1_066, 3_555, 4_000].map { .milliseconds($0) })
    }

    @Test func `a storm of wishes takes no more than the key frames' share of the rate`() {
        var budget = KeyFrameBudget()
        var bits = 0
        for now in stride(from: 0, to: 60_000, by: 33).map({ at($0) }) where budget.request(now: now) {
            budget.made(bytes: 10_000, rate: 300_000, now: now)
            bits += 80_000
        }
        #expect(bits > 0)
        #expect(Double(bits) / 60 <= KeyFrameBudget.share * 300_000 * 1.05)
    }

    @Test func `a key frame that nobody wished for serves those who waited`() {
        var budget = KeyFrameBudget()
        #expect(Self.answers(&budget, wishes: [0, 100], polls: []) == [true, false])
        budget.made(bytes: 1_000, rate: 300_000, now: at(200))
        #expect(Self.answers(&budget, wishes: [], polls: [10_000]) == [false])
    }

    @Test func `where one is to come regularly, it comes so long after the last though nobody wishes for it`() {
        var budget = KeyFrameBudget()
        budget.regular = .seconds(3)
        #expect(Self.answers(&budget, wishes: [0], polls: [2_900, 3_000, 3_100]) == [true, false, true, false])
        budget.made(bytes: 1_000, rate: 300_000, now: at(5_000))
        #expect(Self.answers(&budget, wishes: [], polls: [7_900, 8_000]) == [false, true])
    }

    @Test func `a link without key frames yet answers the first wish at once`() {
        var budget = KeyFrameBudget()
        #expect(Self.answers(&budget, wishes: [77], polls: []) == [true])
    }

    private static func answers(_ budget: inout KeyFrameBudget, wishes: [Int], polls: [Int]) -> [Bool] {
        wishes.map { budget.request(now: at($0)) } + polls.map { budget.poll(now: at($0)) }
    }

    @Test func `what is sent again keeps within its share`() {
        var budget = RetransmissionBudget(rate: 500_000)
        let admitted = stride(from: 0, to: 20_000, by: 2).filter { budget.admits(size: 1_200, now: at($0)) }
        let rate = Double(admitted.count) * 9_600 / 20
        #expect(rate > 140_000 && rate < 160_000)
    }

    @Test func `a few packets after a calm are sent again at once`() {
        var budget = RetransmissionBudget(rate: 500_000)
        let admitted = (0..<20).filter { _ in budget.admits(size: 1_200, now: at(60_000)) }
        // Half a second of 150 kbit/s, and the one that goes beyond.
        #expect(admitted.count == 8)
    }

    @Test(arguments: [15, 20, 30])
    func `a frame rate limit lets so many pictures through`(limit: Int) {
        var rate = FrameRateLimit(frameRate: limit)
        let admitted = (0..<300).filter { rate.admits(Int64($0) * 33_333) }
        #expect(abs(admitted.count - limit * 10) <= 5)
    }
}
