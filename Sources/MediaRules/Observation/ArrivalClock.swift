/// A clock that stands still while nothing at all arrives.
///
/// By it the peer's camera and microphone are judged: when the path is cut nobody has turned them off, and the last picture
/// stays to be seen.
struct ArrivalClock: Sendable, Equatable {
    /// Milliseconds after a packet for which the clock goes on.
    static let reach: Int64 = 1_500

    private var packets = 0
    private var arrivedAt: Int64?
    private var lookedAt: Int64?
    private var time: Int64 = 0

    /// Takes the count of packets received so far at `now` (milliseconds of a monotonic clock) and gives its own time.
    mutating func update(packets: Int, now: Int64) -> Int64 {
        if let arrivedAt, let lookedAt, now - arrivedAt <= Self.reach { time += now - lookedAt }
        lookedAt = now
        if packets > self.packets {
            self.packets = packets
            arrivedAt = now
        }
        return time
    }
}
