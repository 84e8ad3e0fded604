/// How loud somebody speaks, in a few steps: what a ring around their face shows. It says nothing as long as nothing changes, so that
/// silence costs nothing.
package struct SpeakingRing: Sendable, Equatable {
    /// The levels from which on the ring has a step, in decibels.
    static let steps = [-48.0, -34.0, -20.0]
    /// How many levels in a row have to be lower before the ring falls by a step: words have gaps.
    static let patience = 4

    /// 0 is silence.
    package private(set) var step = 0
    private var lower = 0

    package init() {}

    /// Takes the level of 50 ms in; gives the step when that is another one.
    package mutating func add(_ level: SoundLevel) -> Int? {
        let present = Self.steps.count { level.decibels >= $0 }
        if present > step {
            (step, lower) = (present, 0)
            return step
        }
        guard present < step else {
            lower = 0
            return nil
        }
        lower += 1
        guard lower >= Self.patience else { return nil }
        (step, lower) = (step - 1, 0)
        return step
    }

    /// Nothing comes any more; gives the step when that is another one.
    package mutating func fallSilent() -> Int? {
        lower = 0
        guard step > 0 else { return nil }
        step = 0
        return step
    }
}
