import BaseKit
import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct GroupRatesTests {
    /// So many packets of a kilobyte, evenly over a second, of which each arrives 20 ms later unless `loss` takes it.
    private func second(_ packets: Int, from start: Duration, loses loss: (Int) -> Bool = { _ in false })
        -> [PacketReport]
    {
        (0..<packets).map { index in
            let sent = start + .seconds(1) * index / packets
            return PacketReport(
                sentAt: Instant(sinceStart: sent), arrivedAt: loss(index) ? nil : sent + .milliseconds(20), size: 1_000)
        }
    }

    /// Lets so many seconds pass in which each way loses the packets that its entry says.
    private func run(
        _ rates: inout GroupRates, from start: Int, seconds: Int, _ losses: [Int: (Int) -> Bool]
    ) -> [Set<Int>] {
        (start..<start + seconds).map { time in
            let now = Instant(sinceStart: .seconds(time + 1))
            for (way, loss) in losses {
                rates.receive(second(100, from: .seconds(time), loses: loss), by: way, now: now)
            }
            return rates.chooseLayers(now: now)
        }
    }

    /// Rates after some seconds in which each way has lost the packets that its entry says.
    private func rates(_ losses: [Int: (Int) -> Bool]) -> GroupRates {
        var rates = GroupRates()
        for way in losses.keys { rates.add(way, former: nil) }
        _ = run(&rates, from: 1, seconds: 12, losses)
        return rates
    }

    @Test func `of ways that take the same pictures the narrowest decides`() throws {
        let rates = rates([1: { _ in false }, 2: { $0 % 4 == 0 }])
        let (wide, middling) = (try #require(rates.bitrate(of: 1)), try #require(rates.bitrate(of: 2)))
        #expect(wide > middling && middling > GroupRates.least)
        #expect(rates.target(of: .high).bitrate == middling)
        #expect(rates.loss > 0.1)
    }

    @Test func `a way that carries much less takes small pictures, and not the large ones from others`() throws {
        let rates = rates([1: { _ in false }, 2: { $0 % 10 != 0 }])
        let narrow = try #require(rates.bitrate(of: 2))
        #expect(narrow < GroupRates.least)
        #expect(rates.ways(of: .low) == [2])
        #expect(rates.layer(of: 1) == .high)
        #expect(rates.target(of: .high).bitrate == rates.bitrate(of: 1))
        #expect(rates.target(of: .low).bitrate == narrow)
    }

    @Test func `the voice goes by all ways, so that the narrowest of all decides`() {
        let rates = rates([1: { _ in false }, 2: { $0 % 10 != 0 }])
        #expect(rates.narrowest == rates.bitrate(of: 2) && rates.narrowest < rates.target(of: .high).bitrate)
    }

    @Test func `where all carry little all take the same pictures`() {
        let rates = rates([1: { $0 % 10 != 0 }, 2: { $0 % 10 != 1 }])
        #expect(rates.ways(of: .high) == [1, 2])
    }

    @Test func `a way that carries more again is given large pictures after a while, and later after each failure`() {
        var rates = GroupRates()
        for way in [1, 2] { rates.add(way, former: nil) }
        var time = 1
        /// Seconds until the way is given other pictures.
        func pass(_ loss: @escaping (Int) -> Bool) -> Int {
            for passed in 1...120 {
                let changed = run(&rates, from: time, seconds: 1, [1: { _ in false }, 2: loss])
                time += 1
                if changed == [[2]] { return passed }
            }
            return .max
        }
        _ = pass { $0 % 10 != 0 }
        #expect(rates.layer(of: 2) == .low)
        let first = pass { _ in false }
        #expect(rates.layer(of: 2) == .high)
        _ = pass { $0 % 10 != 0 }
        let second = pass { _ in false }
        #expect(first >= 4 && second >= first + 4)
        // Once they have gone well, the next time is as the first.
        _ = run(&rates, from: time, seconds: 12, [1: { _ in false }, 2: { _ in false }])
        time += 12
        _ = pass { $0 % 10 != 0 }
        #expect(pass { _ in false } < second)
    }

    @Test func `small pictures take no more than is of use to them`() {
        var rates = rates([1: { _ in false }, 2: { $0 % 10 != 0 }])
        rates.limit(to: 50_000, of: .low)
        #expect(rates.target(of: .low).bitrate == 50_000)
        #expect(rates.target(of: .high).bitrate == rates.bitrate(of: 1))
    }

    @Test func `a way that takes all sizes shares its rate between them`() throws {
        var rates = GroupRates()
        rates.add(1, former: nil, takesAll: true)
        _ = run(&rates, from: 1, seconds: 12, [1: { _ in false }])
        let rate = try #require(rates.bitrate(of: 1))
        for layer in PictureLayer.allCases { #expect(rates.ways(of: layer) == [1]) }
        #expect(rates.target(of: .high).bitrate == rate - PictureLayer.low.share - PictureLayer.lowest.share)
        for layer in [PictureLayer.low, .lowest] { #expect(rates.target(of: layer).bitrate == layer.shareWithSound) }
        // What all make, with one sound, is what the way carries.
        let sound = SendPlan.audioShare + SendPlan.headerShare
        let targets = PictureLayer.allCases.map { rates.target(of: $0).bitrate }
        #expect(targets.reduce(0, +) - 2 * sound == rate)
    }

    @Test func `the sound of a screen leaves the smaller pictures what they had`() {
        var rates = GroupRates()
        rates.add(1, former: nil, takesAll: true)
        _ = run(&rates, from: 1, seconds: 12, [1: { _ in false }])
        rates.hasScreenSound = true
        // Each encoder takes the sound off what it may make.
        for layer in [PictureLayer.low, .lowest] {
            #expect(rates.target(of: layer).bitrate - SendShares.screenSound == layer.shareWithSound)
        }
    }

    @Test func `beside the sound of a screen a way to a server has to carry more for large pictures`() throws {
        var rates = GroupRates()
        rates.add(1, former: nil, takesAll: true)
        rates.limit(to: 200_000, of: .high)
        let rate = try #require(rates.bitrate(of: 1))
        #expect((GroupRates.leastForLarge..<GroupRates.leastForLarge + SendShares.screenSound).contains(rate))
        #expect(rates.chooseLayers(now: at(0)) == [] && rates.layer(of: 1) == .high)
        rates.hasScreenSound = true
        #expect(rates.chooseLayers(now: at(250)) == [1] && rates.layer(of: 1) == .low)
        // What was too little beside it is too little for as long as it is heard.
        rates.limit(to: 260_000, of: .high)
        #expect(Set(run(&rates, from: 1, seconds: 20, [1: { _ in false }])) == [[]])
        rates.hasScreenSound = false
        #expect(run(&rates, from: 21, seconds: 10, [1: { _ in false }]).contains([1]))
        #expect(rates.layer(of: 1) == .high)
    }

    @Test func `beside the sound of a screen a way to a member is narrow sooner`() {
        var rates = GroupRates()
        for way in [1, 2] { rates.add(way, former: nil) }
        _ = run(&rates, from: 1, seconds: 10, [1: { _ in false }])
        // Of the second a fifth arrives until it carries little more than is asked of one with large pictures.
        var second = 11
        while (rates.bitrate(of: 2) ?? 0) > GroupRates.least + SendShares.screenSound / 2, second < 60 {
            rates.receive(self.second(100, from: .seconds(second)), by: 1, now: at((second + 1) * 1_000))
            rates.receive(
                self.second(100, from: .seconds(second)) { $0 % 5 != 0 }, by: 2, now: at((second + 1) * 1_000))
            second += 1
        }
        let isNarrow = (rates.bitrate(of: 2) ?? 0) < GroupRates.least
        #expect(!isNarrow && rates.chooseLayers(now: at(second * 1_000)) == [])
        rates.hasScreenSound = true
        #expect(rates.chooseLayers(now: at(second * 1_000)) == [2])
    }

    @Test func `large pictures begin with the same rate, whether smaller ones go besides or not`() {
        var (alone, all) = (GroupRates(), GroupRates())
        alone.add(1, former: nil)
        all.add(1, former: nil, takesAll: true)
        #expect(all.target(of: .high).bitrate == alone.target(of: .high).bitrate)
    }

    @Test func `what is of use for large pictures is so beside the smaller ones`() {
        for isLimitedFirst in [true, false] {
            var rates = GroupRates()
            if isLimitedFirst { rates.limit(to: 368_000, of: .high) }
            rates.add(1, former: nil, takesAll: true)
            if !isLimitedFirst { rates.limit(to: 368_000, of: .high) }
            _ = run(&rates, from: 1, seconds: 12, [1: { _ in false }])
            #expect(rates.target(of: .high).bitrate == 368_000)
        }
    }

    @Test func `a way that carries too little for all keeps the smallest, and has one size more each while`() {
        var rates = GroupRates()
        rates.add(1, former: nil, takesAll: true)
        _ = run(&rates, from: 1, seconds: 8, [1: { $0 % 10 != 0 }])
        #expect(rates.layer(of: 1) == .lowest && rates.ways(of: .low) == [] && rates.ways(of: .lowest) == [1])
        #expect(rates.target(of: .lowest).bitrate == rates.bitrate(of: 1))
        var layers: [PictureLayer?] = []
        for second in 9..<69 {
            if run(&rates, from: second, seconds: 1, [1: { _ in false }]) == [[1]] { layers.append(rates.layer(of: 1)) }
        }
        #expect(layers == [.low, .high])
        for layer in PictureLayer.allCases { #expect(rates.ways(of: layer) == [1]) }
    }

    @Test func `small pictures that are the largest of a way get what the smallest leave`() throws {
        var rates = GroupRates()
        rates.add(1, former: nil, takesAll: true)
        var second = 1
        // A tenth arrives, until it carries too little for large pictures, and just enough for small ones.
        while rates.layer(of: 1) != .low, second < 60 {
            let loses = rates.layer(of: 1) == .high
            _ = run(&rates, from: second, seconds: 1, [1: { loses && $0 % 10 != 0 }])
            second += 1
        }
        #expect(rates.layer(of: 1) == .low)
        let rate = try #require(rates.bitrate(of: 1))
        #expect(rates.target(of: .low).bitrate == rate - PictureLayer.lowest.share)
        #expect(rates.target(of: .lowest).bitrate == PictureLayer.lowest.shareWithSound)
    }

    /// So many tenths of a second in which small pictures alone go by the first way, 320 kbit/s, each with a queue that is so much longer
    /// than that before it.
    private func small(
        _ rates: inout GroupRates, from start: Int, count: Int, growing: Duration = .zero
    ) -> [Set<Int>] {
        (start..<start + count).map { tenth in
            let packets = (0..<4).map { index in
                let sent = Duration.milliseconds(100 * tenth + 25 * index)
                return PacketReport(
                    sentAt: Instant(sinceStart: sent),
                    arrivedAt: sent + .milliseconds(20) + growing * (4 * (tenth - start) + index), size: 1_000)
            }
            let now = at(100 * (tenth + 1))
            rates.receive(packets, by: 1, now: now)
            return rates.chooseLayers(now: now)
        }
    }

    /// A way that takes all, by which small pictures alone went for five seconds, the last of them with a queue.
    private func squeezed() throws -> GroupRates {
        var rates = GroupRates()
        rates.add(1, former: nil, takesAll: true)
        _ = rates.setLargeWanted(false, now: at(0))
        _ = small(&rates, from: 0, count: 40)
        #expect(Set(small(&rates, from: 40, count: 10, growing: .milliseconds(8))) == [[]])
        #expect(try #require(rates.bitrate(of: 1)) < GroupRates.leastForLarge)
        return rates
    }

    @Test func `large pictures that nobody wants go by no way to a server, and small ones get no more`() {
        var rates = GroupRates()
        for way in [1, 2] { rates.add(way, former: nil, takesAll: way == 1) }
        #expect(rates.setLargeWanted(false, now: at(0)) == [1])
        #expect(rates.setLargeWanted(false, now: at(0)) == [])
        #expect(rates.ways(of: .high) == [2] && rates.layer(of: 1) == .low && rates.layer(of: 2) == .high)
        for layer in [PictureLayer.low, .lowest] {
            #expect(rates.ways(of: layer) == [1])
            #expect(rates.target(of: layer).bitrate == layer.shareWithSound)
        }
        #expect(rates.setLargeWanted(true, now: at(100)) == [1])
        #expect(rates.ways(of: .high) == [1, 2])
    }

    @Test func `what a full moment left of the rate of small pictures keeps no large ones away`() throws {
        var rates = try squeezed()
        #expect(Set(small(&rates, from: 50, count: 110)) == [[]])
        #expect(rates.setLargeWanted(true, now: at(16_100)) == [1])
        #expect(rates.chooseLayers(now: at(16_200)) == [] && rates.layer(of: 1) == .high)
        #expect(rates.target(of: .high).bitrate >= GradientController.Limits().first)
    }

    /// When a way is given other pictures in so many tenths of a second, and which are the largest then.
    private func turns(_ rates: inout GroupRates, from start: Int, count: Int) -> [[Int]: PictureLayer] {
        var turns: [[Int]: PictureLayer] = [:]
        for tenth in start..<start + count where small(&rates, from: tenth, count: 1) == [[1]] {
            turns[[tenth]] = rates.layer(of: 1)
        }
        return turns
    }

    @Test func `right behind a full moment large pictures have to wait until it is calm for ten seconds`() throws {
        var rates = try squeezed()
        #expect(rates.setLargeWanted(true, now: at(5_100)) == [])
        #expect(rates.layer(of: 1) == .low)
        let turns = turns(&rates, from: 52, count: 120)
        #expect(turns.count == 1 && turns.values.first == .high)
        #expect(turns.keys.first.map { (140...155).contains($0[0]) } == true)
    }

    @Test func `where large pictures were too much they are not tried again with each wish`() throws {
        var rates = try squeezed()
        _ = small(&rates, from: 50, count: 110)
        #expect(rates.setLargeWanted(true, now: at(16_100)) == [1])
        _ = small(&rates, from: 162, count: 10, growing: .milliseconds(8))
        #expect(rates.layer(of: 1) == .low)
        // The wish goes, and comes again when it is calm.
        #expect(rates.setLargeWanted(false, now: at(17_300)) == [])
        #expect(Set(small(&rates, from: 174, count: 110)) == [[]])
        #expect(rates.setLargeWanted(true, now: at(28_500)) == [])
        let turns = turns(&rates, from: 286, count: 100)
        #expect(turns.values.first == .high)
        #expect(turns.keys.first.map { (320...340).contains($0[0]) } == true)
    }

    @Test func `a way that carries less than small pictures need has the smallest alone, whoever wants what`() {
        var rates = GroupRates()
        rates.add(1, former: nil, takesAll: true)
        _ = rates.setLargeWanted(false, now: at(0))
        _ = run(&rates, from: 1, seconds: 8, [1: { $0 % 10 != 0 }])
        #expect(rates.layer(of: 1) == .lowest)
        _ = rates.setLargeWanted(true, now: at(9_100))
        #expect(rates.layer(of: 1) == .lowest)
    }

    @Test func `pictures of any size count as sent for half a second`() {
        var rates = GroupRates()
        rates.add(1, former: nil, takesAll: true)
        #expect(!rates.isSending(now: at(0)))
        rates.sent(by: 1, now: at(100))
        #expect(rates.isSending(now: at(600)) && !rates.isSending(now: at(601)))
    }

    @Test func `of a way to a member alone the smallest pictures are never taken`() {
        let rates = rates([1: { _ in false }, 2: { $0 % 20 != 0 }])
        #expect(rates.layer(of: 2) == .low && rates.ways(of: .lowest) == [])
    }

    @Test func `a way by which nothing comes holds nobody back`() throws {
        var rates = rates([1: { _ in false }, 2: { $0 % 4 == 0 }])
        rates.setHeard(false, 2)
        #expect(rates.target(of: .high).bitrate == rates.bitrate(of: 1))
        rates.setHeard(true, 2)
        rates.remove(2)
        #expect(rates.target(of: .high).bitrate == rates.bitrate(of: 1))
        #expect(rates.pacingRate(of: 2) == nil)
    }

    @Test func `where pictures leave and nothing is heard of them the rate falls, and what waits is let go`() throws {
        var rates = rates([1: { _ in false }, 2: { _ in false }])
        let before = try #require(rates.bitrate(of: 2))
        var (fallen, time): (Set<Int>, Duration) = ([], .seconds(13))
        for _ in 0..<16 {
            time += .milliseconds(100)
            let now = Instant(sinceStart: time)
            rates.receive(second(10, from: time - .milliseconds(50)), by: 1, now: now)
            rates.sent(by: 2, now: now)
            fallen.formUnion(rates.poll(now: now))
        }
        #expect(try #require(rates.bitrate(of: 2)) < before / 2)
        #expect(fallen == [2])
    }

    @Test func `a way of which nothing was ever heard gets less where its member is to tell what arrives`() throws {
        var rates = GroupRates()
        for way in 1...2 { rates.add(way, former: nil) }
        rates.expectFeedback(2)
        let first = try #require(rates.bitrate(of: 1))
        for now in stride(from: 0, through: 1_200, by: 100).map({ at($0) }) {
            for way in 1...2 { rates.sent(by: way, now: now) }
            _ = rates.poll(now: now)
            if now <= at(1_000) { #expect(rates.bitrate(of: 2) == first) }
        }
        #expect(rates.bitrate(of: 1) == first)
        #expect(try #require(rates.bitrate(of: 2)) < first)
    }

    @Test func `pictures begin anew on a way that has not been congested for long`() throws {
        /// What a way may carry with the first picture so long after it was congested, in milliseconds.
        func bitrate(after time: Int) throws -> Int {
            var rates = GroupRates()
            rates.add(1, former: nil)
            for number in 0..<100 {
                let sent = at(number * 20)
                let report = PacketReport(sentAt: sent, arrivedAt: .milliseconds(50 + number * 30), size: 130)
                rates.receive([report], by: 1, now: sent + .milliseconds(100))
            }
            rates.sent(by: 1, now: at(2_000 + time))
            return try #require(rates.bitrate(of: 1))
        }
        #expect(try bitrate(after: 30_000) < 100_000)
        #expect(try bitrate(after: 45_000) == GradientController.Limits().first)
    }

    @Test func `where no pictures leave silence says nothing`() {
        var rates = rates([1: { _ in false }])
        let before = rates.bitrate(of: 1)
        rates.sent(by: 1, now: Instant(sinceStart: .seconds(13)))
        #expect(rates.poll(now: Instant(sinceStart: .seconds(20))) == [])
        #expect(rates.bitrate(of: 1) == before)
    }

    @Test func `packets leave at least as fast as sound and the least picture need`() throws {
        let rates = rates([1: { $0 % 10 != 0 }])
        #expect(try #require(rates.pacingRate(of: 1)) >= SendPlan.audioShare + SendPlan.lowestVideo)
    }
}

@Suite(.timeLimit(.minutes(5))) struct SealedBacklogTests {
    @Test func `nothing goes before a key frame, which is asked for`() {
        var backlog = SealedBacklog()
        #expect(backlog.admit(isKeyFrame: false, waiting: 0) == .drop(wantsKeyFrame: true))
        #expect(backlog.admit(isKeyFrame: true, waiting: 0) == .send)
        #expect(backlog.admit(isKeyFrame: false, waiting: 1) == .send)
    }

    @Test func `where too many wait all go up to a key frame, wanted once they have left`() {
        var backlog = SealedBacklog()
        #expect(backlog.admit(isKeyFrame: true, waiting: 0) == .send)
        #expect(backlog.admit(isKeyFrame: false, waiting: SealedBacklog.most) == .send)
        #expect(backlog.admit(isKeyFrame: false, waiting: SealedBacklog.most + 1) == .drop(wantsKeyFrame: false))
        #expect(backlog.admit(isKeyFrame: true, waiting: SealedBacklog.few + 1) == .drop(wantsKeyFrame: false))
        #expect(backlog.admit(isKeyFrame: false, waiting: SealedBacklog.few) == .drop(wantsKeyFrame: true))
        #expect(backlog.admit(isKeyFrame: true, waiting: SealedBacklog.few) == .send)
        #expect(backlog.admit(isKeyFrame: false, waiting: 4) == .send)
    }

    @Test func `after a pause pictures begin with a key frame`() {
        var backlog = SealedBacklog()
        #expect(backlog.admit(isKeyFrame: true, waiting: 0) == .send)
        backlog.restart()
        #expect(backlog.admit(isKeyFrame: false, waiting: 0) == .drop(wantsKeyFrame: true))
    }
}
