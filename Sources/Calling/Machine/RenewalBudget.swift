import BaseKit

/// How fast a call gets new transports. Each costs a certificate, a pipeline and candidates: whoever asks often is not
/// served often. What a contact and all of them may cause in the long run, in whatever calls, is not this call's to tell
/// (`ContactBudget.renewals`).
struct RenewalBudget: Sendable, Equatable {
    /// The most offers that are answered in ten seconds.
    static let mostOffers = 5

    /// How many transports the peer has asked for or offered with success.
    private(set) var wishCount = 0
    private var begunAt: Instant?
    private var answeredAt: [Instant] = []

    /// An own attempt begins.
    mutating func begin(at now: Instant) { begunAt = now }

    /// How long until the callee may begin another attempt.
    func pause(at now: Instant) -> Duration {
        begunAt.map { max(.zero, $0 + CallTiming.renewalInterval - now) } ?? .zero
    }

    /// Whether another offer may be answered now (caller); counts it if so.
    mutating func admitsOffer(at now: Instant) -> Bool {
        answeredAt.removeAll { now - $0 >= .seconds(10) }
        guard answeredAt.count < Self.mostOffers else { return false }
        answeredAt.append(now)
        wishCount += 1
        return true
    }

    /// The peer has asked for another transport (callee), which is made when its time has come.
    mutating func asked() { wishCount += 1 }
}
