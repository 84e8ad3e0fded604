import BaseKit
import MediaRules

/// Which steps of a call's quality are worth being said: those that last. What goes up and down is said once, as it mostly is.
struct SteadyQuality: Equatable {
    /// How long a call has been at least as bad as a worse step, or at least as good as a better one, before that is said.
    static let patience = (worse: Duration.seconds(5), better: Duration.seconds(15))

    /// What was said last. A call is taken for a good one before anything was.
    private(set) var said = CallQuality.Step.good
    /// Since when it is at least as bad as each step, and at least as good.
    private var worse: [CallQuality.Step: Instant] = [:]
    private var better: [CallQuality.Step: Instant] = [:]

    /// Notes how good the call is at `now`; nil while nobody is to hear of it.
    ///
    /// - Returns: Whether its step is to be said.
    mutating func note(_ quality: CallQuality?, at now: Instant) -> Bool {
        // That nothing comes through is said by itself.
        guard let quality, quality.cause != .noWay else {
            (worse, better) = ([:], [:])
            return false
        }
        let step = quality.step
        for other in CallQuality.Step.allCases {
            worse[other] = step >= other ? worse[other] ?? now : nil
            better[other] = step <= other ? better[other] ?? now : nil
        }
        let (since, patience) =
            step > said ? (worse[step], Self.patience.worse) : (better[step], Self.patience.better)
        guard step != said, let since, now - since >= patience else { return false }
        said = step
        return true
    }
}
