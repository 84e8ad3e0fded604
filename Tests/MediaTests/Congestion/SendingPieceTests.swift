import Testing

@testable import Media

@Suite struct SendingPieceTests {
    @Test func `a paced frame leaves at the pacing rate`() {
        var pacer = Pacer(rate: 960_000)
        var now: Int64 = 1_000_000
        for _ in 0..<100 { now += pacer.delay(size: 1_200, now: now) }
        // 99 packets of 10 ms each, less the budget saved up.
        #expect(now == 1_000_000 + 99 * 10_000 - 5_000)
    }

    @Test func `a pause saves up no more than the burst`() {
        var pacer = Pacer(rate: 960_000)
        _ = pacer.delay(size: 1_200, now: 0)
        let delays = (0..<3).map { _ in pacer.delay(size: 1_200, now: 60_000_000) }
        #expect(delays == [0, 5_000, 15_000])
    }

    @Test func `key frames keep their distance and a refused wish is granted later`() {
        var budget = KeyFrameBudget()
        let answer1 = budget.request(now: 0)
        #expect(answer1)
        let answer2 = budget.request(now: 300)
        #expect(!answer2)
        let answer3 = budget.poll(now: 999)
        #expect(!answer3)
        let answer4 = budget.poll(now: 1_000)
        #expect(answer4)
        let answer5 = budget.poll(now: 3_000)
        #expect(!answer5)
    }

    @Test func `a storm of wishes gets fewer and fewer key frames until it is calm`() {
        var budget = KeyFrameBudget()
        let granted = stride(from: Int64(0), to: 20_000, by: 50).filter { budget.request(now: $0) }
        #expect(granted.prefix(4) == [0, 1_000, 2_000, 3_000])
        #expect(granted.count < 10)
        #expect(zip(granted, granted.dropFirst()).allSatisfy { $1 - $0 <= KeyFrameBudget.longestInterval })
        let answer6 = budget.request(now: 30_000)
        #expect(answer6)
        #expect(budget.interval == KeyFrameBudget.interval)
    }

    @Test func `steps go down soon and up late`() {
        var steps = VideoSteps()
        let answer7 = steps.update(bitrate: 400_000, now: 0)
        #expect(answer7 == nil)
        let answer8 = steps.update(bitrate: 400_000, now: 500)
        #expect(answer8?.divisor == 2)
        let answer9 = steps.update(bitrate: 800_000, now: 600)
        #expect(answer9 == nil)
        let answer10 = steps.update(bitrate: 800_000, now: 4_599)
        #expect(answer10 == nil)
        let answer11 = steps.update(bitrate: 800_000, now: 4_600)
        #expect(answer11?.divisor == 1)
    }

    @Test func `a rate that swings about a step's need does not make pictures swing`() {
        var steps = VideoSteps()
        let changes = (0..<600).compactMap { tick in
            steps.update(bitrate: tick / 20 % 2 == 0 ? 500_000 : 600_000, now: Int64(tick) * 33)
        }
        #expect(changes.count == 1)
    }

    @Test(arguments: [15, 20, 30])
    func `a frame rate limit lets so many pictures through`(limit: Int) {
        var rate = FrameRateLimit(frameRate: limit)
        let admitted = (0..<300).filter { rate.admits(Int64($0) * 33_333) }
        #expect(abs(admitted.count - limit * 10) <= 5)
    }

    @Test func `the jitter buffer waits for a retransmission and shrinks late`() {
        var jitter = JitterLatency(shortest: 150)
        let answer12 = jitter.update(roundTrip: 2, jitter: 1, now: 0)
        #expect(answer12 == nil)
        let answer13 = jitter.update(roundTrip: 200, jitter: 10, now: 100)
        #expect(answer13 == 320)
        let answer14 = jitter.update(roundTrip: 205, jitter: 10, now: 200)
        #expect(answer14 == nil)
        let answer15 = jitter.update(roundTrip: 20, jitter: 2, now: 300)
        #expect(answer15 == nil)
        let answer16 = jitter.update(roundTrip: 20, jitter: 2, now: 10_299)
        #expect(answer16 == nil)
        let answer17 = jitter.update(roundTrip: 20, jitter: 2, now: 10_300)
        #expect(answer17 == 150)
    }

    @Test func `the jitter buffer's wait is bounded`() {
        var jitter = JitterLatency(shortest: 150)
        let answer18 = jitter.update(roundTrip: 5_000, jitter: 900, now: 0)
        #expect(answer18 == JitterLatency.longest)
    }
}
