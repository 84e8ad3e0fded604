import BaseKit

/// What a person chooses bit by bit, such as by a slider, while what is in force is told a little later: it stays as it was chosen and does not
/// jump back to what was in force before.
struct PendingChoice<Value: Equatable> {
    /// How long what is in force may take to become what was chosen; then it is shown whatever it is.
    static var patience: Duration { .seconds(1) }

    private var chosen: (value: Value, at: Instant)?

    /// The person has chosen this.
    mutating func choose(_ value: Value, now: Instant) { chosen = (value, now) }

    /// What is to be shown while this is in force.
    mutating func shown(_ inForce: Value, now: Instant) -> Value {
        guard let chosen, chosen.value != inForce, now - chosen.at < Self.patience else {
            self.chosen = nil
            return inForce
        }
        return chosen.value
    }
}
