import BaseKit

/// A clock that stands still while nothing at all arrives.
///
/// By it the peer's camera and microphone are judged: when the path is cut nobody has turned them off, and the last picture
/// stays to be seen.
struct ArrivalClock: Sendable, Equatable {
    /// The time after a packet for which the clock goes on.
    static let reach: Duration = .milliseconds(1_500)

    private var packets = 0
    private var arrivedAt: Instant?
    private var lookedAt: Instant?
    private var time = Instant(sinceStart: .zero)

    /// Takes the count of packets received so far at `now` and gives the moment by this clock.
    mutating func update(packets: Int, now: Instant) -> Instant {
        if let arrivedAt, let lookedAt, now - arrivedAt <= Self.reach { time += now - lookedAt }
        lookedAt = now
        if packets > self.packets {
            self.packets = packets
            arrivedAt = now
        }
        return time
    }

    /// It stands still until it is looked at again: nobody wants to know.
    mutating func pause() { lookedAt = nil }
}
