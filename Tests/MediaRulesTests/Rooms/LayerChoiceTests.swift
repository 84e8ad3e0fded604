import BaseKit
import TestSupport
import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct LayerChoiceTests {
    private static let (large, small) = (PictureSize(width: 640, height: 480), PictureSize(width: 160, height: 120))

    private static func instant(_ seconds: Double) -> Instant { Instant(sinceStart: .seconds(seconds)) }

    /// Looks once a quarter of a second at feeds as they are then; gives what is asked for at the end.
    private func run(
        _ choice: inout LayerChoice, from start: Double = 0, seconds: Double,
        _ feeds: (Double) -> [UInt8: LayerChoice.Feed]
    ) -> [UInt8: ForwardedLayer] {
        var layers: [UInt8: ForwardedLayer] = [:]
        for time in stride(from: start, to: start + seconds, by: 0.25) {
            layers = choice.update(feeds(time), now: Self.instant(time))
        }
        return layers
    }

    /// Members of whom each is shown in its size, and all of whose packets wait so long.
    private func feeds(
        _ sizes: [UInt8: PictureSize], queue: Double = 0, loss: Double = 0
    ) -> [UInt8: LayerChoice.Feed] {
        sizes.mapValues { LayerChoice.Feed(shown: $0, queue: .seconds(queue), loss: loss) }
    }

    @Test func `pictures are as large as they are shown, and none come of who is not shown`() {
        var choice = LayerChoice()
        var all = feeds([2: Self.large, 3: Self.small, 4: PictureSize(width: 0, height: 0)])
        all[5] = LayerChoice.Feed()
        all[6] = LayerChoice.Feed(shown: PictureSize(width: 120, height: 90))
        let layers = choice.update(all, now: Self.instant(0))
        #expect(layers == [2: .high, 3: .low, 4: .none, 5: .high, 6: .lowest])
    }

    @Test func `a screen that is shown comes large in any size, before cameras that are larger`() {
        var choice = LayerChoice()
        var all = feeds([2: Self.small, 3: Self.large, 4: Self.large, 5: Self.large, 6: Self.large, 7: Self.small])
        all[2]?.isScreen = true
        #expect(choice.update(all, now: Self.instant(0)) == [2: .high, 3: .high, 4: .high, 5: .high, 6: .low, 7: .low])
        all[2]?.shown = PictureSize(width: 0, height: 0)
        #expect(
            choice.update(all, now: Self.instant(1)) == [2: .none, 3: .high, 4: .high, 5: .high, 6: .high, 7: .low])
    }

    @Test func `of what is too much a screen is the last that becomes small`() {
        var choice = LayerChoice()
        var all = feeds([2: Self.small, 3: Self.large, 4: Self.large], queue: 0.2)
        all[2]?.isScreen = true
        #expect(run(&choice, seconds: 1.5) { _ in all } == [2: .high, 3: .low, 4: .low])
        #expect(run(&choice, from: 1.5, seconds: 1) { _ in all } == [2: .low, 3: .low, 4: .low])
        #expect(run(&choice, from: 2.5, seconds: 2) { _ in all } == [2: .low, 3: .lowest, 4: .lowest])
        #expect(run(&choice, from: 4.5, seconds: 3) { _ in all } == [2: .lowest, 3: .none, 4: .none])
    }

    @Test func `of whom no sound comes some pictures are asked for, shown or not, on a full way too`() {
        var choice = LayerChoice()
        var all = feeds([2: PictureSize(width: 0, height: 0), 3: PictureSize(width: 0, height: 0), 4: Self.large])
        all[2]?.hasSound = false
        all[4]?.hasSound = false
        #expect(choice.update(all, now: Self.instant(0)) == [2: .lowest, 3: .none, 4: .high])
        for member in all.keys { all[member]?.queue = .seconds(0.4) }
        #expect(run(&choice, from: 1, seconds: 10) { _ in all } == [2: .lowest, 3: .none, 4: .lowest])
        // What can't be taken is no step that would have to come back.
        for member in all.keys { all[member]?.queue = .zero }
        #expect(run(&choice, from: 11, seconds: 4.5) { _ in all } == [2: .lowest, 3: .none, 4: .low])
    }

    @Test func `large ones come of four at most, of those shown largest`() {
        var choice = LayerChoice()
        var sizes: [UInt8: PictureSize] = [:]
        for member in UInt8(1)...7 {
            sizes[member] = PictureSize(width: 320 + 10 * Int(member), height: 240 + 10 * Int(member))
        }
        let layers = choice.update(feeds(sizes), now: Self.instant(0))
        #expect(Set(layers.filter { $0.value == .high }.keys) == [4, 5, 6, 7])
        #expect(Set(layers.filter { $0.value == .low }.keys) == [1, 2, 3])
    }

    @Test func `what is too much is taken from those shown smallest, and from all before one is shown no more`() {
        var choice = LayerChoice()
        let sizes: [UInt8: PictureSize] = [2: Self.large, 3: PictureSize(width: 400, height: 300), 4: Self.small]
        var seen: [[UInt8: ForwardedLayer]] = []
        for time in stride(from: 0.0, to: 10, by: 0.25) {
            let layers = choice.update(feeds(sizes, queue: 0.2), now: Self.instant(time))
            if seen.last != layers { seen.append(layers) }
        }
        #expect(
            seen == [
                [2: .high, 3: .low, 4: .low], [2: .low, 3: .low, 4: .low], [2: .low, 3: .low, 4: .lowest],
                [2: .low, 3: .lowest, 4: .lowest], [2: .lowest, 3: .lowest, 4: .lowest],
                [2: .lowest, 3: .lowest, 4: .none], [2: .lowest, 3: .none, 4: .none],
                [2: .none, 3: .none, 4: .none],
            ])
    }

    @Test func `what was changed is given a second to show`() {
        var choice = LayerChoice()
        let sizes: [UInt8: PictureSize] = [2: Self.large, 3: Self.large]
        #expect(run(&choice, seconds: 0.25) { _ in feeds(sizes, queue: 0.2) } == [2: .high, 3: .low])
        #expect(run(&choice, from: 0.25, seconds: 0.75) { _ in feeds(sizes, queue: 0.2) } == [2: .high, 3: .low])
        #expect(run(&choice, from: 1, seconds: 0.25) { _ in feeds(sizes, queue: 0.2) } == [2: .low, 3: .low])
    }

    @Test func `a queue that is far too long takes half of all at once`() {
        var choice = LayerChoice()
        var sizes: [UInt8: PictureSize] = [:]
        for member in UInt8(2)...5 { sizes[member] = Self.large }
        let layers = choice.update(feeds(sizes, queue: 0.4), now: Self.instant(0))
        #expect(layers == [2: .low, 3: .low, 4: .lowest, 5: .lowest])
    }

    @Test(
        arguments: [
            (1_400_000, [ForwardedLayer.high, .low, .low]), (1_200_000, [.low, .low, .low]),
            (700_000, [.low, .lowest, .lowest]), (400_000, [.lowest, .lowest, .lowest]),
            (300_000, [.lowest, .lowest, .none]),
        ])
    func `what comes by a full way tells at once what it carries, and no more is taken`(
        capacity: Int, layers: [ForwardedLayer]
    ) {
        var choice = LayerChoice()
        var all = feeds([2: Self.large, 3: Self.large, 4: Self.large], queue: 0.2)
        for member in all.keys { all[member]?.rate = capacity / 3 }
        #expect(
            choice.update(all, now: Self.instant(0)) == [2: layers[0], 3: layers[1], 4: layers[2]])
    }

    @Test func `of what a full way carries the sound of a screen comes first`() {
        var choice = LayerChoice()
        var all = feeds([2: Self.large, 3: Self.large, 4: Self.large], queue: 0.2)
        for member in all.keys { all[member]?.rate = 400_000 / 3 }
        all[2]?.hasScreenSound = true
        #expect(choice.update(all, now: Self.instant(0)) == [2: .lowest, 3: .lowest, 4: .none])
    }

    @Test func `a way is full from a queue on that is too long until it is gone`() {
        var choice = LayerChoice()
        let queues = [0.0, 0.1, 0.13, 0.3, 0.1, 0.07, 0.05, 0.1]
        let isFull = queues.enumerated().map { index, queue in
            _ = choice.update(feeds([2: Self.large], queue: queue), now: Self.instant(Double(index) / 10))
            return choice.isFull
        }
        #expect(isFull == [false, false, true, true, true, true, false, false])
    }

    /// Looks as ``run(_:from:seconds:_:)`` does at two that are shown large, of whom come what is asked for, after so many seconds; `load` says
    /// how much of the time decoding pictures of a layer of a member takes. Gives each choice with its time.
    private func watch(
        _ choice: inout LayerChoice, from start: Double = 0, seconds: Double, delay: Double = 0,
        _ load: (UInt8, ForwardedLayer) -> Double
    ) -> [(time: Double, layers: [UInt8: ForwardedLayer])] {
        var seen: [(time: Double, layers: [UInt8: ForwardedLayer])] = []
        for time in stride(from: start, to: start + seconds, by: 0.25) {
            var all = feeds([2: Self.large, 3: Self.large])
            let asked = seen.last { $0.time <= time - delay }?.layers
            for member in all.keys {
                let coming = asked?[member] ?? .high
                all[member]?.coming = coming
                all[member]?.decoding = load(member, coming)
            }
            seen.append((time, choice.update(all, now: Self.instant(time))))
        }
        return seen
    }

    @Test func `whose pictures take too long to decode is asked for smaller ones, and others are not`() {
        var choice = LayerChoice()
        // A moment is no reason, and neither is much that is not too much.
        #expect(watch(&choice, seconds: 2.5) { _, _ in 0.9 }.last?.layers == [2: .high, 3: .high])
        #expect(watch(&choice, from: 2.5, seconds: 10) { _, _ in 0.6 }.last?.layers == [2: .high, 3: .high])
        let one = watch(&choice, from: 12.5, seconds: 10) { member, layer in member == 2 && layer == .high ? 0.9 : 0.2 }
        #expect(one.last?.layers == [2: .low, 3: .high])
        let all = watch(&choice, from: 22.5, seconds: 20) { _, _ in 0.9 }
        #expect(all.last?.layers == [2: .lowest, 3: .lowest], "some pictures of all still come")
        // Where there is much time to spare it comes back, each step after a while.
        #expect(watch(&choice, from: 42.5, seconds: 40) { _, _ in 0.2 }.last?.layers == [2: .lowest, 3: .lowest])
        let back = watch(&choice, from: 82.5, seconds: 31) { _, _ in 0.03 }.map(\.layers)
        #expect(back.last == [2: .high, 3: .high] && back.contains([2: .low, 3: .low]))
    }

    @Test func `small pictures that take too long to decode become the smallest, and some of all still come`() {
        var choice = LayerChoice()
        var all = feeds([2: Self.small, 3: Self.small])
        for member in all.keys {
            all[member]?.coming = .low
            all[member]?.decoding = 0.9
        }
        #expect(run(&choice, seconds: 2.5) { _ in all } == [2: .low, 3: .low])
        #expect(run(&choice, from: 2.5, seconds: 1) { _ in all } == [2: .lowest, 3: .lowest])
        // A feed of which nothing was seen for a moment is no other one.
        _ = choice.update([:], now: Self.instant(3.5))
        #expect(choice.update(all, now: Self.instant(3.75)) == [2: .lowest, 3: .lowest])
    }

    @Test func `what was too much for the machine comes back later each time, also where it takes long to come`() {
        for delay in [0.0, 4] {
            var choice = LayerChoice()
            let seen = watch(&choice, seconds: 120, delay: delay) { _, layer in layer == .high ? 0.9 : 0.03 }
            let raised = zip(seen, seen.dropFirst()).filter { $0.layers[2] == .low && $1.layers[2] == .high }.map(
                \.1.time)
            let pauses = zip(raised, raised.dropFirst()).map { $1 - $0 }
            #expect(pauses.count >= 1 && zip([raised[0]] + pauses, pauses).allSatisfy { $1 > $0 * 1.4 }, "\(raised)")
        }
    }

    @Test func `a full way takes and gives back as before where the machine is busy, and not too busy`() {
        var choice = LayerChoice()
        func busy(queue: Double) -> [UInt8: LayerChoice.Feed] {
            feeds([2: Self.large, 3: Self.large], queue: queue).mapValues { feed in
                var feed = feed
                (feed.coming, feed.decoding) = (.high, 0.6)
                return feed
            }
        }
        #expect(run(&choice, seconds: 20) { _ in busy(queue: 0.4) } == [2: .none, 3: .none])
        #expect(run(&choice, from: 20, seconds: 60) { _ in busy(queue: 0) } == [2: .high, 3: .high])
    }

    @Test func `where packets don’t queue the little that comes takes nothing`() {
        var choice = LayerChoice()
        var all = feeds([2: Self.large, 3: Self.large])
        for member in all.keys { all[member]?.rate = 60_000 }
        #expect(run(&choice, seconds: 5) { _ in all } == [2: .high, 3: .high])
    }

    @Test func `after each calm while twice as many steps come back`() {
        var choice = LayerChoice()
        let sizes: [UInt8: PictureSize] = [2: Self.large, 3: Self.large, 4: Self.large]
        _ = run(&choice, seconds: 8.25) { _ in feeds(sizes, queue: 0.2) }
        var seen: [[UInt8: ForwardedLayer]] = []
        for time in stride(from: 8.25, to: 21, by: 0.25) {
            let layers = choice.update(feeds(sizes), now: Self.instant(time))
            if seen.last != layers { seen.append(layers) }
        }
        #expect(
            seen == [
                [2: .none, 3: .none, 4: .none], [2: .lowest, 3: .none, 4: .none],
                [2: .lowest, 3: .lowest, 4: .lowest], [2: .high, 3: .low, 4: .low],
            ])
    }

    @Test func `while larger pictures come than were asked for no more is taken, for three seconds`() {
        var choice = LayerChoice()
        var all = feeds([2: Self.large], queue: 0.2)
        all[2]?.coming = .high
        #expect(run(&choice, seconds: 2.75) { _ in all } == [2: .low])
        // The server may have none of that size.
        #expect(run(&choice, from: 3, seconds: 1) { _ in all } == [2: .lowest])
    }

    @Test func `from when what was asked for comes it is given a second to show`() {
        var choice = LayerChoice()
        var all = feeds([2: Self.large], queue: 0.2)
        all[2]?.coming = .high
        #expect(run(&choice, seconds: 1.5) { _ in all } == [2: .low])
        all[2]?.coming = .low
        #expect(run(&choice, from: 1.75, seconds: 0.5) { _ in all } == [2: .low])
        #expect(choice.update(all, now: Self.instant(2.5)) == [2: .lowest])
    }

    @Test func `losses of while larger pictures still came don’t count as losses of behind it`() {
        var choice = LayerChoice()
        var all = feeds([2: Self.large], loss: 0.3)
        all[2]?.coming = .high
        #expect(run(&choice, seconds: 2) { _ in all } == [2: .low])
        all[2]?.coming = .low
        #expect(run(&choice, from: 2.25, seconds: 3.5) { _ in all } == [2: .low])
        #expect(choice.update(all, now: Self.instant(6)) == [2: .lowest])
    }

    @Test func `losses of before a change don’t count as losses of behind it`() {
        var choice = LayerChoice()
        let sizes: [UInt8: PictureSize] = [2: Self.large]
        #expect(run(&choice, seconds: 3.75) { _ in feeds(sizes, loss: 0.3) } == [2: .low])
        #expect(choice.update(feeds(sizes, loss: 0.3), now: Self.instant(4)) == [2: .lowest])
    }

    @Test func `of whom nothing is asked for any more the last packets say nothing of the way`() {
        var choice = LayerChoice()
        var all = feeds([2: Self.large, 3: PictureSize(width: 0, height: 0)])
        all[3]?.queue = .seconds(2)
        #expect(run(&choice, seconds: 5) { _ in all } == [2: .high, 3: .none])
    }

    @Test func `more is asked for after a calm while, and later after each time that was too early`() {
        var choice = LayerChoice()
        let sizes: [UInt8: PictureSize] = [2: Self.large]
        var time = 0.0
        /// Seconds until large pictures are asked for again.
        func wait() -> Double {
            while choice.update(feeds(sizes, queue: 0.2), now: Self.instant(time)) != [2: .low] { time += 0.25 }
            time += 0.25
            let start = time
            while choice.update(feeds(sizes), now: Self.instant(time)) != [2: .high] { time += 0.25 }
            return time - start
        }
        let (first, second, third) = (wait(), wait(), wait())
        #expect(first == 4 && second == 8 && third == 16)
        // Once it has gone well for a while the next time is as the first.
        _ = run(&choice, from: time, seconds: 12) { _ in feeds(sizes) }
        time += 12
        #expect(wait() == 4)
    }

    @Test func `while somebody is not seen more is tried after sixteen seconds at the latest`() {
        var choice = LayerChoice()
        let sizes: [UInt8: PictureSize] = [2: Self.small]
        var (time, waits) = (0.0, [Double]())
        for _ in 0..<6 {
            while choice.update(feeds(sizes, queue: 0.2), now: Self.instant(time)) != [2: .none] { time += 0.25 }
            time += 0.25
            let start = time
            while choice.update(feeds(sizes), now: Self.instant(time)) != [2: .lowest] { time += 0.25 }
            waits.append(time - start)
        }
        #expect(waits == [4, 8, 16, 16, 16, 16])
    }

    @Test func `a look that comes late shows that this machine is behind, and nothing of the way`() {
        var choice = LayerChoice()
        let sizes: [UInt8: PictureSize] = [2: Self.large, 3: Self.small]
        for time in stride(from: 0.0, to: 20, by: 1) {
            let layers = choice.update(feeds(sizes, queue: time == 0 ? 0 : 2), now: Self.instant(time))
            #expect(layers == [2: .high, 3: .low])
        }
    }

    @Test func `what a sender's own way loses is no reason, what most lose is`() {
        var choice = LayerChoice()
        var all = feeds([2: Self.large, 3: Self.large, 4: Self.large])
        all[2]?.loss = 0.3
        #expect(run(&choice, seconds: 5) { _ in all }.values.allSatisfy { $0 == .high })
        all[3]?.loss = 0.16
        #expect(run(&choice, from: 5, seconds: 0.5) { _ in all } == [2: .high, 3: .high, 4: .low])
    }

    @Test func `losses alone make pictures small, and take none away`() {
        var choice = LayerChoice()
        let sizes: [UInt8: PictureSize] = [2: Self.large, 3: Self.large, 4: Self.small]
        // Two ways that lose a packet of twenty each.
        #expect(run(&choice, seconds: 30) { _ in feeds(sizes, loss: 0.11) } == [2: .high, 3: .high, 4: .low])
        #expect(
            run(&choice, from: 30, seconds: 30) { _ in feeds(sizes, loss: 0.2) } == [
                2: .lowest, 3: .lowest, 4: .lowest,
            ])
        #expect(run(&choice, from: 60, seconds: 30) { _ in feeds(sizes, loss: 0.3) }.values.allSatisfy { $0 == .none })
        #expect(
            run(&choice, from: 90, seconds: 120) { _ in feeds(sizes, loss: 0.11) } == [2: .high, 3: .high, 4: .low])
    }

    @Test func `where fewer are there than were too many, those are asked for step by step`() {
        var choice = LayerChoice()
        let many: [UInt8: PictureSize] = [2: Self.large, 3: Self.large, 4: Self.large]
        _ = run(&choice, seconds: 20) { _ in feeds(many, queue: 0.2) }
        #expect(run(&choice, from: 20, seconds: 0.25) { _ in feeds([2: Self.large]) } == [2: .none])
        #expect(run(&choice, from: 20.25, seconds: 4.25) { _ in feeds([2: Self.large]) } == [2: .lowest])
    }

    /// A link with a queue of at most half a second, and feeds that take what is asked for.
    private struct Link {
        let capacity: Double
        var queued = 0.0

        /// A quarter of a second passes.
        mutating func pass(_ layers: [UInt8: ForwardedLayer]) -> (queue: Double, loss: Double, rate: Double) {
            let arriving = Self.rate(layers) / 4
            let leaving = min(queued + arriving, capacity / 4)
            queued += arriving - leaving
            let lost = max(0, queued - capacity / 2)
            queued -= lost
            return (queued / capacity, arriving > 0 ? lost / arriving : 0, leaving * 4)
        }

        /// Pictures and sound, which takes less where there are many.
        static func rate(_ layers: [UInt8: ForwardedLayer]) -> Double {
            let pictures: [ForwardedLayer: Double] = [.high: 500_000, .low: 255_000, .lowest: 46_000, .none: 0]
            return layers.values.reduce(0) { $0 + (layers.count >= 4 ? 34_000 : 52_000) + (pictures[$1] ?? 0) }
        }
    }

    @Test(arguments: 0..<100) func `on any link what is asked for comes to fit, and is seldom too much again`(seed: Int)
    {
        var random = SeededGenerator(seed: UInt64(seed))
        let members = UInt8.random(in: 1...7, using: &random)
        var sizes: [UInt8: PictureSize] = [:]
        for member in 1...members {
            let height = Int.random(in: 90...720, using: &random)
            sizes[member] = PictureSize(width: height * 4 / 3, height: height)
        }
        // At least what sound takes, with some air.
        let capacity = Double.random(in: Double(members) * 60_000...4_000_000, using: &random)
        var (choice, link) = (LayerChoice(), Link(capacity: capacity))
        var layers: [UInt8: ForwardedLayer] = [:]
        var seen = (queue: 0.0, loss: 0.0, rate: 0.0)
        var (tooMuch, isInOrder) = (0, true)
        for time in stride(from: 0.0, to: 300, by: 0.25) {
            var feeds = feeds(sizes, queue: seen.queue, loss: seen.loss)
            // Pictures alone tell of it.
            for member in feeds.keys where layers[member] == ForwardedLayer.none { feeds[member]?.queue = nil }
            for member in feeds.keys { feeds[member]?.rate = Int(seen.rate) / sizes.count }
            layers = choice.update(feeds, now: Self.instant(time))
            seen = link.pass(layers)
            if time >= 60, seen.queue > 0.2 { tooMuch += 1 }
            let ranks = layers.sorted {
                ($0.value.rank, sizes[$0.key]?.pixels ?? 0) > ($1.value.rank, sizes[$1.key]?.pixels ?? 0)
            }
            isInOrder =
                isInOrder
                && zip(ranks, ranks.dropFirst()).allSatisfy { one, other in
                    one.value == other.value || (sizes[one.key]?.pixels ?? 0) >= (sizes[other.key]?.pixels ?? 0)
                }
        }
        #expect(isInOrder)
        // Less than a tenth of four minutes.
        #expect(tooMuch < 96, "\(members) members, \(Int(capacity)) bit/s, in the end \(layers)")
        // Something more would not fit, or everything is asked for.
        if Link.rate(layers) + 500_000 < capacity * 0.9 {
            var free = LayerChoice()
            #expect(layers == free.update(feeds(sizes), now: Self.instant(0)))
        }
    }
}

extension ForwardedLayer {
    fileprivate var rank: Int { [.none, .lowest, .low, .high].firstIndex(of: self) ?? 0 }
}
