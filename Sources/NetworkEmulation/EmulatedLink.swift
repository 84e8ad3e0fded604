import BaseKit
import DequeModule

/// One direction of a link: a queue with a rate, then losses, then a way of some length.
///
/// A value whose whole behaviour follows from its seed and the moments it is told.
package struct EmulatedLink: Sendable {
    /// Counts since the beginning.
    package struct Statistics: Sendable, Equatable {
        /// Packets that came to the link.
        package var offered = 0
        /// Packets lost on the way.
        package var lost = 0
        /// Packets for which the queue had no room.
        var overflowed = 0
        /// Packets that arrived, and their bytes.
        package var delivered = 0
        /// Bytes of whole IP packets.
        package var deliveredBytes = 0
        /// How long the last packet waited in the queue.
        var queueDelay = Duration.zero
        /// How long all that were taken waited, together.
        package var queueDelays = Duration.zero
        /// How many were taken.
        package var queued = 0
    }

    /// What it does to packets that come from now on.
    package var condition: LinkCondition
    /// What it did.
    package private(set) var statistics = Statistics()

    private var generator: SplitMix64
    private var underWay: Deque<(arrival: Instant, packet: [UInt8])> = []
    private var transmitterFree = Instant(sinceStart: .zero)
    private var lastArrival = Instant(sinceStart: .zero)
    private var isInBurst = false

    /// A link in this condition.
    package init(_ condition: LinkCondition, seed: UInt64) {
        self.condition = condition
        generator = SplitMix64(seed: seed)
    }

    /// When the next packet arrives, if one is under way.
    var nextArrival: Instant? { underWay.first?.arrival }

    /// A packet comes to the link.
    package mutating func offer(_ packet: [UInt8], now: Instant) {
        statistics.offered += 1
        let waiting = max(transmitterFree, now) - now
        guard condition.rate == nil || waiting <= .milliseconds(condition.queue) else {
            statistics.overflowed += 1
            return
        }
        let transmission = condition.rate.map { Duration.seconds(packet.count * 8) / $0 } ?? .zero
        transmitterFree = now + waiting + transmission
        statistics.queueDelay = waiting
        statistics.queueDelays += waiting
        statistics.queued += 1
        guard !isLost() else {
            statistics.lost += 1
            return
        }
        let deviation =
            condition.jitter > 0 ? Double.random(in: -condition.jitter...condition.jitter, using: &generator) : 0
        let way = Duration.milliseconds(max(0, condition.delay + deviation))
        lastArrival = max(lastArrival, transmitterFree + way)
        underWay.append((lastArrival, packet))
    }

    /// The packets that have arrived by now, in order.
    package mutating func arrivals(now: Instant) -> [[UInt8]] {
        var packets: [[UInt8]] = []
        while let next = underWay.first, next.arrival <= now {
            underWay.removeFirst()
            statistics.delivered += 1
            statistics.deliveredBytes += next.packet.count
            packets.append(next.packet)
        }
        return packets
    }

    /// Two states (Gilbert 1960): within a burst everything is lost, outside nothing.
    private mutating func isLost() -> Bool {
        guard condition.loss > 0 else { return false }
        guard condition.loss < 1 else { return true }
        guard condition.burst > 1 else { return Double.random(in: 0..<1, using: &generator) < condition.loss }
        let leave = 1 / condition.burst
        let enter = min(1, leave * condition.loss / (1 - condition.loss))
        let change = Double.random(in: 0..<1, using: &generator) < (isInBurst ? leave : enter)
        if change { isInBurst.toggle() }
        return isInBurst
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014).
struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
