import Testing

@testable import ParleyBench

@Suite(.timeLimit(.minutes(5))) struct LoadPlanTests {
    @Test func `queues grow by powers of ten to the last number`() {
        #expect(LoadPlan(queues: 100_000, stored: 1_000_000).growthSizes == [1_000, 10_000, 100_000, 1_000_000])
        #expect(LoadPlan(queues: 10_000, stored: 10_000).growthSizes == [1_000, 10_000])
        #expect(LoadPlan(queues: 5_000, stored: 50_000).memorySizes == [1_000, 5_000])
    }

    @Test func `a small run still compares two sizes`() {
        #expect(LoadPlan(queues: 256, stored: 512).growthSizes == [128, 512])
    }

    @Test func `no queue comes near its quota`() {
        for connections in [1, 2, 31, 32, 33, 1_000] {
            let window = LoadPlan.window(connections: connections)
            #expect((1...32).contains(window))
        }
        #expect(LoadPlan.window(connections: 1) == 32)
        #expect(LoadPlan.window(connections: 1_000) == 1)
    }
}

@Suite(.timeLimit(.minutes(5))) struct PacerTests {
    @Test func `takes what is due and no more`() {
        var pacer = Pacer(rate: 10, seconds: 1)
        #expect(pacer.count == 10)
        #expect(pacer.take(after: .zero) == 0..<1)
        #expect(pacer.take(after: .milliseconds(50)).isEmpty)
        #expect(pacer.next == .milliseconds(100))
        #expect(pacer.take(after: .milliseconds(100)) == 1..<2)
    }

    @Test func `a delay is caught up with the times that were meant`() {
        var pacer = Pacer(rate: 10, seconds: 1)
        #expect(pacer.take(after: .milliseconds(350)) == 0..<4)
        #expect(pacer.due(3) == .milliseconds(300))
    }

    @Test func `ends after its count`() {
        var pacer = Pacer(rate: 10, seconds: 1)
        #expect(pacer.take(after: .seconds(60)) == 0..<10)
        #expect(pacer.next == nil)
        #expect(pacer.take(after: .seconds(61)).isEmpty)
    }

    @Test func `sends at least once whatever the rate`() {
        #expect(Pacer(rate: 0, seconds: 1).count == 1)
    }
}
