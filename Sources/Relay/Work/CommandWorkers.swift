import BaseKit
import Glibc
import RelayRules
import SMPSession
import Synchronization

/// Threads that do what clients ask for, so that the event loops only move blocks and do small things: as many as there are
/// processors, and none while there is nothing to do.
final class CommandWorkers<Item: Sendable>: Sendable {
    /// What became of a piece of work.
    enum Outcome: Sendable {
        case finished
        /// There is more to do, after the others had their turn.
        case more(Item)
    }

    /// Who does a piece of work.
    enum Place: Sendable {
        /// A thread that is there for it.
        case worker
        /// The event loop of the session, which all its sessions wait for meanwhile.
        case eventLoop
    }

    /// How work is done.
    private final class Body: Sendable {
        let run: @Sendable (Item, Place) -> Outcome

        init(_ run: @escaping @Sendable (Item, Place) -> Outcome) { self.run = run }
    }

    /// Something to do, for one session.
    private struct Turn {
        let session: SessionNumber
        let item: Item
        /// Whether the session pays for the time it takes.
        let isCharged: Bool
    }

    private struct State {
        var schedule: WorkSchedule<Item>
        var active = 0
        /// What is to be done when sessions that ended during their work are over.
        var endings: [SessionNumber: @Sendable () -> Void] = [:]
    }

    private let threads: Int
    private let state: Lock<State>
    // Read for each piece of work, on any thread, so without a lock.
    private let body = AtomicLazyReference<Body>()

    init(limits: WorkLimits, threads: Int = max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))) {
        self.threads = threads
        state = Lock(State(schedule: WorkSchedule(limits: limits)))
    }

    /// Says how work is done; once, before anything else.
    func use(_ body: @escaping @Sendable (Item, Place) -> Outcome) { _ = self.body.storeIfNil(Body(body)) }

    func sessionStarted(_ session: SessionNumber, from origin: ConnectionOrigin?) {
        state.withLock { $0.schedule.start(session, from: origin, at: .now) }
    }

    /// Calls `action` when nothing is done for the session any more.
    func sessionEnded(_ session: SessionNumber, _ action: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            let isOver = state.schedule.end(session, at: .now)
            if !isOver { state.endings[session] = action }
            return isOver
        }
        if isOver { action() }
    }

    /// Has something done for a session, unless it is gone: after everything else, or before it.
    func add(_ item: Item, for session: SessionNumber, isNext: Bool = false) {
        change { $0.add(item, for: session, isNext: isNext) }
    }

    /// Does something for a session here and now, on its event loop, if nobody waits for a turn; has it done after everything else
    /// otherwise. To hand a small block over takes longer than to carry it out.
    func addOrDo(_ item: Item, for session: SessionNumber) {
        let turn = state.withLock { state in
            state.schedule.claim(session)
                ? Turn(session: session, item: item, isCharged: state.schedule.isCharged(session)) : nil
        }
        guard let turn else { return add(item, for: session) }
        perform(turn, at: .eventLoop)
    }

    /// Does nothing more for a session until as many calls of ``release(_:)`` have followed.
    func hold(_ session: SessionNumber) { state.withLock { $0.schedule.hold(session) } }

    /// Does nothing more for a session for a while.
    func hold(_ session: SessionNumber, for time: Duration) {
        hold(session)
        WorkerThreads.shared.run(after: time) { [self] in release(session) }
    }

    /// Undoes one call of ``hold(_:)``.
    func release(_ session: SessionNumber) { change { $0.release(session) } }

    /// Forgets addresses that owe nothing.
    ///
    /// - Returns: when there may be more of them, though nobody does anything; nil for never.
    func tidy(at now: Instant) -> Instant? { state.withLock { $0.schedule.tidy(at: now) } }

    private func change(_ body: (inout WorkSchedule<Item>) -> Void) {
        let starts = state.withLock { state in
            body(&state.schedule)
            return wantsThread(&state)
        }
        if starts { startThread() }
    }

    /// Another thread looks for work unless all do.
    private func wantsThread(_ state: inout State) -> Bool {
        guard state.active < threads, state.schedule.hasWork else { return false }
        state.active += 1
        return true
    }

    private func startThread() { WorkerThreads.shared.run { [self] in work() } }

    private func work() {
        while let turn = take() { perform(turn, at: .worker) }
    }

    private func perform(_ turn: Turn, at place: Place) {
        // Asking the kernel takes about as long as everything else here together.
        let begun = turn.isCharged ? Self.processorTime : .zero
        let outcome = body.load()?.run(turn.item, place) ?? .finished
        finish(turn, outcome, cost: turn.isCharged ? Self.processorTime - begun : .zero, at: place)
    }

    private func take() -> Turn? {
        state.withLock { state in
            guard let (session, item) = state.schedule.next() else {
                state.active -= 1
                return nil
            }
            return Turn(session: session, item: item, isCharged: state.schedule.isCharged(session))
        }
    }

    private func finish(_ turn: Turn, _ outcome: Outcome, cost: Duration, at place: Place) {
        let rest: Item? = if case .more(let item) = outcome { item } else { nil }
        typealias Following = (naps: [WorkSchedule<Item>.Nap], ending: (@Sendable () -> Void)?, startsThread: Bool)
        let following = state.withLock { state -> Following in
            let (naps, hasEnded) = state.schedule.done(turn.session, rest: rest, cost: cost, at: .now)
            let ending = hasEnded ? state.endings.removeValue(forKey: turn.session) : nil
            // A worker looks for more by itself.
            return (naps, ending, place == .eventLoop && wantsThread(&state))
        }
        following.ending?()
        if following.startsThread { startThread() }
        for nap in following.naps {
            WorkerThreads.shared.run(after: nap.time) { [self] in
                change { $0.wake(nap.sleeper, at: .now) }
            }
        }
    }

    /// How long this thread has run (clock_gettime(2)).
    private static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
