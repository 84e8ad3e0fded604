/// How far the own queue is on its way to another relay (Agent fact sheet §11). Raw values are stored.
public enum QueueRotation: Int, Equatable, Sendable, CaseIterable {
    /// It stays where it is.
    case none = 0
    /// The new queue is being made.
    case creating = 1
    /// The peer has been told of the new queue.
    case offered = 2
    /// The peer's key has come and is being set on the new queue.
    case securing = 3
    /// The peer has been told to use the new queue.
    case announced = 4
    /// The peer uses the new queue; the old one is emptied and deleted.
    case draining = 5
}
