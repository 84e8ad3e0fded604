/// What is known of the way between the two ends, most of it by RTCP (RFC 3550 §6.4).
package struct LinkReport: Sendable, Equatable {
    /// Milliseconds to the peer and back; nil while no report has come back.
    package var roundTrip: Int?
    /// How unevenly the peer's packets arrive, in milliseconds.
    package var jitter = 0
    /// How many of the peer's packets arrived, and how many are missing, since the beginning.
    package var received = 0, lost = 0
    /// How they came lately, which RTCP does not tell: seen at the jitter buffers.
    package var arrivals = PacketArrivals()

    /// What is known.
    package init(
        roundTrip: Int? = nil, jitter: Int = 0, received: Int = 0, lost: Int = 0,
        arrivals: PacketArrivals = PacketArrivals()
    ) {
        (self.roundTrip, self.jitter, self.received, self.lost) = (roundTrip, jitter, received, lost)
        self.arrivals = arrivals
    }

    /// Seconds as a fixed point number of 16 bits each (RFC 3550 §4). Nil for none, and for what can't be: a report on a packet that
    /// left a moment later than the clock says makes a time below zero, which has no sign here.
    package static func milliseconds(roundTrip: UInt32) -> Int? {
        let milliseconds = Int(roundTrip) * 1_000 / 65_536
        return roundTrip > 0 && milliseconds <= longestTrip ? milliseconds : nil
    }

    /// Milliseconds; a call is not possible with more.
    private static let longestTrip = 10_000
}
