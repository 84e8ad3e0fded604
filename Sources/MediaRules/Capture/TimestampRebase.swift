/// Moves the timestamps of one capture pipeline to the time of the call, so that sources can come and go.
///
/// What is known to have been captured a moment ago keeps that time: only so can sound and picture be told to belong together. Otherwise
/// the first buffer is put at the present; the following keep their distances, unless the source jumps (a file that begins again, a
/// device that stalled).
package struct TimestampRebase: Sendable, Equatable {
    /// Nanoseconds by which source and clock may drift apart before the source is put at the present again.
    static let tolerance: Int64 = 200_000_000

    /// Nanoseconds from capture to here that are believed; less than none are those of clocks that are read one after the other.
    static let credible: ClosedRange<Int64> = -50_000_000...500_000_000

    private var offset: Int64?
    private var last: Int64 = -1
    private var end: Int64 = 0

    package init() {}

    /// The time of a buffer in the call. All in nanoseconds; `now` is the call's running time, and `captured` that at which the buffer
    /// was captured, if it is known.
    package mutating func rebase(
        timestamp: UInt64?, captured: Int64? = nil, duration: UInt64, now: UInt64
    ) -> UInt64 {
        let now = Int64(clamping: now)
        if let captured, Self.credible.contains(now.subtractingReportingOverflow(captured).partialValue) {
            // What follows without one begins at the present.
            offset = nil
            return pass(max(captured, last + 1), duration)
        }
        let timestamp = timestamp.map { Int64(clamping: $0) } ?? now
        var moved = offset.map { timestamp.addingReportingOverflow($0).partialValue }
        if moved.map({ $0.subtractingReportingOverflow(now).partialValue.magnitudeClamped > Self.tolerance }) ?? true {
            offset = now.subtractingReportingOverflow(timestamp).partialValue
            moved = max(now, end)
        }
        return pass(max(moved ?? now, 0), duration)
    }

    private mutating func pass(_ time: Int64, _ duration: UInt64) -> UInt64 {
        last = min(time, .max - 1)
        end = max(end, time.addingReportingOverflow(Int64(clamping: duration)).partialValue)
        return UInt64(max(time, 0))
    }
}

extension Int64 {
    /// `abs` without a trap at the lowest value.
    fileprivate var magnitudeClamped: Int64 { Int64(clamping: magnitude) }
}
