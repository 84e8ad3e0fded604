import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct LinkWatchTests {
    private static let quick = PacketArrivals(pictures: 20, sound: 3, packet: 20)
    private var watch = LinkWatch(shortest: 150)

    /// Takes the same report twice a second, from a moment on for so many seconds.
    private mutating func take(_ report: LinkReport, from start: Int, seconds: Int) {
        for step in 0...2 * seconds { _ = watch.update(report, now: at(start * 1_000 + step * 500)) }
    }

    @Test(arguments: [nil, 200]) mutating func `what comes in time waits less, also where no round trip is known`(
        roundTrip: Int?
    ) {
        take(LinkReport(roundTrip: roundTrip, arrivals: Self.quick), from: 0, seconds: 10)
        #expect(watch.wait == PlayoutWait(pictures: 60, sound: 20))
        #expect(watch.setting.latency == (roundTrip == nil ? 150 : 300))
    }

    @Test mutating func `a packet that is missing counts also while no round trip is known`() {
        take(LinkReport(arrivals: Self.quick), from: 0, seconds: 10)
        take(LinkReport(arrivals: PacketArrivals(packet: 20, areSomeMissing: true)), from: 11, seconds: 0)
        #expect(watch.wait.pictures == 150)
    }

    @Test mutating func `the last round trip counts while none is known`() {
        take(LinkReport(roundTrip: 200), from: 0, seconds: 0)
        take(LinkReport(), from: 1, seconds: 20)
        #expect(watch.setting.latency == 300 && watch.roundTrip == nil)
    }

    @Test mutating func `on another path answers are waited for, until its packets are known`() {
        take(LinkReport(roundTrip: 200, arrivals: Self.quick), from: 0, seconds: 10)
        watch.replaced()
        #expect(watch.wait == PlayoutWait(pictures: 300))
        take(LinkReport(roundTrip: 200, arrivals: Self.quick), from: 20, seconds: 10)
        #expect(watch.wait == PlayoutWait(pictures: 60, sound: 20))
    }

    @Test mutating func `pictures wait for a slow loudspeaker`() {
        for step in 0...20 {
            let report = LinkReport(roundTrip: 200, arrivals: Self.quick)
            _ = watch.update(report, own: 150, now: at(step * 500))
        }
        #expect(watch.wait == PlayoutWait(pictures: 165, sound: 20))
    }

    @Test mutating func `a packet of sound is kept for the next one unless nothing has been missing for a while`() {
        take(LinkReport(arrivals: Self.quick), from: 0, seconds: 9)
        #expect(watch.setting.recoversSound)
        take(LinkReport(arrivals: Self.quick), from: 10, seconds: 1)
        #expect(!watch.setting.recoversSound)
        let missing = PacketArrivals(pictures: 20, sound: 3, packet: 20, areSomeMissing: true)
        #expect(watch.update(LinkReport(arrivals: missing), now: at(12_000))?.recoversSound == true)
        take(LinkReport(arrivals: Self.quick), from: 13, seconds: 30)
        #expect(!watch.setting.recoversSound)
        watch.replaced()
        #expect(watch.setting.recoversSound)
    }

    @Test(arguments: [45, 75, 135])
    mutating func `a packet of sound is not waited for longer than sound waits`(own: Int) {
        _ = watch.update(LinkReport(arrivals: Self.quick), own: 45, now: at(0))
        _ = watch.update(LinkReport(arrivals: Self.quick), own: own, now: at(500))
        #expect(watch.setting.soundLatency == PlayoutDelay.wait(watch.wait, own: own))
        #expect(watch.setting.soundLatency == max(155 - own, 30))
    }
}
