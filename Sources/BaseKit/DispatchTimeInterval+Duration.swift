import Dispatch

extension DispatchTimeInterval {
    /// The same time for Dispatch's timers and waits, exact to the nanosecond.
    public init(_ time: Duration) { self = .nanoseconds(Int(time.wholeNanoseconds)) }
}
