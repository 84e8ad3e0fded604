import BaseKit

/// The packets of late that a probe repeats: what it brings is of use where one of them was lost.
package struct ProbePackets: Sendable, Equatable {
    /// How long a packet is repeated. Those behind it in the peer's jitter buffer must not be far.
    static let recent: Duration = .seconds(1)
    static let most = 256
    /// Bytes below which a packet brings next to nothing.
    static let smallest = 40

    private struct Packet: Sendable, Equatable {
        var sequenceNumber: UInt16
        var size: Int
        var sentAt: Instant
    }

    private var packets: [Packet] = []

    package init() {}

    /// A packet has left.
    package mutating func sent(sequenceNumber: UInt16, size: Int, now: Instant) {
        guard size >= Self.smallest else { return }
        if packets.count >= Self.most { packets.removeFirst(Self.most / 2) }
        packets.append(Packet(sequenceNumber: sequenceNumber, size: size, sentAt: now))
    }

    /// Which packets to repeat, with their sizes, in order; none where nothing has left of late.
    ///
    /// As few as make up the probe, and large ones for that; where even five of them would be more than it needs, smaller ones, so that
    /// a narrow link's queue stays short.
    package func chosen(for probe: Probe, now: Instant) -> [(sequenceNumber: UInt16, size: Int)] {
        let late = packets.filter { now - $0.sentAt <= Self.recent }
        let wanted = probe.bytes / Probe.packets.lowerBound
        let fitting = late.filter { $0.size <= max(wanted, Self.smallest) }
        // Of those that fit the larger half, the newest first; where none fits, the smallest.
        let sorted = fitting.isEmpty ? late.sorted { $0.size < $1.size } : fitting.sorted { $0.size > $1.size }
        let pool = sorted.prefix(max((sorted.count + 1) / 2, 1)).sorted { $0.sentAt > $1.sentAt }
        guard !pool.isEmpty else { return [] }
        var chosen: [(sequenceNumber: UInt16, size: Int)] = []
        var bytes = 0
        while chosen.count < Probe.packets.lowerBound
            || (bytes < probe.bytes && chosen.count < Probe.packets.upperBound)
        {
            let packet = pool[chosen.count % pool.count]
            chosen.append((packet.sequenceNumber, packet.size))
            bytes += packet.size
        }
        return chosen
    }
}
