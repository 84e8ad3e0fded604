import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct ArrivalClockTests {
    @Test func `it goes with the packets`() {
        var clock = ArrivalClock()
        for now in stride(from: Int64(0), through: 4_000, by: 250) {
            #expect(clock.update(packets: Int(now) + 1, now: now) == now)
        }
    }

    @Test func `it stands still while nothing arrives, and the gap does not count afterwards`() {
        var clock = ArrivalClock()
        _ = clock.update(packets: 1, now: 0)
        #expect(clock.update(packets: 1, now: 1_500) == 1_500)
        #expect(clock.update(packets: 1, now: 10_000) == 1_500)
        #expect(clock.update(packets: 2, now: 10_250) == 1_500)
        #expect(clock.update(packets: 3, now: 10_500) == 1_750)
    }

    @Test func `before the first packet it stands`() {
        var clock = ArrivalClock()
        #expect(clock.update(packets: 0, now: 100) == 0)
        #expect(clock.update(packets: 0, now: 5_100) == 0)
    }
}
