import BaseKit
import Synchronization

/// The store and its lock, shared by the core and the writer.
final class SharedStore: Sendable {
    private let store: Lock<QueueStore>
    private let behind = Atomic<Bool>(false)

    init(_ store: QueueStore) { self.store = Lock(store) }

    /// Whether too much was not on disk when the lock was last let go. It is asked for each block of a session that sends, so
    /// without the lock.
    var isBehind: Bool { behind.load(ordering: .relaxed) }

    func withLock<Value: Sendable>(_ body: (inout QueueStore) -> Value) -> Value {
        store.withLock { store in
            let value = body(&store)
            let isBehind = store.bodies.unwritten > store.limits.unwrittenBytes
            if isBehind != behind.load(ordering: .relaxed) { behind.store(isBehind, ordering: .relaxed) }
            return value
        }
    }
}
