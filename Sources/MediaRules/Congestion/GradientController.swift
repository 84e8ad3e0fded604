import BaseKit

/// A first bandwidth controller: additive increase and multiplicative decrease by the delay's gradient and by loss, with the
/// rules and constants of draft-ietf-rmcat-gcc-02 where no other reason is given.
package struct GradientController: BandwidthController {
    /// Lowest, first and highest rate in bits a second.
    package struct Limits: Sendable, Equatable {
        var lowest = 60_000
        var first = 400_000
        var highest = 6_000_000

        package init() {}
    }

    /// `beta` (§5.7): what is left of the arriving rate at a decrease.
    static let decrease = 0.85
    /// `eta` (§5.5): growth a second while far from the last congestion.
    static let growth = 1.08
    /// Growth a second when no congestion has been seen for some time.
    static let freeGrowth = 1.2, freeTime: Duration = .seconds(5)
    /// Growth a second before the first congestion of a call: what the link carries is not known yet.
    static let firstGrowth = 1.5
    /// The pacer's lead over the encoder (measured: 1.4 keeps key frames from filling the queue).
    static let pacingFactor = 1.4
    /// §6: under 2 % loss rises, over 10 % lowers the rate.
    static let lowLoss = 0.02, highLoss = 0.10
    /// Above this loss counts by itself. Between, radio links lose at random: only with a queue it is congestion.
    static let certainLoss = 0.20
    /// The time in which every packet must have waited, and how long, for a growing delay to be a growing queue.
    static let noticed: (time: Duration, excess: Duration) = (.milliseconds(250), .milliseconds(8))
    /// From this wait on a queue that does not grow any more is too long: with losses, and without.
    static let fullQueue: Duration = .milliseconds(80), longQueue: Duration = .milliseconds(180)
    /// The time after which sending less must have shortened a queue, and by how much.
    static let drainTime: Duration = .seconds(2), drained: Duration = .milliseconds(40)
    /// What is left of the rate, and after which time again, while nothing is heard of what is sent.
    static let silence = 0.4, silenceTime: Duration = .milliseconds(200)
    /// The loss and the wait below which what left in a silence is seen to have come well.
    static let well: (loss: Double, wait: Duration) = (0.1, .milliseconds(50))
    /// What is left of the rate that a much narrower link is seen to carry, so that its queue empties, until so little waits.
    static let emptying = 0.6, emptied: Duration = .milliseconds(20)
    /// How much more than by chance may be lost.
    static let excessLoss = 0.1
    /// A fall to less than this part is looked at again (libwebrtc's `ProbeController`: 0.66).
    static let largeFall = 0.66
    /// How much of a probe's result is used, and how long it counts for more than what has arrived so far.
    static let probed = 0.95, freshness: Duration = .seconds(1)

    /// The highest rate to begin with on a path of which nothing is known.
    static let mostAtStart = 1_000_000

    private enum Phase: Sendable, Equatable { case increase, hold, decrease }

    let limits: Limits
    private var rate: Double
    /// What is of use, in bits a second.
    private var useful = Int.max
    private var trend = DelayTrend()
    private var queue = StandingQueue()
    private var arrivals = ArrivalRate()
    private var phase = Phase.increase
    private var updatedAt: Instant?
    private var decreasedAt: Instant?
    private var congestedAt: Instant?
    package private(set) var congestion: Congestion?
    private var lossDecreasedAt: Instant?
    /// The arriving rate at the last congestion: near it the rate grows by addition only.
    private var congestedRate: Double?
    /// The rate before feedback stayed away, until it is reached again.
    private var rateBefore: Double?
    /// A rate taken up again after a silence, not yet grown to what it was before.
    private var hasResumed = false
    private var missedAt: Instant?
    /// When the silence began of which the rate falls.
    private var missedSince: Instant?
    /// A decrease that is to shorten the queue.
    private var draining: Draining?
    private var overload = Overload()
    private var chance = ChanceLoss()
    private var prober = Prober()
    private var reported = ReportedRate()
    /// What a probe has shown last, which the rate of arrivals has not reached yet.
    private var shown: (rate: Double, at: Instant)?

    private struct Draining: Sendable {
        var since: Instant
        var excess: Duration
        /// Bits a second that the link is seen to carry, where it has suddenly become much narrower.
        var capacity: Int?
    }

    /// Begins as a call does; with `former`, the good rate of another path of the same call, not lower than that and not from
    /// the bottom either.
    package init(limits: Limits = Limits(), former: Int? = nil) {
        self.limits = limits
        rate = Double(Self.start(after: former, limits))
    }

    /// Where another path begins: half of what was well on the former, as it may be a narrower one, up to a bound, as it may be a much
    /// narrower one, and never below the rate that a call begins with.
    static func start(after former: Int?, _ limits: Limits = Limits()) -> Int {
        min(max(limits.first, min((former ?? 0) / 2, mostAtStart)), limits.highest)
    }

    /// Where the same path goes on after it was broken: the same, but not above what was well.
    static func restart(after good: Int, _ limits: Limits = Limits()) -> Int {
        max(min(start(after: good, limits), good), limits.lowest)
    }

    package var target: BandwidthTarget {
        BandwidthTarget(bitrate: Int(rate), pacingRate: Int(rate * Self.pacingFactor))
    }

    /// Part of the packets lost in the last second, 0…1.
    package var loss: Double { arrivals.loss ?? reported.loss }

    package mutating func receive(_ packets: [PacketReport], now: Instant) {
        guard !packets.isEmpty else { return }
        reported = ReportedRate()
        arrivals.add(packets, now: now)
        let base = queue.shortest
        for packet in packets {
            guard let arrivedAt = packet.arrivedAt else { continue }
            // A probe fills the queue for a moment.
            if !prober.holds(packet) { trend.add(sentAt: packet.sentAt, arrivedAt: arrivedAt) }
            queue.add(delay: arrivedAt - packet.sentAt.sinceStart, now: now)
        }
        if let seen = prober.receive(packets, base: queue.shortest, now: now) { follow(probed: seen, now: now) }
        if let capacity = overload.receive(packets, base: base, now: now) { collapse(to: capacity, now: now) }
        followSilence(packets)
        let elapsed = min(max(now - (updatedAt ?? now), .zero), .seconds(1))
        updatedAt = now
        followDelay(now: now, elapsed: elapsed / .milliseconds(1))
        followQueue(now: now)
        followLoss(now: now)
        bound()
    }

    package mutating func receive(_ report: ReceptionReport, isSending: Bool, now: Instant) {
        rate = reported.update(report, rate: rate, isSending: isSending, now: now)
        bound()
    }

    package mutating func limit(to bitrate: Int) {
        useful = bitrate
        bound()
    }

    private mutating func bound() {
        rate = max(min(rate, Double(min(limits.highest, useful))), Double(limits.lowest))
    }

    package var good: Int { Int(max(rate, rateBefore ?? 0)) }

    package mutating func missFeedback(now: Instant) {
        guard now.isAfter(missedAt, by: Self.silenceTime) else { return }
        missedSince = missedSince ?? now
        missedAt = now
        // What was taken up again and brought silence again was not so good.
        rateBefore = hasResumed ? rate : Double(good)
        hasResumed = false
        rate = max(rate * Self.silence, Double(limits.lowest))
    }

    package mutating func resume(now: Instant) {
        let good = good
        rate = Double(Self.restart(after: good, limits))
        bound()
        rateBefore = Double(good)
        hasResumed = true
        (trend, queue, arrivals) = (DelayTrend(), StandingQueue(), ArrivalRate())
        (overload, chance, prober, shown) = (Overload(), ChanceLoss(), Prober(), nil)
        (phase, draining, congestedRate, congestion) = (.increase, nil, nil, nil)
        updatedAt = now
        missedAt = now
        missedSince = nil
    }

    package mutating func begin(now: Instant) {
        rate = max(rate, Double(limits.first))
        bound()
        (rateBefore, congestedRate, decreasedAt) = (nil, nil, nil)
        prober.restart()
    }

    package mutating func probe(now: Instant) -> Probe? {
        guard let updatedAt, now - updatedAt < Self.silenceTime, let arriving = arrivals.bitrate(now: now) else {
            return nil
        }
        let isCalm =
            draining == nil && rateBefore == nil && phase != .decrease && now.isAfter(congestedAt, by: .seconds(1))
            && queue.excess(within: Self.noticed.time, now: now) < Self.noticed.excess
            && loss < max(Self.highLoss, chance.part + Self.excessLoss)
        let highest = min(limits.highest, useful)
        return prober.probe(
            .init(rate: Int(rate), useful: highest, arriving: arriving, isCalm: isCalm), now: now)
    }

    package mutating func sent(_ probe: Probe, between moments: (from: Instant, to: Instant)?, now: Instant) {
        prober.sent(probe, between: moments, now: now)
    }

    /// So many bits a second were seen to come through.
    private mutating func follow(probed seen: Int, now: Instant) {
        let found = Self.probed * Double(seen)
        guard found > rate, draining == nil else { return }
        rate = found
        shown = (found, now)
        if let last = congestedRate, found > 1.15 * last { congestedRate = nil }
    }

    /// Most of what is sent is lost, and so many bits a second come through.
    private mutating func collapse(to capacity: Int, now: Instant) {
        draining = Draining(since: draining?.since ?? now, excess: queue.excess(now: now), capacity: capacity)
        (congestedAt, decreasedAt) = (now, now)
        (rateBefore, missedSince, shown) = (nil, nil, nil)
        hasResumed = false
        congestedRate = Double(capacity)
        congestion = Congestion(at: now, carried: capacity)
        rate = min(rate, Self.emptying * Double(capacity))
    }

    /// What left after the rate had fallen of silence comes well: only the news of it were late, and the rate is what it was.
    private mutating func followSilence(_ packets: [PacketReport]) {
        guard let since = missedSince else { return }
        let later = packets.filter { $0.sentAt >= since }
        let lost = later.count { $0.arrivedAt == nil }
        guard let shortest = queue.shortest, let last = later.last(where: { $0.arrivedAt != nil }) else { return }
        missedSince = nil
        let wait = (last.arrivedAt ?? .zero) - last.sentAt.sinceStart - shortest
        guard Double(lost) <= Self.well.loss * Double(later.count), wait < Self.well.wait, let before = rateBefore
        else { return }
        rate = max(rate, before)
        rateBefore = nil
    }

    /// §5.5, the table of states. `elapsed` in milliseconds.
    private mutating func followDelay(now: Instant, elapsed: Double) {
        switch trend.usage {
        // Packets that were only held up for a moment have no queue behind them: some of late came as fast as ever.
        case .over where queue.excess(within: Self.noticed.time, now: now) < Self.noticed.excess: phase = .hold
        // A probe's own queue is gone soon.
        case .over where prober.isUnderWay: phase = .hold
        case .over:
            congestedAt = now
            phase = .decrease
        case .under: phase = .hold
        case .normal: phase = phase == .decrease ? .hold : .increase
        }
        switch phase {
        case .hold: break
        case .increase: increase(now: now, elapsed: elapsed)
        case .decrease: decrease(now: now)
        }
    }

    /// Sends less than arrives, so that the queue empties.
    private mutating func decrease(now: Instant) {
        // One decrease takes a round trip to show; a second one before would act twice on the same queue.
        guard now.isAfter(decreasedAt, by: .milliseconds(200)), let arriving = arrivals.bitrate(now: now) else {
            return
        }
        decreasedAt = now
        rateBefore = nil
        hasResumed = false
        let recent = shown.map { now.isAfter($0.at, by: Self.freshness) ? 0 : Self.decrease * $0.rate } ?? 0
        let carried = max(Double(arriving), recent)
        congestedRate = carried
        congestion = Congestion(at: now, carried: Int(carried))
        let former = rate
        rate = min(rate, Self.decrease * carried)
        if rate < Self.largeFall * former { prober.fell(from: Int(former), now: now) }
    }

    private mutating func increase(now: Instant, elapsed: Double) {
        guard let arriving = arrivals.bitrate(now: now).map(Double.init),
            loss < max(Self.highLoss, chance.part + Self.excessLoss) || rate < arriving
        else { return }
        // §5.5: no more than half as much again as arrives, so that a quiet source does not count as a wide link.
        guard rate < 1.5 * arriving, draining == nil else { return }
        if let last = congestedRate, arriving > 1.15 * last { congestedRate = nil }
        if congestedRate != nil {
            // Half a packet each response time of about 200 ms, at least a kilobit (§5.5).
            rate += max(1_000, 0.5 * 9_600 * elapsed / 200)
        } else {
            rate *= 1 + (growth(now: now) - 1) * elapsed / 1_000
        }
    }

    private mutating func growth(now: Instant) -> Double {
        if let before = rateBefore {
            if rate < Self.decrease * before { return Self.firstGrowth }
            rateBefore = nil
            hasResumed = false
        }
        if decreasedAt == nil { return Self.firstGrowth }
        return now.isAfter(congestedAt, by: Self.freeTime) ? Self.freeGrowth : Self.growth
    }

    /// Empties a queue that has stopped growing because it is full, or stays long.
    private mutating func followQueue(now: Instant) {
        let excess = queue.excess(now: now)
        if let draining {
            if let capacity = draining.capacity,
                queue.excess(within: Self.noticed.time / 2, now: now) < Self.emptied,
                now - draining.since > Self.noticed.time
            {
                self.draining = nil
                rate = max(rate, Self.decrease * Double(capacity))
                return
            }
            guard now - draining.since >= Self.drainTime else { return }
            self.draining = nil
            // What sending less does not shorten is no queue but the way. With losses it is one that is full still.
            if loss <= Self.lowLoss, excess > draining.excess - Self.drained { queue.restart(now: now) }
            return
        }
        let limit = loss > Self.lowLoss ? Self.fullQueue : Self.longQueue
        guard excess > limit else { return }
        congestedAt = now
        draining = Draining(since: now, excess: excess)
        decrease(now: now)
    }

    private mutating func followLoss(now: Instant) {
        guard let loss = arrivals.loss, now.isAfter(lossDecreasedAt, by: ArrivalRate.lossWindow) else { return }
        let isCongested = !now.isAfter(congestedAt, by: .seconds(1))
        if let rate = chance.look(loss: loss, hasQueue: isCongested, now: now) { self.rate = max(self.rate, rate) }
        let certain = max(Self.certainLoss, chance.part + Self.excessLoss)
        let high = max(Self.highLoss, chance.part)
        guard loss > certain || (loss > high && isCongested) else { return }
        lossDecreasedAt = now
        if !isCongested { chance.decreased(from: rate, loss: loss, now: now) }
        // §6: A = A (1 - 0.5 p); not below what a link with a full queue is seen to carry.
        let carried = arrivals.bitrate(now: now)
        // A queue that was full from the beginning has no slope, and nothing it could be compared with.
        if loss > certain { congestion = Congestion(at: now, carried: carried ?? Int(rate)) }
        let arriving = carried.map { Self.decrease * Double($0) } ?? 0
        rate = min(rate, max(rate * (1 - 0.5 * loss), arriving))
    }
}
