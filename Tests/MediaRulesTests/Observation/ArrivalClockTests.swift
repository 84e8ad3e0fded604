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

    @Test func `it stands still while it is paused, and the pause does not count afterwards`() {
        var clock = ArrivalClock()
        _ = clock.update(packets: 1, now: at(0))
        #expect(clock.update(packets: 2, now: at(250)) == at(250))
        clock.pause()
        #expect(clock.update(packets: 99, now: at(60_000)) == at(250))
        #expect(clock.update(packets: 100, now: at(60_250)) == at(500))
    }

    @Test func `before the first packet it stands`() {
        var clock = ArrivalClock()
        #expect(clock.update(packets: 0, now: at(100)) == at(0))
        #expect(clock.update(packets: 0, now: at(5_100)) == at(0))
    }
}
