import BaseKit
import Synchronization

/// Has a relay look after itself when its plan says so, and sleeps until then.
final class Housekeeper: Sendable {
    typealias Work = @Sendable (HousekeepingPlan.Duties) -> HousekeepingPlan.Rest

    private struct State {
        var plan: HousekeepingPlan
        var work: Work?
        var timer: Task<Void, Never>?
        /// When the timer goes off.
        var armed: Instant?
        var isTurning = false
        var turns = 0
    }

    private let state: Lock<State>
    /// Whether a turn follows in any case: looked at for each block, so without a lock.
    private let isExpected = Atomic(false)

    init(tidyInterval: Duration = .seconds(60), sweepInterval: Duration = .seconds(2 * 3_600)) {
        state = Lock(
            State(plan: HousekeepingPlan(tidyInterval: tidyInterval, sweepInterval: sweepInterval)))
    }

    /// How often something was done.
    var turns: Int { state.withLock { $0.turns } }

    /// When the relay is woken up next; nil for never, as far as is known.
    var due: Instant? { state.withLock { $0.isTurning ? .now : $0.armed } }

    /// Has `work` done from now on, first for what an earlier run has left.
    func start(_ work: @escaping Work) {
        state.withLock { $0.work = work }
        isExpected.store(false, ordering: .relaxed)
        changed()
    }

    /// Does nothing any more.
    func stop() {
        state.withLock { state in
            state.timer?.cancel()
            (state.work, state.timer, state.armed) = (nil, nil, nil)
        }
    }

    /// Something was changed.
    func changed() {
        guard !isExpected.load(ordering: .relaxed), !isExpected.exchange(true, ordering: .acquiringAndReleasing)
        else { return }
        state.withLock { state in
            state.plan.changed(at: .now)
            arm(&state)
        }
    }

    /// Something will have to be forgotten or closed then.
    func expect(_ time: Instant) {
        state.withLock { state in
            state.plan.expect(time)
            arm(&state)
        }
    }

    private func arm(_ state: inout State) {
        guard state.work != nil, !state.isTurning, let due = state.plan.due else { return }
        if let armed = state.armed, armed <= due { return }
        state.timer?.cancel()
        state.armed = due
        state.timer = Task { [weak self] in
            guard (try? await Task.sleep(for: due - .now)) != nil else { return }
            self?.turn(due)
        }
    }

    private func turn(_ due: Instant) {
        let turn = state.withLock { state -> (work: Work, duties: HousekeepingPlan.Duties)? in
            guard state.armed == due, let work = state.work else { return nil }
            (state.armed, state.timer) = (nil, nil)
            let duties = state.plan.begin(at: .now)
            guard duties != .init() else {
                arm(&state)
                return nil
            }
            state.isTurning = true
            state.turns += 1
            // What changes from here on is looked after in another turn.
            if duties.tidies { isExpected.store(false, ordering: .relaxed) }
            return (work, duties)
        }
        guard let turn else { return }
        let rest = turn.work(turn.duties)
        state.withLock { state in
            state.isTurning = false
            state.plan.end(rest, at: .now)
            arm(&state)
        }
    }
}
