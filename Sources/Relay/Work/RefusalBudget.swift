/// How many commands of one session may fail their authorisation before the relay reads more slowly from it: guessing
/// keys and ids costs the relay a verification each, and the guesser nothing. No command is refused for it and no
/// connection dropped (SMP fact sheet §8.1); what is not read waits at the client.
struct RefusalBudget: Sendable {
    /// Refusals in a row that cost nothing: a client that comes back may ask for many queues that are gone.
    static let capacity = 1_000.0
    /// Regained a second.
    static let rate = 50.0

    private var left = RefusalBudget.capacity
    private var time: Double

    /// - Parameter time: seconds of any steady clock.
    init(time: Double) { self.time = time }

    /// Takes refusals in.
    ///
    /// - Returns: for how many seconds the session is not to be read from; 0 as a rule.
    mutating func spend(_ refusals: Int, at now: Double) -> Double {
        left = min(Self.capacity, left + max(0, now - time) * Self.rate)
        time = now
        left -= Double(refusals)
        return left < 0 ? -left / Self.rate : 0
    }
}
