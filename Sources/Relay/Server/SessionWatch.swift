import BaseKit
import SMP
import SMPTransport

/// One session as the relay's service sees it: what it waits for, what it cost, when it last spoke.
final class SessionWatch: Sendable {
    private struct Event {
        let make: @Sendable () -> [[UInt8]]
        /// Counts what it holds meanwhile.
        let reserve: OutputReserve
    }

    private struct State {
        var unanswered = 0
        var isHeld = false
        /// Blocks that wait for their turn.
        var waiting = 0
        var hasEnded = false
        var isPaused = false
        /// Commands of a block are being carried out.
        var isWorking = false
        /// Events that follow their answers.
        var events: [Event] = []
        var budget: RefusalBudget
        var lastHeard: Instant
    }

    /// Blocks of one session whose answers wait for the disk; the session is not read from beyond that.
    static let maximumUnanswered = 64

    let session: ServerSession
    private let input: InputGauge
    private let state: Lock<State>

    /// - Parameter input: counts the blocks of all sessions that wait for their turn.
    init(_ session: ServerSession, input: InputGauge, at time: Instant) {
        self.session = session
        self.input = input
        state = Lock(State(budget: RefusalBudget(time: time), lastHeard: time))
    }

    /// When the client last sent a block.
    var lastHeard: Instant { state.withLock { $0.lastHeard } }

    /// A block came, and waits for its turn. Runs on the session's event loop.
    func heard(at time: Instant) {
        let room = input.add()
        let pauses = state.withLock { state in
            state.lastHeard = time
            state.waiting += 1
            guard state.waiting >= room, !state.isPaused else { return false }
            state.isPaused = true
            return true
        }
        if pauses { session.hold() }
    }

    /// A block's turn has come.
    func begin() {
        let room = input.room
        let (isCounted, goesOn) = state.withLock { state in
            guard !state.hasEnded else { return (false, false) }
            state.waiting -= 1
            guard state.isPaused, state.waiting < room else { return (true, false) }
            state.isPaused = false
            return (true, true)
        }
        if isCounted { input.remove(1) }
        if goesOn { session.release() }
    }

    /// The session is gone, and with it what waited.
    func ended() {
        let waiting = state.withLock { state in
            defer { (state.hasEnded, state.waiting, state.events) = (true, 0, []) }
            return state.waiting
        }
        input.remove(waiting)
    }

    /// The commands of a block were carried out; `refusals` of them failed their authorisation.
    func took(refusals: Int, at time: Instant) {
        let (holds, delay) = state.withLock { state in
            state.unanswered += 1
            let holds = state.unanswered >= Self.maximumUnanswered && !state.isHeld
            if holds { state.isHeld = true }
            return (holds, state.budget.spend(refusals, at: time))
        }
        if holds { session.hold() }
        if delay > .zero { session.hold(for: delay) }
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
        for event in events {
            event.reserve.release()
            session.send(making: event.make)
        }
    }

    /// Sends an event that `make` makes; a client hears of what its command led to after the command's answer.
    func send(event make: @escaping @Sendable () -> [[UInt8]]) {
        guard state.withLock({ $0.isWorking }) else { return session.send(making: make) }
        let reserve = session.reserve(SMPLimits.block)
        let isNow = state.withLock { state in
            guard !state.hasEnded else { return false }
            if state.isWorking { state.events.append(Event(make: make, reserve: reserve)) }
            return !state.isWorking
        }
        guard isNow else { return }
        reserve.release()
        session.send(making: make)
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
