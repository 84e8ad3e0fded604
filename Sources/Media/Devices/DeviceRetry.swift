/// Whether a device that stopped by itself is tried again without being asked for.
struct DeviceRetry: Sendable, Equatable {
    /// What ran for so long can run.
    static let proof = Duration.seconds(3)
    /// What stops again and again is left alone for so long.
    static let pause = Duration.seconds(60)

    private var last: ContinuousClock.Instant?

    /// `ran` is how long it was open.
    mutating func isDue(ran: Duration, now: ContinuousClock.Instant) -> Bool {
        guard ran >= Self.proof, last.map({ now - $0 >= Self.pause }) ?? true else { return false }
        last = now
        return true
    }
}
