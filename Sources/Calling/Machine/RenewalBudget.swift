/// How often a call gets a new transport. Each costs a certificate, a pipeline and candidates: whoever asks often is not
/// served often.
struct RenewalBudget: Sendable, Equatable {
    /// The most offers that are answered in ten seconds.
    static let mostOffers = 5
    /// The most new transports that a call takes part in within ten minutes at the peer's wish. A path that breaks every ten
    /// seconds needs no more.
    static let mostInLongRun = 60
    /// Milliseconds over which they are counted.
    static let longRun: Int64 = 600_000

    private var begunAt: Int64?
    private var takenAt: [Int64] = []

    /// An own attempt begins.
    mutating func begin(at now: Int64) { begunAt = now }

    /// Milliseconds until the callee may begin another attempt.
    func pause(at now: Int64) -> Int64 { begunAt.map { max(0, $0 + CallTiming.renewalInterval - now) } ?? 0 }

    /// Whether another offer may be answered now (caller); counts it if so.
    mutating func takesOffer(at now: Int64) -> Bool {
        guard takenAt.count(where: { now - $0 < 10_000 }) < Self.mostOffers else { return false }
        return takesWish(at: now)
    }

    /// Whether a new transport may be made now because the peer asks (callee) or offers it (caller); counts it if so.
    mutating func takesWish(at now: Int64) -> Bool {
        takenAt.removeAll { now - $0 >= Self.longRun }
        guard takenAt.count < Self.mostInLongRun else { return false }
        takenAt.append(now)
        return true
    }
}
