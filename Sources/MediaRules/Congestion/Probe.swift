import BaseKit

/// A short burst at a rate above the one that is sent, to see whether it gets through as fast.
///
/// Lengths follow libwebrtc's (`ProbeController`: 15 ms and five packets at least), but longer: a machine that is busy reads packets
/// some milliseconds late.
package struct Probe: Sendable, Equatable {
    /// The shortest burst that says something.
    static let shortest: Duration = .milliseconds(25)
    /// Fewest packets of one, and most.
    package static let packets = 5...60

    /// Bits a second.
    package var bitrate: Int

    package init(bitrate: Int) { self.bitrate = bitrate }

    /// Bytes of all its packets.
    package var bytes: Int { Int(Double(bitrate) / 8 * Self.shortest.inSeconds) }

    /// How long after the first packet the one behind so many bytes leaves.
    package func moment(behind bytes: Int) -> Duration {
        .microseconds(Int64(bytes) * 8_000_000 / Int64(max(bitrate, 1)))
    }
}

/// What the reports tell of one probe: how fast its packets came, with whatever else left between its first and its last.
struct ProbeCluster: Sendable, Equatable {
    /// The part of the packets that must have come.
    static let received = 0.7
    /// The rate of arrival beside that of sending from which on the link carries all of it, and what is left of the former below
    /// (libwebrtc's `ProbeBitrateEstimator` has 0.9 and 0.95): what a probe takes from somebody else's packets for a moment is not its own.
    static let carried = 0.9, margin = 0.85
    /// Reports on packets that left this much later end it: then all of it has been told.
    private static let grace: Duration = .milliseconds(2)

    let probe: Probe
    let from: Instant, to: Instant
    private var count = 0
    private var first: PacketReport?
    private var lastSent: Instant
    private var lastArrived = Duration.zero
    private var bits = 0
    private var arrived = 0
    private(set) var isComplete = false

    init(_ probe: Probe, from: Instant, to: Instant) {
        (self.probe, self.from, self.to) = (probe, from, to)
        lastSent = from
    }

    /// Whether a packet left within it.
    func holds(_ packet: PacketReport) -> Bool { packet.sentAt >= from && packet.sentAt <= to }

    mutating func add(_ packet: PacketReport) {
        guard holds(packet) else {
            if packet.sentAt > to + Self.grace { isComplete = true }
            return
        }
        count += 1
        guard let arrival = packet.arrivedAt else { return }
        arrived += 1
        guard let first else {
            first = packet
            (lastSent, lastArrived) = (packet.sentAt, arrival)
            return
        }
        if packet.sentAt >= first.sentAt { bits += packet.size * 8 }
        lastSent = max(lastSent, packet.sentAt)
        lastArrived = max(lastArrived, arrival)
    }

    /// Bits a second that came through; nil when too little of it did. `base` is the time that the luckiest packet of a while took,
    /// between two clocks of any difference.
    ///
    /// The first packet counts as if it had taken no longer than that: what was read late and then at once would look like a wide link.
    func result(base: Duration?) -> Int? {
        guard let first, let firstArrived = first.arrivedAt, arrived >= Probe.packets.lowerBound,
            Double(arrived) >= Self.received * Double(count)
        else { return nil }
        let earliest = min(firstArrived, base.map { first.sentAt.sinceStart + $0 } ?? firstArrived)
        let sending = lastSent - first.sentAt
        let arriving = max(lastArrived - earliest, sending)
        guard sending > .milliseconds(1) else { return nil }
        let sent = Double(bits) / sending.inSeconds
        let came = Double(bits) / arriving.inSeconds
        return Int(came >= Self.carried * sent ? sent : Self.margin * came)
    }
}
