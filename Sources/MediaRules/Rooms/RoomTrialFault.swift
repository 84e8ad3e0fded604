/// Why media don't go through a room that was tried.
public enum RoomTrialFault: Error, Sendable, Hashable, CaseIterable {
    /// No way to the server was found on which media go, or none in time.
    case notReached
    /// What was sent reaches the server, and does not come back in time.
    case notReturned
    /// What comes back is not what was sent: its key does not open it.
    case changed
    /// The room is no more, or this side was put out of it.
    case ended
}
