/// What an agent does while its store fails: keeps in mind what could not be stored, says when to try again, and when it is
/// over.
///
/// Pure: no clock, no store. Jitter is 0 … 1 and comes from the caller. A step that fails has changed nothing on disk and
/// nothing in memory, so it is repeated as it was.
struct StoreOutage: Equatable, Sendable {
    /// What the caller has to do.
    enum Action: Equatable, Sendable {
        /// Call `wake` with this number after so many milliseconds.
        case wake(after: Int64, number: Int)
        /// Tell the application that nothing can be stored.
        case tellFailing(StoreError)
        /// Tell the application that it is over.
        case tellRecovered
    }

    private struct Trouble: Equatable {
        var error: StoreError
        /// Attempts that failed, the first failure included.
        var failures = 1
        var isTold = false
    }

    private enum State: Equatable {
        case well
        case waiting(Trouble)
        /// `hasFailed`: something failed in this attempt too.
        case trying(Trouble, hasFailed: Bool)
        /// All succeeded. What is too large for a store that is nearly full may come a moment later.
        case cooling(Trouble)
    }

    /// A person who has made room should not have to wait: 0.2 s … 5 s.
    private static let schedule = RetrySchedule(initial: 200, ceiling: 5_000, patience: .max)
    /// How long nothing may fail before it is over, in milliseconds; longer than a relay takes for a step whose outcome is stored.
    static let coolingTime: Int64 = 10_000

    private var state = State.well
    private var lastNumber = 0
    private var work: [PostponedWork] = []

    // MARK: Events from the store

    /// A transaction failed.
    mutating func failed(_ error: StoreError, jitter: Double) -> [Action] {
        switch state {
        case .well:
            return wait(Trouble(error: error), jitter)
        case .cooling(var trouble):
            trouble.error = error
            trouble.failures += 1
            return tell(&trouble) + wait(trouble, jitter)
        case .waiting:
            return []
        case .trying(var trouble, _):
            trouble.error = error
            state = .trying(trouble, hasFailed: true)
            return []
        }
    }

    /// This could not be stored, and has to be done again. What is kept in its place already goes.
    mutating func postpone(_ postponed: PostponedWork) {
        if let index = work.firstIndex(where: { $0.isReplaced(by: postponed) }) {
            work[index] = postponed
        } else {
            work.append(postponed)
        }
    }

    /// A queue's relay has delivered again: what was kept of it is not needed.
    mutating func forgetDelivery(on queue: ReceiveQueueName) {
        work.removeAll { if case .receive(let kept) = $0 { kept.queue == queue } else { false } }
    }

    // MARK: Events from the clock

    /// The time asked for by `Action.wake` has come: what is to be done again, in the order in which it failed. Then
    /// `tried`. Nil when nothing is to be tried; then `cooled`.
    mutating func wake(_ number: Int) -> [PostponedWork]? {
        guard number == lastNumber, case .waiting(let trouble) = state else { return nil }
        state = .trying(trouble, hasFailed: false)
        defer { work = [] }
        return work
    }

    /// All of it was tried.
    mutating func tried(jitter: Double) -> [Action] {
        guard case .trying(var trouble, let hasFailed) = state else { return [] }
        guard hasFailed else {
            state = .cooling(trouble)
            lastNumber += 1
            return [.wake(after: Self.coolingTime, number: lastNumber)]
        }
        trouble.failures += 1
        return tell(&trouble) + wait(trouble, jitter)
    }

    /// The time asked for by `Action.wake` has come, and nothing is to be tried.
    mutating func cooled(_ number: Int) -> [Action] {
        guard number == lastNumber, case .cooling(let trouble) = state else { return [] }
        state = .well
        return trouble.isTold ? [.tellRecovered] : []
    }

    private mutating func wait(_ trouble: Trouble, _ jitter: Double) -> [Action] {
        state = .waiting(trouble)
        lastNumber += 1
        let delay = Self.schedule.delay(afterFailures: trouble.failures, jitter: jitter)
        return [.wake(after: delay, number: lastNumber)]
    }

    private func tell(_ trouble: inout Trouble) -> [Action] {
        defer { trouble.isTold = true }
        return trouble.isTold ? [] : [.tellFailing(trouble.error)]
    }
}

/// A step that the store refused.
enum PostponedWork: Equatable, Sendable {
    /// Finding out what the store is.
    case begin
    /// Acting on what it is.
    case conclude(StoreEvidence.Note, StoreEvidence)
    /// Taking up everything at the start.
    case restoreAll
    /// Taking up a connection at the start.
    case restore(ConnectionID)
    /// A message that a relay has delivered; not acknowledged to it, so it delivers no other one on this queue.
    case receive(HeldMessage)
    /// The application is done with a message.
    case acknowledge(ConnectionID, message: Int64, receipt: Bool)
    /// Encrypting a message that is next to leave.
    case transmit(ConnectionID, message: Int64)
    /// The peer's relay has taken a message.
    case accept(ConnectionID, message: Int64)
    /// A message will never be taken.
    case giveUp(ConnectionID, message: Int64, DeliveryFailure)
    /// A step of the handshake that needs relays.
    case relayStep(ConnectionID)
    /// The handshake failed for good.
    case failHandshake(ConnectionID, DeliveryFailure)
    /// Asking the application again whether it allows a peer.
    case askApplication(ConnectionID)
    /// A step of a queue that moves.
    case rotationStep(ConnectionID)
    /// A queue can't move.
    case giveUpMove(ConnectionID, DeliveryFailure)
    /// Repairing a ratchet.
    case repair(ConnectionID)
    /// Replacing a ratchet that must not encrypt any more.
    case replaceRatchet(ConnectionID)
    /// Going on with a deletion.
    case delete(ConnectionID)
    /// A relay does not know an own queue any more.
    case queueGone(ReceiveQueueName)
    /// Having a relay forget a queue that was not stored.
    case discard(ReceiveQueueRecord)

    /// Whether `other` makes this superfluous.
    fileprivate func isReplaced(by other: PostponedWork) -> Bool {
        // A relay delivers one message of a queue at a time.
        if case .receive(let own) = self, case .receive(let new) = other { return own.queue == new.queue }
        return self == other
    }
}
