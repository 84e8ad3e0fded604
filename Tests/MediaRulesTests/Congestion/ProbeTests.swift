import BaseKit
import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct ProbeTests {
    /// Packets of one size, one each so many milliseconds, whose delays are these.
    private func reports(_ delays: [Int?], each distance: Int = 5, size: Int = 500, from start: Int = 100)
        -> [PacketReport]
    {
        delays.enumerated().map { index, delay in
            let sent = at(start + index * distance)
            return PacketReport(
                sentAt: sent, arrivedAt: delay.map { sent.sinceStart + .milliseconds($0) }, size: size)
        }
    }

    private func result(_ packets: [PacketReport], base: Duration? = .milliseconds(20)) -> Int? {
        var cluster = ProbeCluster(Probe(bitrate: 800_000), from: at(100), to: at(130))
        for packet in packets { cluster.add(packet) }
        cluster.add(PacketReport(sentAt: at(140), arrivedAt: .milliseconds(160), size: 100))
        #expect(cluster.isComplete)
        return cluster.result(base: base)
    }

    @Test func `packets that come as fast as they left show the rate at which they left`() {
        #expect(result(reports([20, 20, 20, 20, 20, 20])) == 800_000)
    }

    @Test func `packets that come at half the speed show a little less than half of it`() {
        #expect(result(reports([20, 25, 30, 35, 40, 45])) == Int(0.85 * 400_000))
    }

    @Test func `a first packet that was read late does not make the link look wide`() {
        // All came together at the end: between themselves they took no time.
        #expect(result(reports([45, 40, 35, 30, 25, 20])) == 800_000)
        #expect(result(reports([70, 65, 60, 55, 50, 45])) == Int(0.85 * 400_000))
        #expect(result(reports([70, 65, 60, 55, 50, 45]), base: nil) == 800_000)
    }

    @Test func `with fewer than five packets, or with many lost, nothing is known`() {
        #expect(result(reports([20, 20, 20, 20])) == nil)
        #expect(result(reports([20, 20, nil, nil, 20, 20, 20])) != nil)
        #expect(result(reports([20, 20, 20, 20, 20, nil, 20, 20], each: 4)) != nil)
        #expect(result(reports([20, nil, nil, nil, 20, 20, 20, 20], each: 4)) == nil)
        #expect(result([]) == nil)
    }

    @Test func `packets of before and behind are no part of it`() {
        let others = reports([900, 900], from: 50) + reports([900, 900], from: 200)
        #expect(result(others + reports([20, 20, 20, 20, 20, 20])) == 800_000)
    }

    @Test func `a probe is paced at its rate and has bytes for its time`() {
        let probe = Probe(bitrate: 1_200_000)
        #expect(probe.bytes == 3_750)
        #expect(probe.moment(behind: 0) == .zero)
        #expect(probe.moment(behind: 1_500) == .milliseconds(10))
    }
}

@Suite(.timeLimit(.minutes(5))) struct ProbePacketsTests {
    private func packets(_ sizes: [Int], at time: Int = 0) -> ProbePackets {
        var packets = ProbePackets()
        for (index, size) in sizes.enumerated() {
            packets.sent(sequenceNumber: UInt16(index), size: size, now: at(time + index))
        }
        return packets
    }

    @Test func `few large packets make up a probe of a high rate`() {
        let chosen = packets([1_200, 100, 1_200, 90, 1_200]).chosen(for: Probe(bitrate: 3_000_000), now: at(10))
        #expect(chosen.count == 8)
        #expect(chosen.allSatisfy { $0.size == 1_200 })
        #expect(chosen.prefix(3).map(\.sequenceNumber) == [4, 2, 0])
    }

    @Test func `a probe of a low rate is made of small packets, so that it stays short`() {
        let chosen = packets([1_200, 300, 1_200, 1_200, 250]).chosen(for: Probe(bitrate: 500_000), now: at(10))
        #expect(Set(chosen.map(\.sequenceNumber)).isSubset(of: [1, 4]))
        #expect(chosen.reduce(0) { $0 + $1.size } < 2_000)
    }

    @Test func `where all are too large the smallest are taken, five of them`() {
        let chosen = packets([1_200, 1_100, 900]).chosen(for: Probe(bitrate: 100_000), now: at(10))
        #expect(chosen.count == Probe.packets.lowerBound)
        #expect(chosen.map(\.size).max() == 1_100)
    }

    @Test func `what left long ago is not repeated, and nothing where nothing left`() {
        #expect(packets([1_200]).chosen(for: Probe(bitrate: 500_000), now: at(1_001)).isEmpty)
        #expect(packets([]).chosen(for: Probe(bitrate: 500_000), now: at(0)).isEmpty)
        #expect(packets([10]).chosen(for: Probe(bitrate: 500_000), now: at(0)).isEmpty)
    }

    @Test func `a probe has no more packets than a bound, however small they are`() {
        let chosen = packets([60]).chosen(for: Probe(bitrate: 6_000_000), now: at(0))
        #expect(chosen.count == Probe.packets.upperBound)
    }

    @Test func `no more is remembered than a bound`() {
        var packets = ProbePackets()
        for index in 0..<10_000 { packets.sent(sequenceNumber: UInt16(index), size: 1_000, now: at(0)) }
        let chosen = packets.chosen(for: Probe(bitrate: 6_000_000), now: at(0))
        #expect(chosen.allSatisfy { $0.sequenceNumber >= 10_000 - ProbePackets.most })
    }
}

@Suite(.timeLimit(.minutes(5))) struct ProberTests {
    private func situation(
        rate: Int = 400_000, useful: Int = 4_000_000, arriving: Int = 400_000, isCalm: Bool = true
    ) -> Prober.Situation {
        Prober.Situation(rate: rate, useful: useful, arriving: arriving, isCalm: isCalm)
    }

    /// Whether something holds that changes the prober, which a macro can't.
    private func expectProbe(_ holds: Bool, _ place: SourceLocation = #_sourceLocation) {
        #expect(holds, sourceLocation: place)
    }

    /// Has a probe sent that came at a part of its rate.
    private func answer(_ prober: inout Prober, _ probe: Probe, part: Double = 1, now: Int) -> Int? {
        prober.sent(probe, between: (at(now), at(now + 30)), now: at(now))
        let size = probe.bitrate / 8 * 5 / 1_000
        var packets = (0..<7).map { index in
            PacketReport(
                sentAt: at(now + index * 5),
                arrivedAt: at(now).sinceStart + .microseconds(Int64(Double(index) * 5_000 / part)), size: size)
        }
        packets.append(PacketReport(sentAt: at(now + 40), arrivedAt: .milliseconds(now + 40), size: 100))
        return prober.receive(packets, base: .zero, now: at(now + 60))
    }

    @Test func `a call begins with three times its rate, then twice what came, until less comes`() throws {
        var prober = Prober()
        let asked = prober.probe(situation(), now: at(0))
        let first = try #require(asked)
        #expect(first.bitrate == 1_200_000)
        #expect(prober.isUnderWay)
        expectProbe(prober.probe(situation(), now: at(10)) == nil)
        let came = answer(&prober, first, now: 10)
        let seen = try #require(came)
        #expect(seen == 1_200_000)
        let wanted = prober.probe(situation(rate: 1_140_000), now: at(80))
        let second = try #require(wanted)
        #expect(second.bitrate == 2_400_000)
        let late = answer(&prober, second, part: 0.5, now: 90)
        let slower = try #require(late)
        #expect(slower < 1_200_000)
        expectProbe(prober.probe(situation(rate: 1_140_000), now: at(160)) == nil)
    }

    @Test(arguments: [(400_000, 2_000, 1_900), (100_000, 5_000, 4_900)])
    func `later it looks again, more often while all that may be sent is sent`(
        arriving: Int, due: Int, early: Int
    ) throws {
        var prober = Prober()
        let asked = prober.probe(situation(), now: at(0))
        let first = try #require(asked)
        prober.sent(first, between: nil, now: at(0))
        expectProbe(prober.probe(situation(arriving: arriving), now: at(early)) == nil)
        expectProbe(prober.probe(situation(arriving: arriving), now: at(due))?.bitrate == 800_000)
    }

    @Test func `nothing is looked for that is of no use, nor while something is congested`() {
        var prober = Prober()
        expectProbe(prober.probe(situation(rate: 960_000, useful: 1_000_000), now: at(0)) == nil)
        expectProbe(prober.probe(situation(isCalm: false), now: at(0)) == nil)
        expectProbe(prober.probe(situation(rate: 900_000, useful: 1_000_000), now: at(0))?.bitrate == 1_000_000)
    }

    @Test func `one of which nothing is heard is given up`() {
        var prober = Prober()
        _ = prober.probe(situation(), now: at(0))
        expectProbe(prober.probe(situation(), now: at(1_001)) == nil)
        #expect(!prober.isUnderWay)
        expectProbe(prober.probe(situation(), now: at(3_001)) != nil)
    }

    @Test func `what fell while little was sent is looked for soon`() throws {
        var prober = Prober()
        let asked = prober.probe(situation(), now: at(0))
        let first = try #require(asked)
        prober.sent(first, between: nil, now: at(0))
        prober.fell(from: 2_000_000, now: at(1_000))
        let anew = prober.probe(situation(rate: 200_000, arriving: 100_000), now: at(3_000))
        let again = try #require(anew)
        #expect(again.bitrate == 1_700_000)
    }

    @Test func `a probe that found more, though not all it tried, is followed by another one soon`() throws {
        var prober = Prober()
        let asked = prober.probe(situation(), now: at(0))
        let first = try #require(asked)
        _ = answer(&prober, first, part: 0.6, now: 0)
        expectProbe(prober.probe(situation(rate: 600_000, arriving: 100_000), now: at(2_000)) == nil)
        expectProbe(prober.probe(situation(rate: 600_000, arriving: 100_000), now: at(2_100)) != nil)
    }

    @Test func `probes that find nothing come less often while little is sent`() throws {
        var prober = Prober()
        let asked = prober.probe(situation(), now: at(0))
        let first = try #require(asked)
        _ = answer(&prober, first, part: 0.2, now: 0)
        expectProbe(prober.probe(situation(arriving: 100_000), now: at(5_100)) == nil)
        expectProbe(prober.probe(situation(arriving: 100_000), now: at(8_100)) != nil)
    }
}
