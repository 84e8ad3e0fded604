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
        /// Commands of a block are being carried out.
        var isWorking = false
        /// Events that follow their answers.
        var events: [@Sendable () -> [[UInt8]]] = []
        var budget: RefusalBudget
        var lastHeard: Double
    }

    /// Blocks of one session whose answers wait for the disk; the session is not read from beyond that.
    static let maximumUnanswered = 64

    /// Blocks of one session that wait for their turn; the session is not read from beyond that.
    static let maximumWaiting = 8

    /// Events that wait for the answers of a block whose turn takes long; the session is closed beyond that.
    static let maximumEvents = 512

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

    /// Commands are carried out from now on: events follow their answers.
    func startWork() { state.withLock { $0.isWorking = true } }

    /// The answers have left, or wait for the disk.
    func endWork() {
        let events = state.withLock { state in
            defer { state.events = [] }
            state.isWorking = false
            return state.events
        }
        for make in events { session.send(making: make) }
    }

    /// Sends an event that `make` makes; a client hears of what its command led to after the command's answer.
    func send(event make: @escaping @Sendable () -> [[UInt8]]) {
        let (isNow, isTooMuch) = state.withLock { state in
            guard state.isWorking else { return (true, false) }
            state.events.append(make)
            return (false, state.events.count > Self.maximumEvents)
        }
        if isNow { session.send(making: make) }
        if isTooMuch { session.close() }
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
