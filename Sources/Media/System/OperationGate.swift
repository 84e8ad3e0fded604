import BaseKit
import Dispatch

/// Counts operations that run, and lets no more begin once it is closed.
final class OperationGate: Sendable {
    private let isClosed = Lock(false)
    private let running = DispatchGroup()

    /// Whether an operation may begin; ``leave()`` ends it.
    func enter() -> Bool {
        isClosed.withLock { isClosed in
            if !isClosed { running.enter() }
            return !isClosed
        }
    }

    /// Ends an operation.
    func leave() { running.leave() }

    /// No operation begins from now on.
    func close() { isClosed.withLock { $0 = true } }

    /// Blocks until no operation runs.
    func wait() { running.wait() }
}
