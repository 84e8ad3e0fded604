import BaseKit

extension Duration {
    /// For `poll`: milliseconds, rounded up, so that the time is over when the wait is; 0 for what is over already.
    var forPoll: Int32 { Int32(clamping: max(0, (self + .nanoseconds(999_999)).wholeMilliseconds)) }
}
