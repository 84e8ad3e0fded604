import Dispatch
import Logging
import Synchronization

/// Takes changes to the disk, those of many blocks in one transaction, and lets answers go only afterwards.
///
/// While one transaction is synced the next changes gather, so that the disk's sync rate limits no more than the delay.
final class StateWriter: Sendable {
    private struct Waiting {
        let position: UInt64
        let action: @Sendable () -> Void
    }

    private struct State {
        var persistence: (any QueuePersistence)?
        /// All changes up to here are on disk and all that waited for them was told.
        var written: UInt64 = 0
        var waiting: [Waiting] = []
        var isScheduled = false
        /// Taken from the store, refused by the disk.
        var unwritten: [StoreChange] = []
        var isFailing = false
    }

    /// After the disk refused a transaction.
    private static let retryDelay = DispatchTimeInterval.seconds(1)

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "parley.relay.state")
    private let logger: Logger
    /// Takes the journal: the changes, and the position they reach.
    private let take: @Sendable () -> (changes: [StoreChange], position: UInt64)

    init(logger: Logger, take: @escaping @Sendable () -> (changes: [StoreChange], position: UInt64)) {
        self.logger = logger
        self.take = take
    }

    /// Whether the disk refuses to take changes at present.
    var isFailing: Bool { state.withLock { $0.isFailing } }

    /// Writes to `persistence` from now on.
    func attach(_ persistence: any QueuePersistence) { state.withLock { $0.persistence = persistence } }

    /// Runs `action` once all changes up to `position` are on disk: at once, or on the writer's thread.
    func whenWritten(_ position: UInt64, _ action: @escaping @Sendable () -> Void) {
        let (isNow, mustSchedule) = state.withLock { state in
            if state.persistence == nil || (state.written >= position && state.waiting.isEmpty) { return (true, false) }
            state.waiting.append(Waiting(position: position, action: action))
            defer { state.isScheduled = true }
            return (false, !state.isScheduled)
        }
        if isNow { action() }
        if mustSchedule { queue.async { self.commit() } }
    }

    /// Writes what is left and lets go of the disk.
    func detach() {
        queue.sync { commit() }
        let persistence = state.withLock { state in
            defer { state.persistence = nil }
            // Whoever still waits was not answered and has no session any more.
            state.waiting = []
            state.isScheduled = false
            return state.persistence
        }
        persistence?.close()
    }

    /// One transaction; only ever on `queue`.
    private func commit() {
        guard let persistence = state.withLock({ $0.persistence }) else { return }
        let (taken, position) = take()
        let changes = state.withLock { state in
            defer { state.unwritten = [] }
            return state.unwritten + taken
        }
        do {
            if !changes.isEmpty { try persistence.write(changes) }
        } catch {
            logger.error("The relay's state can't be written", metadata: ["reason": "\(error)"])
            state.withLock { state in
                state.unwritten = changes
                state.isFailing = true
                state.isScheduled = true
            }
            queue.asyncAfter(deadline: .now() + Self.retryDelay) { self.commit() }
            return
        }
        finish(position)
    }

    private func finish(_ position: UInt64) {
        let ready = state.withLock { state in
            state.isFailing = false
            defer { state.waiting.removeAll { $0.position <= position } }
            return state.waiting.filter { $0.position <= position }
        }
        for waiting in ready { waiting.action() }
        let isMore = state.withLock { state in
            state.written = max(state.written, position)
            state.isScheduled = !state.waiting.isEmpty
            return state.isScheduled
        }
        if isMore { queue.async { self.commit() } }
    }
}
