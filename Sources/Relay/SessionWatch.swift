import SMPTransport
import Synchronization

/// One session as the relay's service sees it: what it waits for, what it cost, when it last spoke.
final class SessionWatch: Sendable {
    private struct State {
        var unanswered = 0
        var isHeld = false
        var budget: RefusalBudget
        var lastHeard: Double
    }

    /// Blocks of one session whose answers wait for the disk; the session is not read from beyond that.
    static let maximumUnanswered = 64

    let session: ServerSession
    private let state: Mutex<State>

    init(_ session: ServerSession, at time: Double) {
        self.session = session
        state = Mutex(State(budget: RefusalBudget(time: time), lastHeard: time))
    }

    /// When the client last sent a block, in seconds of the relay's steady clock.
    var lastHeard: Double { state.withLock { $0.lastHeard } }

    /// A block was taken; `refusals` of its commands failed their authorisation. Runs on the session's event loop.
    func took(refusals: Int, at time: Double) {
        let (holds, delay) = state.withLock { state in
            state.lastHeard = time
            state.unanswered += 1
            let holds = state.unanswered >= Self.maximumUnanswered && !state.isHeld
            if holds { state.isHeld = true }
            return (holds, state.budget.spend(refusals, at: time))
        }
        if holds { session.hold() }
        if delay > 0 { session.hold(for: .milliseconds(Int64(delay * 1_000))) }
    }

    /// The answers to a block have left.
    func answered() {
        let releases = state.withLock { state in
            state.unanswered -= 1
            guard state.isHeld, state.unanswered < Self.maximumUnanswered else { return false }
            state.isHeld = false
            return true
        }
        if releases { session.release() }
    }
}
