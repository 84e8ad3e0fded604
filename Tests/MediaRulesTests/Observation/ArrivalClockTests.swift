import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct ArrivalClockTests {
    @Test func `it goes with the packets`() {
        var clock = ArrivalClock()
        for now in stride(from: 0, through: 4_000, by: 250) {
            #expect(clock.update(packets: now + 1, now: at(now)) == at(now))
        }
    }

    @Test func `it stands still while nothing arrives, and the gap does not count afterwards`() {
        var clock = ArrivalClock()
        _ = clock.update(packets: 1, now: at(0))
        #expect(clock.update(packets: 1, now: at(1_500)) == at(1_500))
        #expect(clock.update(packets: 1, now: at(10_000)) == at(1_500))
        #expect(clock.update(packets: 2, now: at(10_250)) == at(1_500))
        #expect(clock.update(packets: 3, now: at(10_500)) == at(1_750))
    }

    @Test func `before the first packet it stands`() {
        var clock = ArrivalClock()
        #expect(clock.update(packets: 0, now: at(100)) == at(0))
        #expect(clock.update(packets: 0, now: at(5_100)) == at(0))
    }
}
