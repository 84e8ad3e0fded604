import BaseKit
import DequeModule
import RelayRules
import SMPSession

/// Whose work is done next. Addresses take turns, and so do the sessions of one address, so that nobody waits for more than
/// one slice of everybody else; each has an account of processor time, and sleeps while it is overdrawn.
///
/// It does no I/O. All work of one session is done one piece after the other.
struct WorkSchedule<Item: Sendable>: Sendable {
    /// Who sleeps, until its owner calls ``wake(_:)``.
    enum Sleeper: Hashable, Sendable {
        case session(SessionNumber)
        case address(ConnectionOrigin)
    }

    struct Nap: Equatable, Sendable {
        let sleeper: Sleeper
        let time: Duration
    }

    private struct Session {
        let origin: ConnectionOrigin?
        var items: Deque<Item> = []
        var account: WorkAccount
        /// Reasons not to go on at present.
        var holds = 0
        var isRunning = false
        /// It stands in its lane's line.
        var isQueued = false
        var hasEnded = false

        /// Nothing is done for it, or to be done, and nothing keeps it from going on.
        var isIdle: Bool { !isRunning && !hasEnded && holds == 0 && items.isEmpty }
    }

    private struct Lane {
        var line: Deque<SessionNumber> = []
        var account: WorkAccount
        var isAsleep = false
        /// It stands in the line of lanes.
        var isQueued = false
        var sessions = 0
    }

    private let limits: WorkLimits
    private var sessions: [SessionNumber: Session] = [:]
    private var lanes: [ConnectionOrigin?: Lane] = [:]
    private var turns: Deque<ConnectionOrigin?> = []

    init(limits: WorkLimits) { self.limits = limits }

    /// How many addresses are remembered: those with sessions, and those that have not paid yet.
    var laneCount: Int { lanes.count }

    /// Whether ``next()`` may have an answer.
    var hasWork: Bool { !turns.isEmpty }

    /// A session is there.
    mutating func start(_ session: SessionNumber, from origin: ConnectionOrigin?, at now: Instant) {
        sessions[session] = Session(
            origin: origin,
            account: WorkAccount(capacity: limits.sessionCapacity, rate: limits.sessionRate, at: now))
        let lane = newLane(now)
        lanes[origin, default: lane].sessions += 1
    }

    /// There is something to do for a session, if it is still there: after everything else, or before it.
    mutating func add(_ item: Item, for session: SessionNumber, isNext: Bool = false) {
        guard sessions[session]?.hasEnded == false else { return }
        if isNext { sessions[session]?.items.prepend(item) } else { sessions[session]?.items.append(item) }
        queue(session)
    }

    /// Whether something may be done for a session at once: nobody waits for a turn, and nothing else is done or to be done for it. The
    /// session does nothing else then until ``done(_:rest:cost:at:)``.
    mutating func claim(_ session: SessionNumber) -> Bool {
        guard turns.isEmpty, let index = sessions.index(forKey: session), sessions.values[index].isIdle,
            lanes[sessions.values[index].origin]?.isAsleep == false
        else { return false }
        sessions.values[index].isRunning = true
        return true
    }

    /// Whether somebody owes what is done for a session, so that it has to be known what it cost.
    func isCharged(_ session: SessionNumber) -> Bool { sessions[session]?.origin != nil }

    /// What to do next; its session does nothing else until ``done(_:rest:cost:at:)``.
    mutating func next() -> (session: SessionNumber, item: Item)? {
        while let origin = turns.popFirst() {
            lanes[origin]?.isQueued = false
            guard lanes[origin]?.isAsleep == false else { continue }
            while let number = lanes[origin]?.line.popFirst() {
                sessions[number]?.isQueued = false
                guard sessions[number]?.holds == 0, let item = sessions[number]?.items.popFirst() else { continue }
                sessions[number]?.isRunning = true
                queue(lane: origin)
                return (number, item)
            }
        }
        return nil
    }

    /// Something was done, at a cost of processor time.
    ///
    /// - Parameter rest: what is left of it, to be gone on with first.
    /// - Returns: who has to be woken when; and whether the session ended in the meantime, which ends it for good.
    mutating func done(
        _ session: SessionNumber, rest: Item?, cost: Duration, at now: Instant
    ) -> (naps: [Nap], hasEnded: Bool) {
        guard let index = sessions.index(forKey: session) else { return ([], false) }
        sessions.values[index].isRunning = false
        let naps = sessions.values[index].origin.map { charge(session, from: $0, cost, now) } ?? []
        if sessions.values[index].hasEnded {
            remove(session, now)
            return (naps.filter { $0.sleeper != .session(session) }, true)
        }
        if let rest { sessions.values[index].items.prepend(rest) }
        if !sessions.values[index].items.isEmpty { queue(session) }
        return (naps, false)
    }

    /// Does nothing for a session until as many calls of ``release(_:)`` have followed.
    mutating func hold(_ session: SessionNumber) { sessions[session]?.holds += 1 }

    /// Undoes one call of ``hold(_:)``.
    mutating func release(_ session: SessionNumber) {
        guard let holds = sessions[session]?.holds, holds > 0 else { return }
        sessions[session]?.holds = holds - 1
        queue(session)
    }

    /// Somebody's time is over.
    mutating func wake(_ sleeper: Sleeper, at now: Instant) {
        switch sleeper {
        case .session(let session): release(session)
        case .address(let origin):
            lanes[origin]?.isAsleep = false
            forget(lane: origin, now)
            queue(lane: origin)
        }
    }

    /// A session is gone, and with it what was to be done for it.
    ///
    /// - Returns: whether it is over now; otherwise ``done(_:rest:cost:at:)`` will say so.
    mutating func end(_ session: SessionNumber, at now: Instant) -> Bool {
        guard let isRunning = sessions[session]?.isRunning else { return true }
        sessions[session]?.items = []
        sessions[session]?.hasEnded = true
        if !isRunning { remove(session, now) }
        return !isRunning
    }

    // MARK: Lines

    private func newLane(_ now: Instant) -> Lane {
        Lane(account: WorkAccount(capacity: limits.addressCapacity, rate: limits.addressRate, at: now))
    }

    private mutating func queue(_ number: SessionNumber) {
        guard let session = sessions[number], session.holds == 0, !session.items.isEmpty, !session.isRunning,
            !session.isQueued
        else { return }
        sessions[number]?.isQueued = true
        lanes[session.origin]?.line.append(number)
        queue(lane: session.origin)
    }

    private mutating func queue(lane origin: ConnectionOrigin?) {
        guard let lane = lanes[origin], !lane.isQueued, !lane.isAsleep, !lane.line.isEmpty else { return }
        lanes[origin]?.isQueued = true
        turns.append(origin)
    }

    private mutating func charge(
        _ number: SessionNumber, from origin: ConnectionOrigin, _ cost: Duration, _ now: Instant
    ) -> [Nap] {
        var naps: [Nap] = []
        if let time = sessions[number]?.account.spend(cost, at: now), time > .zero {
            sessions[number]?.holds += 1
            naps.append(Nap(sleeper: .session(number), time: time))
        }
        if let time = lanes[origin]?.account.spend(cost, at: now), time > .zero, lanes[origin]?.isAsleep == false {
            lanes[origin]?.isAsleep = true
            naps.append(Nap(sleeper: .address(origin), time: time))
        }
        return naps
    }

    private mutating func remove(_ number: SessionNumber, _ now: Instant) {
        guard let session = sessions.removeValue(forKey: number) else { return }
        lanes[session.origin]?.sessions -= 1
        if let origin = session.origin {
            // Who owes something is remembered until it is paid: a new connection is no way around it.
            if lanes[origin]?.isAsleep == false { forget(lane: origin, now) }
        } else if lanes[nil]?.sessions == 0 {
            lanes[nil] = nil
        }
    }

    private mutating func forget(lane origin: ConnectionOrigin, _ now: Instant) {
        guard lanes[origin]?.sessions == 0 else { return }
        if lanes[origin]?.account.isFull(at: now) == true { lanes[origin] = nil }
    }

    /// Forgets addresses without sessions that have everything saved up again.
    ///
    /// - Returns: when others of them will have; nil where there are none.
    @discardableResult
    mutating func tidy(at now: Instant) -> Instant? {
        for case let origin? in Array(lanes.keys) where lanes[origin]?.isAsleep == false {
            forget(lane: origin, now)
        }
        return lanes.values.filter { $0.sessions == 0 }.map { $0.account.fullAgain(at: now) }.min()
    }
}
