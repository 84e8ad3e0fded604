import BaseKit

/// How much may be sent again. On a link that loses at random all that is asked for fits; on one that loses because it is
/// full, sending again what it could not carry keeps it full.
package struct RetransmissionBudget: Sendable, Equatable {
    /// The part of the rate for packets that are sent again; ``SendPlan`` keeps it free while packets are lost.
    static let share = SendPlan.mostResent
    /// As much of it as comes together in this time may be saved up.
    static let burst: Duration = .milliseconds(500)

    /// Bits a second that may be sent in all.
    package var rate: Int
    private var usedUntil = Instant(sinceStart: .zero)

    package init(rate: Int) { self.rate = rate }

    /// Whether a packet of `size` bytes is sent again.
    package mutating func admits(size: Int, now: Instant) -> Bool {
        let start = max(usedUntil, now - Self.burst)
        guard start <= now else { return false }
        usedUntil = start + .milliseconds(Int64(Double(size) * 8_000 / (Self.share * Double(max(rate, 1)))))
        return true
    }
}
