import BaseKit

/// Counts the seconds a relay has run in its life, all its starts together. Messages age by it: a machine's clock that jumps
/// ages nothing, and time while the relay is stopped or the
/// machine sleeps doesn't count.
package final class RelayAge: Sendable {
    private struct State {
        var base: Int64 = 0
        var start: Instant
    }

    private let state: Lock<State>
    private let clock: @Sendable () -> Instant

    /// - Parameter clock: a steady clock.
    package init(clock: @escaping @Sendable () -> Instant = { .now }) {
        self.clock = clock
        state = Lock(State(start: clock()))
    }

    /// Seconds.
    package var now: Int64 {
        let instant = clock()
        return state.withLock { $0.base + (instant - $0.start).components.seconds }
    }

    /// Goes on where an earlier start left off.
    func goOn(from age: Int64) {
        let instant = clock()
        state.withLock { $0 = State(base: age, start: instant) }
    }
}
