import BaseKit

/// How often a call gets a new transport. Each costs a certificate, a pipeline and candidates: whoever asks often is not
/// served often.
struct RenewalBudget: Sendable, Equatable {
    /// The most offers that are answered in ten seconds.
    static let mostOffers = 5
    /// The most new transports that a call takes part in within ten minutes at the peer's wish. A path that breaks every ten
    /// seconds needs no more.
    static let mostInLongRun = 60
    /// Over how long they are counted.
    static let longRun: Duration = .seconds(600)

    private var begunAt: Instant?
    private var admittedAt: [Instant] = []

    /// An own attempt begins.
    mutating func begin(at now: Instant) { begunAt = now }

    /// How long until the callee may begin another attempt.
    func pause(at now: Instant) -> Duration {
        begunAt.map { max(.zero, $0 + CallTiming.renewalInterval - now) } ?? .zero
    }

    /// Whether another offer may be answered now (caller); counts it if so.
    mutating func admitsOffer(at now: Instant) -> Bool {
        guard admittedAt.count(where: { now - $0 < .seconds(10) }) < Self.mostOffers else { return false }
        return admitsWish(at: now)
    }

    /// Whether a new transport may be made now because the peer asks (callee) or offers it (caller); counts it if so.
    mutating func admitsWish(at now: Instant) -> Bool {
        admittedAt.removeAll { now - $0 >= Self.longRun }
        guard admittedAt.count < Self.mostInLongRun else { return false }
        admittedAt.append(now)
        return true
    }
}
