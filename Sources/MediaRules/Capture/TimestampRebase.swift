/// Moves the timestamps of one capture pipeline to the time of the call, so that sources can come and go.
///
/// The first buffer is put at the present; the following keep their distances, unless the source jumps (a file that begins
/// again, a device that stalled).
package struct TimestampRebase: Sendable, Equatable {
    /// Nanoseconds by which source and clock may drift apart before the source is put at the present again.
    static let tolerance: Int64 = 200_000_000

    private var offset: Int64?
    private var end: Int64 = 0

    package init() {}

    /// The time of a buffer in the call. `timestamp`, `now` and `duration` in nanoseconds; `now` is the call's running time.
    package mutating func rebase(timestamp: UInt64?, duration: UInt64, now: UInt64) -> UInt64 {
        let now = Int64(clamping: now)
        let timestamp = timestamp.map { Int64(clamping: $0) } ?? now
        var moved = offset.map { timestamp.addingReportingOverflow($0).partialValue }
        if moved.map({ $0.subtractingReportingOverflow(now).partialValue.magnitudeClamped > Self.tolerance }) ?? true {
            offset = now.subtractingReportingOverflow(timestamp).partialValue
            moved = max(now, end)
        }
        let result = max(moved ?? now, 0)
        end = max(end, result.addingReportingOverflow(Int64(clamping: duration)).partialValue)
        return UInt64(result)
    }
}

extension Int64 {
    /// `abs` without a trap at the lowest value.
    fileprivate var magnitudeClamped: Int64 { Int64(clamping: magnitude) }
}
