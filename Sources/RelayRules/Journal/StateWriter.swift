import BaseKit
import Dispatch
import Logging

/// Takes changes to the disk, those of many blocks in one transaction, and lets answers go only afterwards.
///
/// While one transaction is synced, and for a short time after it began, the next changes gather: so the disk's sync rate
/// limits no more than the delay, and under load many messages share the cost of one sync.
package final class StateWriter: Sendable {
    private struct Waiting {
        let position: UInt64
        let action: @Sendable () -> Void
    }

    private struct State {
        var persistence: (any QueuePersistence)?
        /// Between `detach` and `attach`: what happens then is on no disk, and never will be.
        var isDetached = false
        /// All changes up to here are on disk and all that waited for them was told.
        var written: UInt64 = 0
        var waiting: [Waiting] = []
        /// The number of the transaction that is to begin next or runs now; only it may order another.
        var ordered: UInt64?
        var lastNumber: UInt64 = 0
        /// Changes up to here are to be written, though nobody waits for them.
        var noted: UInt64 = 0
        /// A transaction for them will be ordered some time later.
        var isDelayed = false
        /// When the last transaction began.
        var begun = Instant(sinceStart: .zero)
        /// Taken from the store, refused by the disk.
        var unwritten: [StoreChange] = []
        var isFailing = false

        /// Orders a transaction unless one is ordered already.
        mutating func order() -> Order? { ordered == nil ? replaceOrder() : nil }

        /// Whether a transaction for what is noted has to be ordered some time later.
        mutating func delay() -> Bool {
            guard persistence != nil, written < noted, ordered == nil, !isDelayed else { return false }
            isDelayed = true
            return true
        }

        mutating func replaceOrder() -> Order {
            lastNumber += 1
            ordered = lastNumber
            return Order(number: lastNumber, start: begun + StateWriter.interval)
        }
    }

    private struct Order {
        let number: UInt64
        let start: Instant
    }

    /// After the disk refused a transaction.
    private static let retryDelay = Duration.seconds(1)
    /// From the beginning of one transaction to that of the next.
    private static let interval = Duration.milliseconds(10)
    /// For changes that nobody waits for, if no others take them along.
    private static let notedDelay = Duration.milliseconds(20)

    private let state = Lock(State())
    private let queue = DispatchQueue(label: "parley.relay.state")
    private let logger: Logger
    /// Takes the journal: the changes, and the position they reach.
    private let take: @Sendable () -> (changes: [StoreChange], position: UInt64)
    /// Hears that changes up to a position are on disk.
    private let wrote: @Sendable (UInt64) -> Void

    init(
        logger: Logger, take: @escaping @Sendable () -> (changes: [StoreChange], position: UInt64),
        wrote: @escaping @Sendable (UInt64) -> Void = { _ in }
    ) {
        self.logger = logger
        self.take = take
        self.wrote = wrote
    }

    /// Whether the disk refuses to take changes at present.
    package var isFailing: Bool { state.withLock { $0.isFailing } }

    /// Writes to `persistence` from now on.
    func attach(_ persistence: any QueuePersistence) {
        let isShort = persistence.isShort()
        state.withLock { state in
            state.persistence = persistence
            state.isDetached = false
            state.isFailing = isShort
        }
        if isShort { run(in: Self.retryDelay) { self.lookForRoom() } }
    }

    /// Runs `action` once all changes up to `position` are on disk: at once, or on the writer's thread. Never after `detach`:
    /// nobody may be told of what no disk holds.
    package func whenWritten(_ position: UInt64, _ action: @escaping @Sendable () -> Void) {
        let (isNow, order) = state.withLock { state -> (Bool, Order?) in
            if state.isDetached { return (false, nil) }
            if state.persistence == nil || (state.written >= position && state.waiting.isEmpty) { return (true, nil) }
            state.waiting.append(Waiting(position: position, action: action))
            return (false, state.order())
        }
        if isNow { action() }
        if let order { schedule(order) }
    }

    /// Has changes up to `position` written before long, though nobody waits for them.
    package func note(_ position: UInt64) {
        let isNew = state.withLock { state in
            state.noted = max(state.noted, position)
            return state.delay()
        }
        if isNew { scheduleNoted() }
    }

    /// Finds bodies of messages on disk, between two transactions, and hands them over on the writer's thread.
    package func read(
        _ numbers: [Int64], _ action: @escaping @Sendable (Result<[Int64: [UInt8]], RelayStorageError>) -> Void
    ) {
        queue.async { [self] in
            guard let persistence = state.withLock({ $0.persistence }) else { return action(.success([:])) }
            do {
                action(.success(try persistence.bodies(of: numbers)))
            } catch {
                logger.error("Messages can't be read", metadata: ["reason": "\(error)"])
                action(.failure(error as? RelayStorageError ?? .unavailable("\(error)")))
            }
        }
    }

    /// Has the disk overwrite what it still holds of things deleted.
    ///
    /// - Parameter action: hears, on the writer's thread, whether that was done.
    package func tidy(_ action: @escaping @Sendable (_ isDone: Bool) -> Void) {
        queue.async { [self] in action(state.withLock { $0.persistence }?.tidy() ?? true) }
    }

    /// Writes what is left and lets go of the disk.
    package func detach() {
        // Only on the queue no transaction is under way that would end the order, and nobody reads what is being closed.
        queue.sync {
            let order = state.withLock { $0.replaceOrder() }
            commit(order.number)
            let persistence = state.withLock { state in
                defer { state.persistence = nil }
                // Whoever still waits was not answered and has no session any more.
                state.waiting = []
                state.unwritten = []
                state.ordered = nil
                if state.persistence != nil { state.isDetached = true }
                state.isFailing = false
                return state.persistence
            }
            persistence?.close()
        }
    }

    private func scheduleNoted() {
        run(in: Self.notedDelay) { [self] in
            let order = state.withLock { state in
                state.isDelayed = false
                return state.order()
            }
            if let order { commit(order.number) }
        }
    }

    private func schedule(_ order: Order) {
        let wait = order.start - .now
        if wait <= .zero {
            queue.async { self.commit(order.number) }
        } else {
            run(in: wait) { self.commit(order.number) }
        }
    }

    private func run(in time: Duration, _ body: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now() + DispatchTimeInterval(time), execute: body)
    }

    /// One transaction; only ever on `queue`.
    private func commit(_ number: UInt64) {
        let attached: (any QueuePersistence)? = state.withLock { state in
            guard state.ordered == number else { return nil }
            state.begun = .now
            // Without a disk nothing is written, and the next disk must not wait for it.
            if state.persistence == nil { state.ordered = nil }
            return state.persistence
        }
        guard let persistence = attached else { return }
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
            }
            run(in: Self.retryDelay) { self.commit(number) }
            return
        }
        wrote(position)
        finish(position, isShort: persistence.isShort())
    }

    /// Looks whether there is room again.
    private func lookForRoom() {
        guard let persistence = state.withLock({ $0.isFailing ? $0.persistence : nil }) else { return }
        let isShort = persistence.isShort()
        state.withLock { $0.isFailing = isShort }
        if isShort { run(in: Self.retryDelay) { self.lookForRoom() } }
    }

    private func finish(_ position: UInt64, isShort: Bool) {
        let ready = state.withLock { state in
            if isShort, !state.isFailing {
                logger.error("The relay's disk is full: only what makes room is done")
                run(in: Self.retryDelay) { self.lookForRoom() }
            }
            state.isFailing = isShort
            defer { state.waiting.removeAll { $0.position <= position } }
            return state.waiting.filter { $0.position <= position }
        }
        for waiting in ready { waiting.action() }
        let (next, isDelayed) = state.withLock { state in
            state.written = max(state.written, position)
            state.ordered = nil
            return (state.waiting.isEmpty ? nil : state.order(), state.delay())
        }
        if let next { schedule(next) }
        if isDelayed { scheduleNoted() }
    }
}
