import BaseKit
import MediaRules

/// When pictures came.
final class PictureTimes: Sendable {
    /// What is told of them.
    struct Counts: Sendable {
        /// Since the beginning.
        var count = 0
        /// The longest time without one since the last question, and all of more than 200 ms since then, in milliseconds.
        var gap = 0
        var frozen = 0
        /// The rows of the last one.
        var rows = 0
        /// When the first of at least ``PictureTimes/largeRows`` came; nil: none has.
        var large: Instant?
    }

    /// The rows that a call is to get to where there is room for them.
    static let largeRows = 720

    private struct State {
        var pause = LongestPause()
        var count = 0
        var rows = 0
        var large: Instant?
    }

    private let state = Lock(State())

    func add(rows: Int) {
        let now = Instant.now
        state.withLock { state in
            state.pause.came(now: now)
            state.count += 1
            state.rows = rows
            if rows >= Self.largeRows { state.large = state.large ?? now }
        }
    }

    func take() -> Counts {
        let now = Instant.now
        return state.withLock { state in
            let (longest, long) = state.pause.take(now: now)
            return Counts(
                count: state.count, gap: Int(longest.wholeMilliseconds), frozen: Int(long.wholeMilliseconds),
                rows: state.rows, large: state.large)
        }
    }
}
