import BaseKit
import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct QuietWaitTests {
    private static let quick = PacketArrivals(pictures: 20, sound: 3, packet: 20)
    private static let missing = PacketArrivals(pictures: 20, sound: 3, packet: 20, areSomeMissing: true)
    private static let short = PlayoutWait(pictures: 60, sound: 20)
    private static let full = PlayoutWait(pictures: 150, sound: 30)

    private var wait = QuietWait()

    /// Takes the same twice a second, from a moment on for so many seconds, and gives what it is then.
    private mutating func take(
        _ arrivals: PacketArrivals, latency: Int = 150, own: Int? = nil, from start: Int, seconds: Int
    ) -> PlayoutWait {
        var last = Self.full
        for step in 0...2 * seconds {
            last = wait.update(arrivals, latency: latency, own: own, now: at(start * 1_000 + step * 500))
        }
        return last
    }

    @Test mutating func `once nothing has been missing for ten seconds what comes late is waited for, not answers`() {
        #expect(take(Self.quick, from: 0, seconds: 9) == Self.full)
        #expect(take(Self.quick, from: 10, seconds: 0) == Self.short)
    }

    @Test(arguments: [
        (PacketArrivals(pictures: 20, sound: 0, packet: 20), PlayoutWait(pictures: 60, sound: 20)),
        (PacketArrivals(pictures: 20, sound: 31, packet: 20), PlayoutWait(pictures: 80, sound: 40)),
        (PacketArrivals(pictures: 20, sound: 3, packet: 60), PlayoutWait(pictures: 60, sound: 20)),
        (PacketArrivals(pictures: 84, sound: 3, packet: 20), PlayoutWait(pictures: 130, sound: 20)),
        (PacketArrivals(pictures: 20), PlayoutWait(pictures: 60, sound: 20)),
        (PacketArrivals(sound: 23, packet: 40), PlayoutWait(pictures: 70, sound: 30)),
        (PacketArrivals(pictures: 140, sound: 3, packet: 20), full),
        (PacketArrivals(pictures: 20, sound: 400, packet: 20), full),
    ])
    mutating func `pictures wait to be decoded, sound for what comes late, and both for one another`(
        arrivals: PacketArrivals, expected: PlayoutWait
    ) { #expect(take(arrivals, from: 0, seconds: 10) == expected) }

    @Test mutating func `pictures wait for a slow loudspeaker`() {
        #expect(take(Self.quick, latency: 400, own: 200, from: 0, seconds: 10) == PlayoutWait(pictures: 215, sound: 20))
    }

    @Test mutating func `as soon as packets are missing answers are waited for`() {
        _ = take(Self.quick, from: 0, seconds: 10)
        #expect(take(Self.missing, from: 11, seconds: 0) == Self.full)
    }

    @Test mutating func `what comes later than before is waited for at once`() {
        _ = take(Self.quick, from: 0, seconds: 10)
        let later = PacketArrivals(pictures: 20, sound: 18, packet: 20)
        #expect(take(later, from: 11, seconds: 0) == Self.short)
        let latest = PacketArrivals(pictures: 20, sound: 23, packet: 20)
        #expect(take(latest, from: 12, seconds: 0) == PlayoutWait(pictures: 70, sound: 30))
    }

    @Test mutating func `what is waited for is never longer than for answers`() {
        _ = take(Self.quick, latency: 300, from: 0, seconds: 10)
        #expect(take(Self.quick, latency: 55, from: 11, seconds: 0).pictures == 55)
    }

    @Test mutating func `a wait that was too short is tried later and later, not never`() {
        var now = 0
        var waits: [Int] = []
        for _ in 0..<7 {
            let began = now
            while take(Self.quick, from: now, seconds: 0) != Self.short { now += 1 }
            waits.append(now - began)
            _ = take(Self.missing, from: now, seconds: 0)
            now += 1
        }
        #expect(waits == [10, 20, 40, 80, 160, 160, 160])
    }

    @Test mutating func `a wait that has been long enough for minutes is tried again as at first`() {
        for start in [0, 100] {
            _ = take(Self.quick, from: start, seconds: 40)
            _ = take(Self.missing, from: start + 41, seconds: 0)
        }
        _ = take(Self.quick, from: 200, seconds: 500)
        _ = take(Self.missing, from: 701, seconds: 0)
        #expect(take(Self.quick, from: 702, seconds: 10) == Self.short)
    }

    @Test mutating func `a little more is not a wait that was too short`() {
        for (start, sound) in [(0, 3), (20, 23), (40, 3), (60, 23)] {
            _ = take(PacketArrivals(pictures: 20, sound: sound, packet: 20), from: start, seconds: 19)
        }
        _ = take(Self.missing, from: 80, seconds: 0)
        #expect(take(Self.quick, from: 81, seconds: 20) == Self.short)
    }

    @Test mutating func `packets that are missing now and then keep it as long as for answers`() {
        for start in stride(from: 0, to: 200, by: 8) {
            #expect(take(Self.quick, from: start, seconds: 7) == Self.full)
            _ = take(Self.missing, from: start + 7, seconds: 0)
        }
    }

    @Test mutating func `where nothing comes it stays as it is`() {
        #expect(take(PacketArrivals(), from: 0, seconds: 60) == PlayoutWait(pictures: 150, sound: 20))
        _ = take(Self.quick, from: 61, seconds: 10)
        #expect(take(PacketArrivals(), from: 72, seconds: 60) == Self.short)
        #expect(take(Self.missing, from: 133, seconds: 0) == Self.full)
        #expect(take(Self.quick, from: 134, seconds: 20) == Self.short)
    }

    @Test mutating func `sound waits for its whole packet also where packets are missing`() {
        let long = PacketArrivals(pictures: 20, sound: 3, packet: 60, areSomeMissing: true)
        #expect(take(long, from: 0, seconds: 10) == PlayoutWait(pictures: 150, sound: 70))
    }

    @Test mutating func `it is short until packets are missing again`() {
        _ = take(Self.quick, from: 0, seconds: 9)
        #expect(!wait.isShort)
        _ = take(Self.quick, from: 10, seconds: 0)
        #expect(wait.isShort)
        _ = take(Self.missing, from: 11, seconds: 0)
        #expect(!wait.isShort)
    }
}
