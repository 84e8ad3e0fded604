/// The rules by which messages leave on one send queue: in order, one in flight, repeated until accepted or hopeless.
///
/// Pure: no clock, no socket. Times are milliseconds since 1970, jitter is 0 … 1; both come from the caller.
/// Agent fact sheet §9.
struct DeliveryMachine: Equatable, Sendable {
    /// What may leave now; set by the handshake.
    enum Gate: Equatable, Sendable {
        /// The queue is not ready for anything.
        case closed
        /// Only the handshake's own messages may leave, before any other.
        case handshakeOnly
        /// Everything may leave.
        case open
    }

    /// What a message is, as far as delivery cares.
    enum Kind: Equatable, Sendable {
        case confirmation
        case hello
        /// Keys of a new ratchet, or the note that it is ready.
        case ratchetKey
        case message

        var belongsToHandshake: Bool { self != .message }
    }

    /// One message waiting for its turn.
    struct Entry: Equatable, Sendable {
        var id: Int64
        var kind: Kind
        var createdAt: Int64
        /// Whether the ratchet has encrypted it: it goes before anything that changes the ratchet.
        var isSealed = false
    }

    /// What the caller has to do.
    enum Action: Equatable, Sendable {
        /// Send this message and report `accepted` or `failed`.
        case transmit(Int64)
        /// Call `wake` at this time.
        case wake(at: Int64)
        /// This message will never arrive; forget and report it.
        case giveUp(Int64, DeliveryFailure)
    }

    private enum Reason: Equatable {
        case unreachable
        case full
    }

    private struct Attempts: Equatable {
        var unreachable = 0
        var full = 0
    }

    private enum State: Equatable {
        case idle
        /// `continued`: the peer said that its queue has room while the attempt was under way.
        case inFlight(Entry, Attempts, continued: Bool)
        case waiting(Entry, Attempts, until: Int64, Reason)
        case closed
    }

    private var state = State.idle
    private(set) var gate: Gate
    private var queue: [Entry] = []

    /// A queue with nothing to send.
    init(gate: Gate = .closed) {
        self.gate = gate
    }

    /// Messages not yet accepted or given up, the one in flight included.
    var pendingCount: Int {
        switch state {
        case .inFlight, .waiting: queue.count + 1
        case .idle, .closed: queue.count
        }
    }

    /// Whether it waits for the relay to be in reach again.
    var waitsForRelay: Bool {
        if case .waiting(_, _, _, .unreachable) = state { true } else { false }
    }

    // MARK: Events from this side

    /// A message was stored and wants to leave.
    mutating func enqueue(_ entry: Entry) -> [Action] {
        if case .closed = state { return [] }
        queue.append(entry)
        return next()
    }

    /// The handshake got further.
    mutating func setGate(_ gate: Gate) -> [Action] {
        self.gate = gate
        return next()
    }

    /// Nothing more will be sent; what waits is forgotten without report.
    mutating func close() {
        state = .closed
        queue = []
    }

    // MARK: Events from the relay

    /// The relay answered OK.
    mutating func accepted(_ id: Int64) -> [Action] {
        guard case .inFlight(let entry, _, _) = state, entry.id == id else { return [] }
        state = .idle
        return next()
    }

    /// The attempt failed.
    mutating func failed(_ id: Int64, _ failure: DeliveryFailure, now: Int64, jitter: Double) -> [Action] {
        guard case .inFlight(let entry, var attempts, let continued) = state, entry.id == id else { return [] }
        switch failure {
        case .unreachable:
            attempts.unreachable += 1
            let schedule = RetrySchedule.unreachable
            guard now - entry.createdAt < schedule.patience else { return giveUp(entry, failure) }
            let until =
                now
                + schedule.delay(
                    afterFailures: attempts.unreachable, age: now - entry.createdAt, jitter: jitter)
            return wait(entry, attempts, until: until, .unreachable)
        case .full:
            attempts.full += 1
            let schedule = RetrySchedule.full
            guard entry.kind != .confirmation, now - entry.createdAt < schedule.patience else {
                return giveUp(entry, failure)
            }
            if continued { return transmit(entry, attempts) }
            let until =
                now
                + schedule.delay(
                    afterFailures: attempts.full, age: now - entry.createdAt, jitter: jitter)
            return wait(entry, attempts, until: until, .full)
        case .postponed:
            return postponed(id)
        case .refused, .unroutable, .rejected:
            return giveUp(entry, failure)
        }
    }

    /// The message in flight was not sent because its time has not come: it keeps its place.
    mutating func postponed(_ id: Int64) -> [Action] {
        guard case .inFlight(let entry, _, _) = state, entry.id == id else { return [] }
        state = .idle
        queue.insert(entry, at: 0)
        return next()
    }

    /// The connection to the relay is back.
    mutating func reachable() -> [Action] {
        guard case .waiting(let entry, var attempts, _, .unreachable) = state else { return [] }
        attempts.unreachable = 0
        return transmit(entry, attempts)
    }

    /// The peer emptied its queue and asks to continue (`QC`).
    mutating func continued() -> [Action] {
        switch state {
        case .waiting(let entry, var attempts, _, .full):
            attempts.full = 0
            return transmit(entry, attempts)
        case .inFlight(let entry, let attempts, _):
            state = .inFlight(entry, attempts, continued: true)
            return []
        case .waiting(_, _, _, .unreachable), .idle, .closed:
            return []
        }
    }

    // MARK: Events from the clock

    /// The time asked for by `Action.wake` may have come; early and stale calls do nothing.
    mutating func wake(now: Int64) -> [Action] {
        guard case .waiting(let entry, let attempts, let until, _) = state, now >= until else { return [] }
        return transmit(entry, attempts)
    }

    // MARK: Steps

    private mutating func next() -> [Action] {
        guard case .idle = state else { return [] }
        // A sealed message has its number already: nothing may be numbered and leave before it.
        let sealed = queue.firstIndex { $0.isSealed }
        let index: Int?
        switch gate {
        case .closed: index = nil
        case .handshakeOnly: index = sealed ?? queue.firstIndex { $0.kind.belongsToHandshake }
        case .open: index = sealed ?? queue.indices.first
        }
        guard let index else { return [] }
        return transmit(queue.remove(at: index), Attempts())
    }

    private mutating func transmit(_ entry: Entry, _ attempts: Attempts) -> [Action] {
        state = .inFlight(entry, attempts, continued: false)
        return [.transmit(entry.id)]
    }

    private mutating func wait(
        _ entry: Entry, _ attempts: Attempts, until: Int64, _ reason: Reason
    ) -> [Action] {
        state = .waiting(entry, attempts, until: until, reason)
        return [.wake(at: until)]
    }

    private mutating func giveUp(_ entry: Entry, _ failure: DeliveryFailure) -> [Action] {
        state = .idle
        return [.giveUp(entry.id, failure)] + next()
    }
}
