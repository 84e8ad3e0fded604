import BaseKit

/// Notices that nothing arrives from the peer any more: webrtcbin itself stays "connected".
///
/// Begins to watch with the first packet. Counts every packet from the ICE transport, so a peer with camera and
/// microphone off is kept alive by its RTCP reports.
struct LossWatchdog: Sendable, Equatable {
    /// The time without a packet after which the peer is lost.
    static let patience: Duration = .seconds(4)

    /// What changed.
    enum Change: Sendable, Equatable {
        case lost, recovered
    }

    private var packets = 0
    private var arrivedAt: Instant?
    private(set) var isLost = false

    /// Takes the count of packets received so far at `now`.
    mutating func update(packets: Int, now: Instant) -> Change? {
        if packets > self.packets {
            self.packets = packets
            arrivedAt = now
            guard isLost else { return nil }
            isLost = false
            return .recovered
        }
        guard !isLost, let arrivedAt, now - arrivedAt >= Self.patience else { return nil }
        isLost = true
        return .lost
    }

    /// The path is known to be gone before the time is over.
    mutating func lose() -> Change? {
        guard !isLost, arrivedAt != nil else { return nil }
        isLost = true
        return .lost
    }
}
