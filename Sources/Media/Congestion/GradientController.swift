/// A first bandwidth controller: additive increase and multiplicative decrease by the delay's gradient and by loss, with the
/// rules and constants of draft-ietf-rmcat-gcc-02 where no other reason is given.
struct GradientController: BandwidthController {
    /// Lowest, first and highest rate in bits a second.
    struct Limits: Sendable, Equatable {
        var lowest = 80_000
        var first = 800_000
        var highest = 2_000_000
    }

    /// `beta` (§5.7): what is left of the arriving rate at a decrease.
    static let decrease = 0.85
    /// `eta` (§5.5): growth a second while far from the last congestion.
    static let growth = 1.08
    /// The pacer's lead over the encoder (measured: 1.4 keeps key frames from filling the queue).
    static let pacingFactor = 1.4
    /// §6: under 2 % loss rises, over 10 % lowers the rate.
    static let lowLoss = 0.02, highLoss = 0.10
    /// Above this loss counts by itself. Between, radio links lose at random: only with a growing queue it is congestion.
    static let certainLoss = 0.20

    private enum Phase: Sendable, Equatable { case increase, hold, decrease }

    private let limits: Limits
    private var rate: Double
    private var trend = DelayTrend()
    private var arrivals = ArrivalRate()
    private var phase = Phase.increase
    private var updatedAt: Int64?
    private var decreasedAt = Int64.min / 2
    private var congestedAt = Int64.min / 2
    private var lossDecreasedAt = Int64.min / 2
    /// The arriving rate at the last congestion: near it the rate grows by addition only.
    private var congestedRate: Double?

    init(limits: Limits = Limits()) {
        self.limits = limits
        rate = Double(limits.first)
    }

    var target: BandwidthTarget {
        BandwidthTarget(bitrate: Int(rate), pacingRate: Int(rate * Self.pacingFactor))
    }

    /// Part of the packets lost in the last second, 0…1.
    var loss: Double { arrivals.loss ?? 0 }

    mutating func receive(_ packets: [PacketReport], now: Int64) {
        guard !packets.isEmpty else { return }
        arrivals.add(packets, now: now)
        for packet in packets {
            if let arrivedAt = packet.arrivedAt { trend.add(sentAt: packet.sentAt, arrivedAt: arrivedAt) }
        }
        let elapsed = min(max(now - (updatedAt ?? now), 0), 1_000)
        updatedAt = now
        followDelay(now: now, elapsed: Double(elapsed))
        followLoss(now: now)
        rate = min(max(rate, Double(limits.lowest)), Double(limits.highest))
    }

    /// §5.5, the table of states.
    private mutating func followDelay(now: Int64, elapsed: Double) {
        switch trend.usage {
        case .over:
            congestedAt = now
            phase = .decrease
        case .under: phase = .hold
        case .normal: phase = phase == .decrease ? .hold : .increase
        }
        switch phase {
        case .hold: break
        case .increase: increase(now: now, elapsed: elapsed)
        case .decrease:
            // One decrease takes a round trip to show; a second one before would act twice on the same queue.
            guard now - decreasedAt >= 200, let arriving = arrivals.bitrate(now: now) else { return }
            decreasedAt = now
            congestedRate = Double(arriving)
            rate = min(rate, Self.decrease * Double(arriving))
        }
    }

    private mutating func increase(now: Int64, elapsed: Double) {
        guard let arriving = arrivals.bitrate(now: now).map(Double.init), loss < Self.highLoss else { return }
        // §5.5: no more than half as much again as arrives, so that a quiet source does not count as a wide link.
        guard rate < 1.5 * arriving else { return }
        if let last = congestedRate, arriving > 1.15 * last { congestedRate = nil }
        if congestedRate != nil {
            // Half a packet each response time of about 200 ms, at least a kilobit (§5.5).
            rate += max(1_000, 0.5 * 9_600 * elapsed / 200)
        } else {
            // Fast at the start of a call, when nothing is known of the link.
            rate *= 1 + (Self.growth - 1) * (decreasedAt < 0 ? 2.5 : 1) * elapsed / 1_000
        }
    }

    private mutating func followLoss(now: Int64) {
        guard let loss = arrivals.loss, now - lossDecreasedAt >= ArrivalRate.lossWindow else { return }
        let isCongested = now - congestedAt < 1_000
        guard loss > Self.certainLoss || (loss > Self.highLoss && isCongested) else { return }
        lossDecreasedAt = now
        // §6: A = A (1 - 0.5 p).
        rate *= 1 - 0.5 * loss
    }
}
