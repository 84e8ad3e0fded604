import BaseKit
import Signaling
import Synchronization
import TestSupport

@testable import Calling

/// A clock that moves only when told.
final class FakeClock: CallClock {
    private struct Sleeper {
        var due: Instant
        var duration: Duration
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = at(0)
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
        var count = 0
        var waiters: [(duration: Duration, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var now: Instant { state.withLock { $0.now } }
    func wallClock() -> Int64 { 1_000_000 + now.sinceStart.components.seconds }

    func sleep(for time: Duration) async throws {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (isCancelled, waiters) = state.withLock { state in
                    guard state.cancelled.remove(number) == nil else {
                        return (true, [CheckedContinuation<Void, Never>]())
                    }
                    state.sleepers[number] = Sleeper(
                        due: state.now + time, duration: time, continuation: continuation)
                    let ready = state.waiters.filter { $0.duration == time }.map(\.continuation)
                    state.waiters.removeAll { $0.duration == time }
                    return (false, ready)
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
                for waiter in waiters { waiter.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                let sleeper = state.sleepers.removeValue(forKey: number)
                if sleeper == nil { state.cancelled.insert(number) }
                return sleeper
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Waits until somebody sleeps for exactly this long.
    func waitForSleeper(_ time: Duration) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                let isThere = state.sleepers.values.contains { $0.duration == time }
                if !isThere { state.waiters.append((time, continuation)) }
                return isThere
            }
            if isThere { continuation.resume() }
        }
    }

    /// Lets time pass and wakes who is due.
    func advance(by time: Duration) {
        let due = state.withLock { state in
            state.now += time
            let due = state.sleepers.filter { $0.value.due <= state.now }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.sorted { $0.due < $1.due }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }
}

/// Keeps finished calls, and lets a test wait for them.
final class FakeLog: CallLogPort {
    let entries: AsyncStream<CallLogEntry>
    private let continuation: AsyncStream<CallLogEntry>.Continuation

    init() { (entries, continuation) = AsyncStream.makeStream() }

    func record(_ entry: CallLogEntry) async { continuation.yield(entry) }

    func next() async -> CallLogEntry? {
        for await entry in entries { return entry }
        return nil
    }
}

/// Keeps invitations, each state of them.
final class FakeKeeping: InvitationKeepingPort {
    private let states = Mutex<[[KeptInvitation]]>([])

    var all: [[KeptInvitation]] { states.withLock { $0 } }
    var last: [KeptInvitation] { all.last ?? [] }

    func keep(_ invitations: [KeptInvitation]) { states.withLock { $0.append(invitations) } }
}

/// Brings messages straight to another centre.
final class FakeSignaling: CallSignalingPort {
    struct Broken: Error {}

    private struct State {
        var sent: [CallMessage] = []
        var note: (@Sendable () -> [Bool])?
        var notes: [[Bool]] = []
        var isBroken = false
        var isHeld = false
        var held: [CheckedContinuation<Void, Never>] = []
        var own: CallCenter?
        var other: CallCenter?
    }

    private let name: ContactID
    private let state = Mutex(State())

    init(name: ContactID) { self.name = name }

    var sent: [CallMessage] { state.withLock { $0.sent } }

    /// What was looked at as each message was sent.
    var notes: [[Bool]] { state.withLock { $0.notes } }

    /// Looks at something each time a message is sent.
    func noting(_ note: @escaping @Sendable () -> [Bool]) { state.withLock { $0.note = note } }

    func connect(own: CallCenter, other: CallCenter?) {
        state.withLock {
            $0.own = own
            $0.other = other
        }
    }

    func breakDown() { state.withLock { $0.isBroken = true } }

    /// Lets messages wait until ``release()``.
    func hold() { state.withLock { $0.isHeld = true } }

    func release() {
        let held = state.withLock { state in
            defer { state.held = [] }
            state.isHeld = false
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    private func waitForRelease() async {
        await withCheckedContinuation { continuation in
            let isHeld = state.withLock { state in
                if state.isHeld { state.held.append(continuation) }
                return state.isHeld
            }
            if !isHeld { continuation.resume() }
        }
    }

    func send(_ message: CallMessage, to contact: ContactID) async throws {
        let (isBroken, own, other) = state.withLock { state in
            if !state.isBroken { state.sent.append(message) }
            if let note = state.note { state.notes.append(note()) }
            return (state.isBroken, state.own, state.other)
        }
        if isBroken { throw Broken() }
        await waitForRelease()
        if case .invitation(let id, _) = message { await own?.invitationTaken(id) }
        await other?.receive(message, from: name, brokerTime: 1_000_000)
    }
}

/// Sessions that connect as soon as the offerer has the answer of the other.
final class FakeMedia: CallMediaPort {
    struct Broken: Error {}

    private struct State {
        var sessions: [FakeSession] = []
        var isBroken = false
        var isHeld = false
        var held: [CheckedContinuation<Void, Never>] = []
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let exchange: FakeExchange
    private let state = Mutex(State())

    init(_ exchange: FakeExchange) { self.exchange = exchange }

    var sessions: [FakeSession] { state.withLock { $0.sessions } }

    func breakDown() { state.withLock { $0.isBroken = true } }

    /// Lets `open` wait until ``release()``.
    func hold() { state.withLock { $0.isHeld = true } }

    /// Waits until somebody is in `open`.
    func waitForHeld() async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.held.isEmpty { state.waiters.append(continuation) }
                return !state.held.isEmpty
            }
            if isThere { continuation.resume() }
        }
    }

    func release() {
        let held = state.withLock { state in
            defer { state.held = [] }
            state.isHeld = false
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    func open(_ plan: MediaPlan, for callID: CallID) async throws -> any CallMediaSession {
        if state.withLock({ $0.isHeld }) {
            await withCheckedContinuation { continuation in
                let waiters = state.withLock { state in
                    state.held.append(continuation)
                    defer { state.waiters = [] }
                    return state.waiters
                }
                for waiter in waiters { waiter.resume() }
            }
        }
        return try state.withLock { state in
            if state.isBroken { throw Broken() }
            let session = FakeSession(plan, callID, exchange)
            state.sessions.append(session)
            return session
        }
    }
}

/// Where sessions find each other by what is in their descriptions.
final class FakeExchange: Sendable {
    private let sessions = Mutex<[FakeSession]>([])

    func number(for session: FakeSession) -> String {
        sessions.withLock { sessions in
            sessions.append(session)
            return "\(sessions.count - 1)"
        }
    }

    func session(_ number: String) -> FakeSession? {
        sessions.withLock { sessions in
            Int(number).flatMap { sessions.indices.contains($0) ? sessions[$0] : nil }
        }
    }
}

final class FakeSession: CallMediaSession {
    let plan: MediaPlan
    let callID: CallID
    let events: AsyncStream<CallMediaEvent>
    private let continuation: AsyncStream<CallMediaEvent>.Continuation
    private let exchange: FakeExchange
    private let closedCount = Mutex(0)
    private let closing: AsyncStream<Void>
    private let closed: AsyncStream<Void>.Continuation
    private let added = Mutex<[ICECandidate]>([])
    private let holds = Mutex<[Bool]>([])

    init(_ plan: MediaPlan, _ callID: CallID, _ exchange: FakeExchange) {
        self.plan = plan
        self.callID = callID
        self.exchange = exchange
        (events, continuation) = AsyncStream.makeStream()
        (closing, closed) = AsyncStream.makeStream()
    }

    var timesClosed: Int { closedCount.withLock { $0 } }
    var candidates: [ICECandidate] { added.withLock { $0 } }
    /// How it was put on hold and resumed.
    var timesHeld: [Bool] { holds.withLock { $0 } }

    func waitUntilClosed() async { for await _ in closing { return } }

    func tell(_ event: CallMediaEvent) { continuation.yield(event) }

    func makeOffer() async throws -> (SessionDescription, [ICECandidate]) {
        (SessionDescription(kind: .offer, sdp: exchange.number(for: self)), [Samples.candidate(1)])
    }

    func makeAnswer(
        to offer: SessionDescription, candidates: [ICECandidate]
    ) async throws -> (SessionDescription, [ICECandidate]) {
        (SessionDescription(kind: .answer, sdp: exchange.number(for: self)), [Samples.candidate(2)])
    }

    func apply(answer: SessionDescription, candidates: [ICECandidate]) async throws {
        for session in [self, exchange.session(answer.sdp)].compactMap({ $0 }) {
            for event in [
                CallMediaEvent.iceConnected, .dtlsConnected, .fingerprintVerified,
                .peerMedia(microphone: true, camera: true), .firstVideoFrame,
            ] { session.tell(event) }
        }
    }

    func renewOffer(_ number: Int) async throws -> (SessionDescription, [ICECandidate]) {
        (SessionDescription(kind: .offer, sdp: exchange.number(for: self)), [])
    }

    func renewAnswer(
        _ number: Int, to offer: SessionDescription, candidates: [ICECandidate]
    ) async throws -> (SessionDescription, [ICECandidate]) {
        (SessionDescription(kind: .answer, sdp: exchange.number(for: self)), [])
    }

    func applyRenewal(_ number: Int, answer: SessionDescription, candidates: [ICECandidate]) async throws {}
    func add(_ candidates: [ICECandidate], renewal number: Int) async {}
    func abandonRenewal(_ number: Int) async {}

    func add(_ candidates: [ICECandidate]) async { added.withLock { $0 += candidates } }
    func setHeld(_ isHeld: Bool) async { holds.withLock { $0.append(isHeld) } }

    func close() async {
        closedCount.withLock { $0 += 1 }
        closed.yield()
        continuation.finish()
    }
}

/// One person with everything that belongs to it.
struct FakePerson {
    let center: CallCenter
    let signaling: FakeSignaling
    let media: FakeMedia
    let log = FakeLog()
    let keeping = FakeKeeping()

    init(_ name: ContactID, _ clock: FakeClock, _ exchange: FakeExchange) {
        signaling = FakeSignaling(name: name)
        media = FakeMedia(exchange)
        center = CallCenter(signaling: signaling, media: media, clock: clock, log: log, keeping: keeping)
    }

    /// The first update of any call for which this holds.
    func first(_ holds: @Sendable (CallUpdate) -> Bool) async -> CallUpdate? {
        for await update in center.updates where holds(update) { return update }
        return nil
    }

    /// The first update of a call for which this holds; nil when it ends without.
    func first(of callID: CallID, _ holds: @Sendable (CallUpdate) -> Bool) async -> CallUpdate? {
        for await update in center.updates(of: callID) where holds(update) { return update }
        return nil
    }

    func end(of callID: CallID) async -> CallUpdate? { await first(of: callID) { $0.endReason != nil } }
}

extension CallCenter {
    /// The updates of one call, beginning with its present state, also if it is over; finishes after the end.
    nonisolated func updates(of callID: CallID) -> AsyncStream<CallUpdate> {
        // Begun first, so that an end in between is in one of the two.
        let all = updates
        let (stream, continuation) = AsyncStream.makeStream(of: CallUpdate.self)
        if let last = update(of: callID), last.endReason != nil {
            continuation.yield(last)
            continuation.finish()
            return stream
        }
        let following = Task {
            for await update in all where update.callID == callID {
                continuation.yield(update)
                if update.endReason != nil { break }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in following.cancel() }
        return stream
    }
}

/// Two persons who can reach each other.
struct FakePair {
    let clock = FakeClock()
    let ada: FakePerson
    let bo: FakePerson

    init() {
        let exchange = FakeExchange()
        ada = FakePerson(Samples.ada, clock, exchange)
        bo = FakePerson(Samples.bo, clock, exchange)
        ada.signaling.connect(own: ada.center, other: bo.center)
        bo.signaling.connect(own: bo.center, other: ada.center)
    }

    /// Ada calls Bo and Bo accepts; returns when the call is on for both.
    func talk() async throws -> CallID {
        let callID = try await ada.center.dial(Samples.bo, media: .video)
        _ = await bo.first { $0.isRinging }
        try await bo.center.accept(callID, media: .video)
        for person in [ada, bo] { _ = await person.first(of: callID) { $0.setup.firstFrame != nil } }
        return callID
    }
}
