import Calling

/// A call in the log.
public struct LoggedCall: Sendable, Hashable, Identifiable {
    /// Its number in the log. Calls that ended later have higher ones, and none is used again.
    public let id: Int64
    /// What is kept of it.
    public let record: CallRecord

    /// A call under a number.
    public init(id: Int64, record: CallRecord) {
        self.id = id
        self.record = record
    }
}

/// A change of the log. Nothing changes a call that is in it: what is known of one is known when it has ended.
public enum CallLogChange: Sendable, Hashable {
    /// A call has ended; it is the newest.
    case inserted(LoggedCall)
    /// The calls of these numbers were deleted, or were too old.
    case removed(Set<Int64>)
    /// All calls up to this number were deleted.
    case removedAll(upTo: Int64)
}
