/// Notices that nothing arrives from the peer any more: webrtcbin itself stays "connected".
///
/// Begins to watch with the first packet. Counts every packet from the ICE transport, so a peer with camera and
/// microphone off is kept alive by its RTCP reports.
struct LossWatchdog: Sendable, Equatable {
    /// Milliseconds without a packet after which the peer is lost.
    static let patience: Int64 = 4_000

    /// What changed.
    enum Change: Sendable, Equatable {
        case lost, recovered
    }

    private var packets = 0
    private var arrivedAt: Int64?
    private(set) var isLost = false

    /// Takes the count of packets received so far at `now` (milliseconds of a monotonic clock).
    mutating func update(packets: Int, now: Int64) -> Change? {
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
