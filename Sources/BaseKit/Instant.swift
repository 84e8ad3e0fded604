#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A moment of the machine's monotonic clock (CLOCK_MONOTONIC, that of GLib and GStreamer, too), exact to the nanosecond.
///
/// The clock never goes back, stands while the machine sleeps, and means nothing outside of it. Times between two moments are
/// `Duration`s. What no `Int64` of nanoseconds can hold (292 years) is the furthest moment there is.
public struct Instant: InstantProtocol {
    /// Since the clock began.
    private let nanoseconds: Int64

    private init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// The moment this long after the clock began. For what other clocks of the same kind tell, and for tests.
    public init(sinceStart time: Duration) { self.init(nanoseconds: time.wholeNanoseconds) }

    /// This moment.
    public static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// How long the clock had run.
    public var sinceStart: Duration { .nanoseconds(nanoseconds) }

    public func advanced(by duration: Duration) -> Instant {
        let (sum, isTooMuch) = nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
        guard isTooMuch else { return Instant(nanoseconds: sum) }
        return Instant(nanoseconds: duration < .zero ? .min : .max)
    }

    /// Whether so much time has passed since another moment; since none it always has.
    public func isAfter(_ moment: Instant?, by time: Duration) -> Bool { moment.map { self - $0 >= time } ?? true }

    public func duration(to other: Instant) -> Duration { .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds) }

    public static func + (moment: Instant, time: Duration) -> Instant { moment.advanced(by: time) }

    public static func - (moment: Instant, time: Duration) -> Instant { moment.advanced(by: .zero - time) }

    public static func - (later: Instant, earlier: Instant) -> Duration { earlier.duration(to: later) }

    public static func += (moment: inout Instant, time: Duration) { moment = moment + time }

    public static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }
}

extension Duration {
    /// In seconds, with their fraction.
    public var inSeconds: Double { self / .seconds(1) }

    /// In whole milliseconds, rounded down.
    public var wholeMilliseconds: Int64 { whole(perSecond: 1_000) }

    /// In whole microseconds, rounded down.
    public var wholeMicroseconds: Int64 { whole(perSecond: 1_000_000) }

    /// In whole nanoseconds, rounded down; the nearest there is for more than 292 years.
    public var wholeNanoseconds: Int64 { whole(perSecond: 1_000_000_000) }

    private func whole(perSecond scale: Int64) -> Int64 {
        let (seconds, attoseconds) = components
        let unit = 1_000_000_000_000_000_000 / scale
        let fraction = attoseconds / unit - (attoseconds % unit < 0 ? 1 : 0)
        let (units, isTooMuch) = seconds.multipliedReportingOverflow(by: scale)
        let (sum, isStillTooMuch) = units.addingReportingOverflow(fraction)
        guard isTooMuch || isStillTooMuch else { return sum }
        return seconds < 0 ? .min : .max
    }
}
