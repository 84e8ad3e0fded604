import SMPTransport
import Synchronization

/// One session as the relay's service sees it: what it waits for, what it cost, when it last spoke.
final class SessionWatch: Sendable {
    private struct State {
        var unanswered = 0
        var isHeld = false
        /// Blocks that wait for their turn.
        var waiting = 0
        var isPaused = false
        var budget: RefusalBudget
        var lastHeard: Double
    }

    /// Blocks of one session whose answers wait for the disk; the session is not read from beyond that.
    static let maximumUnanswered = 64

    /// Blocks of one session that wait for their turn; the session is not read from beyond that.
    static let maximumWaiting = 8

    let session: ServerSession
    private let state: Mutex<State>

    init(_ session: ServerSession, at time: Double) {
        self.session = session
        state = Mutex(State(budget: RefusalBudget(time: time), lastHeard: time))
    }

    /// When the client last sent a block, in seconds of the relay's steady clock.
    var lastHeard: Double { state.withLock { $0.lastHeard } }

    /// A block came, and waits for its turn. Runs on the session's event loop.
    func heard(at time: Double) {
        let pauses = state.withLock { state in
            state.lastHeard = time
            state.waiting += 1
            guard state.waiting >= Self.maximumWaiting, !state.isPaused else { return false }
            state.isPaused = true
            return true
        }
        if pauses { session.hold() }
    }

    /// A block's turn has come.
    func begin() {
        let goesOn = state.withLock { state in
            state.waiting -= 1
            guard state.isPaused, state.waiting < Self.maximumWaiting else { return false }
            state.isPaused = false
            return true
        }
        if goesOn { session.release() }
    }

    /// The commands of a block were carried out; `refusals` of them failed their authorisation.
    func took(refusals: Int, at time: Double) {
        let (holds, delay) = state.withLock { state in
            state.unanswered += 1
            let holds = state.unanswered >= Self.maximumUnanswered && !state.isHeld
            if holds { state.isHeld = true }
            return (holds, state.budget.spend(refusals, at: time))
        }
        if holds { session.hold() }
        if delay > 0 { session.hold(for: .milliseconds(Int64(delay * 1_000))) }
    }

    /// Whether answers wait for the disk.
    var hasUnanswered: Bool { state.withLock { $0.unanswered > 0 } }

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
