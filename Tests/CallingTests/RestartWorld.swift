import BaseKit
import Signaling
import TestSupport

@testable import Calling

/// A callee whose process dies and is started again at any moment, in simulated time, with all chance from one seed. What it has on
/// disk, what waits at the relay and what its person sees outlive the process; everything else goes with it.
struct RestartWorld {
    /// What a person gets to know of the call.
    enum Outcome: Hashable {
        case missed, accepted, declined, lost
    }

    private enum Happening {
        case send(CallMessage)
        case decide
        case die
        case live
        case read
        case fire(number: Int)
        case write(life: Int)
    }

    private(set) var outcomes: [Outcome] = []
    private(set) var faults: [String] = []
    private(set) var rung = Duration.zero
    private(set) var ringCount = 0
    private(set) var deaths = 0
    /// What the caller was told.
    private(set) var told: [CallMessage] = []

    private var generator: SeededGenerator
    private var board: CallSwitchboard?
    private var life = 0
    private var stored: [KeptInvitation] = []
    /// Messages that the relay holds: each waits until it is acknowledged.
    private var mailbox: [(message: CallMessage, sentAt: Int64)] = []
    private var timer: Int?
    private var ringingSince: Instant?
    private var hasCaughtUp = false
    /// Whether what settles the call is on disk.
    private var isSettled = false
    private var queue = EventQueue<Happening>()

    private let id = Samples.middle
    private var now: Instant { queue.now }
    private var seconds: Int64 { 1_000_000 + now.sinceStart.components.seconds }

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        schedule(.live, after: .zero)
        schedule(.send(.invitation(id, Samples.invitation())), after: delay(0...5_000))
        // The caller gives up after a minute, or earlier, or dies itself and never says so.
        if chance(80) { schedule(.send(.end(id)), after: chance(50) ? .seconds(66) : delay(5_000...66_000)) }
        for _ in 0..<Int.random(in: 1...5, using: &generator) { schedule(.die, after: delay(0...80_000)) }
        // Close to what happens at the beginning, too.
        if chance(50) { schedule(.die, after: delay(0...6_000)) }
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }
    private mutating func delay(_ milliseconds: ClosedRange<Int>) -> Duration {
        .milliseconds(Int.random(in: milliseconds, using: &generator))
    }

    private mutating func schedule(_ happening: Happening, after delay: Duration) {
        queue.schedule(happening, after: delay)
    }

    /// Lets everything happen that is to happen.
    mutating func run() {
        var steps = 0
        while let next = queue.next() {
            happen(next)
            steps += 1
            if steps > 1_000 { return faults.append("does not come to rest") }
        }
        if board?.calls.isEmpty != true { faults.append("a call is left") }
        if !stored.isEmpty { faults.append("an invitation is left in the store") }
        if !mailbox.isEmpty { faults.append("a message is left at the relay") }
    }

    private mutating func happen(_ happening: Happening) {
        switch happening {
        case .send(let message):
            mailbox.append((message, seconds))
            if board != nil { schedule(.read, after: delay(1...200)) }
        case .read: read()
        case .decide: decide()
        case .die: die()
        case .live: live()
        case .fire(let number):
            guard timer == number, board != nil else { return }
            timer = nil
            act { board, now, _ in board.handle(.clock(.ringLimit), for: Samples.middle, at: now) }
        case .write(let life):
            guard life == self.life, board != nil else { return }
            write()
        }
    }

    // MARK: The process

    private mutating func die() {
        guard board != nil else { return }
        deaths += 1
        stopRinging()
        board = nil
        timer = nil
        schedule(.live, after: chance(70) ? delay(0...20_000) : delay(0...300_000))
    }

    private mutating func live() {
        guard board == nil else { return }
        life += 1
        hasCaughtUp = false
        board = CallSwitchboard()
        let stored = stored
        act { board, now, seconds in board.restore(stored, at: now, wallClock: seconds) }
        schedule(.read, after: delay(1...3_000))
    }

    /// The relay gives one message; it is acknowledged together with what has become of invitations by it.
    private mutating func read() {
        guard board != nil else { return }
        guard let next = mailbox.first else {
            hasCaughtUp = true
            return act { board, now, seconds in board.caughtUp(with: Samples.ada, at: now, wallClock: seconds) }
        }
        let isLive = hasCaughtUp
        act { board, now, seconds in
            board.receive(
                next.message, from: Samples.ada, sentAt: next.sentAt, isLive: isLive, at: now, wallClock: seconds)
        }
        // It dies before that is on disk.
        if chance(5) { return die() }
        write()
        mailbox.removeFirst()
        schedule(.read, after: delay(1...200))
    }

    private mutating func decide() {
        guard let board, board.calls[id]?.update.isRinging == true else { return }
        if chance(50) {
            act { board, now, _ in board.handle(Samples.accept(), for: Samples.middle, at: now) }
            // It is on for a while.
            schedule(.send(.end(id)), after: delay(1_000...60_000))
        } else {
            act { board, now, _ in board.handle(.person(.decline), for: Samples.middle, at: now) }
        }
    }

    private mutating func write() {
        stored = board?.kept ?? stored
        // What was told to nobody is not settled: who accepts or declines as the process dies is asked again.
        if ringCount > 0, stored.allSatisfy(\.isAccepted) { isSettled = true }
    }

    // MARK: What it does

    private mutating func act(
        _ step: (inout CallSwitchboard, Instant, Int64) -> [CallAction]
    ) {
        guard var board else { return }
        let actions = step(&board, now, seconds)
        self.board = board
        if board.kept != stored { schedule(.write(life: life), after: delay(0...50)) }
        for action in actions { perform(action.effect) }
        let rings = board.calls[id]?.update.isRinging == true
        if rings, ringingSince == nil { beginToRing() }
        if !rings { stopRinging() }
    }

    private mutating func perform(_ effect: CallEffect) {
        switch effect {
        case .startTimer(.ringLimit, let time):
            let number = queue.number()
            timer = number
            schedule(.fire(number: number), after: time)
        case .stopTimer(.ringLimit): timer = nil
        case .send(let message):
            // A message leaves when what it follows from is on disk.
            write()
            told.append(message)
        case .openMedia: outcomes.append(.accepted)
        case .record(let entry):
            switch entry.reason {
            case .missed: outcomes.append(.missed)
            case .declined: outcomes.append(.declined)
            case .connectionLost: outcomes.append(.lost)
            case .peerHungUp, .hungUp, .connectTimeout: break
            default: faults.append("ended as \(entry.reason)")
            }
        case .startTimer, .stopTimer, .media, .closeMedia, .finished: break
        }
    }

    private mutating func beginToRing() {
        if isSettled { faults.append("rings after it was settled") }
        ringCount += 1
        ringingSince = now
        if chance(40) { schedule(.decide, after: delay(100...30_000)) }
    }

    private mutating func stopRinging() {
        rung = rung + (ringingSince.map { now - $0 } ?? .zero)
        ringingSince = nil
    }
}
