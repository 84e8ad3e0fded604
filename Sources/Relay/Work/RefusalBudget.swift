import BaseKit

/// How many commands of one session may fail their authorisation before the relay reads more slowly from it: guessing
/// keys and ids costs the relay a verification each, and the guesser nothing. No command is refused for it and no
/// connection dropped (SMP fact sheet §8.1); what is not read waits at the client.
struct RefusalBudget: Sendable {
    /// Refusals in a row that cost nothing: a client that comes back may ask for many queues that are gone.
    static let capacity = 1_000.0
    /// Regained a second.
    static let rate = 50.0

    private var left = RefusalBudget.capacity
    private var time: Instant

    init(time: Instant) { self.time = time }

    /// Takes refusals in.
    ///
    /// - Returns: for how long the session is not to be read from; zero as a rule.
    mutating func spend(_ refusals: Int, at now: Instant) -> Duration {
        left = min(Self.capacity, left + max(.zero, now - time).inSeconds * Self.rate)
        time = now
        left -= Double(refusals)
        return left < 0 ? .seconds(-left / Self.rate) : .zero
    }
}
