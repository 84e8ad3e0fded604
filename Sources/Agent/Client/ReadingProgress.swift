import BaseKit

/// Which receive queues have been read to their end since their line came up, and who waits to hear of it.
///
/// A relay that gives a message once the last one is acknowledged says that there is none by giving none. It says nothing of the kind when
/// a queue is subscribed: the first message may follow its answer. So that is waited for a moment.
///
/// One queue of a connection that has been read is enough: while it moves, another one may be at a relay that is gone.
final class ReadingProgress: Sendable {
    private struct State {
        /// The connections of queues that have been read.
        var read: [ReceiveQueueName: ConnectionID] = [:]
        /// Queues of which a message has come that is not acknowledged to the relay.
        var delivering: Set<ReceiveQueueName> = []
        var watched: Set<ConnectionID> = []
    }

    private let state = Lock(State())

    func isRead(_ connection: ConnectionID) -> Bool { state.withLock { $0.read.values.contains(connection) } }

    /// Nobody knows what waits in this queue: its line was made anew, or it is gone.
    func forget(_ queue: ReceiveQueueName) {
        state.withLock { state in
            state.read[queue] = nil
            state.delivering.remove(queue)
        }
    }

    /// A message has come; its acknowledgement will show whether it was the last.
    func delivers(_ queue: ReceiveQueueName) { state.withLock { _ = $0.delivering.insert(queue) } }

    /// Whether a queue is known to hold a message.
    func isDelivering(_ queue: ReceiveQueueName) -> Bool { state.withLock { $0.delivering.contains(queue) } }

    /// Nothing waits in a queue.
    /// - Returns: Whether somebody is to be told that the connection was read.
    func reachedEnd(of queue: ReceiveQueueName, _ connection: ConnectionID) -> Bool {
        state.withLock { state in
            state.read[queue] = connection
            state.delivering.remove(queue)
            return state.watched.remove(connection) != nil
        }
    }

    /// Somebody wants to be told.
    /// - Returns: Whether that is due at once.
    func watch(_ connection: ConnectionID) -> Bool {
        state.withLock { state in
            if state.read.values.contains(connection) { return true }
            state.watched.insert(connection)
            return false
        }
    }
}
