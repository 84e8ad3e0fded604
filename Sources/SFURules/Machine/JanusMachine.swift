import BaseKit
import Signaling

/// The client of a Janus server's videoroom plugin: what is to be sent, and what comes of what is received.
///
/// A value without input and output: time is an argument, and what is to be done is answered as effects. It has one session at a time. A
/// connection that is lost is made again, and the session claimed; where the server has forgotten it, there is a new one. Nothing
/// that a server says traps: what is not understood is counted and passed over.
package struct JanusMachine: Sendable {
    package enum Effect: Sendable, Equatable {
        /// A connection is to be made; what becomes of it are `connected` and `disconnected`.
        case connect
        /// The connection is to be closed, also while it is being made. Nothing more is expected of it.
        case disconnect
        case send([UInt8])
        /// The connection that was asked for is there, or is not to be had.
        case ready(Result<SFUServerInfo, SFUError>)
        case settle(Int, Result<JanusAnswer, SFUError>)
        case event(SFUEvent)
    }

    /// How long an answer may take, and a connection until there is a session.
    package static let patience: Duration = .seconds(10)
    /// The session of a connection that has gone lasts `reclaim_session_timeout` (20 s), which Janus counts from the last request before that:
    /// what is left of it is the time for finding out and for coming back.
    package static let keepAliveInterval: Duration = .seconds(5)
    /// The same where the network has changed, and the connection may lead nowhere.
    static let doubtfulPatience: Duration = .seconds(3)
    /// Who is told that a room is destroyed still has its connection closed by Janus 1.1.2, which does not survive that the handle goes meanwhile.
    static let idleness: Duration = .seconds(1)
    /// The most commands that wait for a connection, and for their answers.
    static let maximumWaiting = 128

    enum State: Sendable, Equatable {
        case idle
        /// The connection is being made.
        case connecting(until: Instant)
        /// There is one, but no session yet, or it is not claimed yet.
        case settingUp
        case on
        /// Until the next attempt.
        case waiting(until: Instant)
        case ended(SFUError)
    }

    struct Waiting: Sendable {
        var number: Int
        var command: JanusCommand
        var deadline: Instant
    }

    private(set) var state = State.idle
    /// Whether there was a session at all.
    private(set) var hasBeenOn = false
    package private(set) var serverInfo: SFUServerInfo?
    package internal(set) var counts = JanusCounts()

    let keys: SFUKeys
    package private(set) var token: SecretText?
    var session: Int?
    var rooms = JanusRooms()
    var transactions = JanusTransactions()
    private var waiting: [Waiting] = []
    private var keepAliveAt: Instant?
    private var schedule = ReconnectSchedule()
    /// Handles of a room that was destroyed, and when they are given back.
    private var idleHandles: [(handle: Int, at: Instant)] = []
    /// Handles that nobody uses any more, to be given back once the session is claimed.
    private var staleHandles: [Int] = []
    var effects: [Effect] = []

    /// - Parameter token: what goes with each request, if anything.
    package init(keys: SFUKeys = SFUKeys(), token: SecretText? = nil) {
        self.keys = keys
        self.token = token ?? keys.token
    }

    /// When `timeOut` is to be called at the latest.
    package var deadline: Instant? {
        var moments = [transactions.deadline, keepAliveAt].compactMap { $0 } + waiting.map(\.deadline)
        switch state {
        case .connecting(let until), .waiting(let until): moments.append(until)
        case .on: moments += idleHandles.map(\.at)
        case .idle, .settingUp, .ended: break
        }
        return moments.min()
    }

    /// Why it is over; nil while it is not.
    package var failure: SFUError? { if case .ended(let reason) = state { reason } else { nil } }

    // MARK: Inputs

    /// Begins to connect; does nothing the second time.
    package mutating func start(now: Instant) -> [Effect] {
        guard state == .idle else { return [] }
        connect(now)
        return take()
    }

    /// The connection is there.
    package mutating func connected(now: Instant) -> [Effect] {
        guard case .connecting = state else { return [] }
        state = .settingUp
        if let session, rooms.service != nil {
            send(JanusRequest(.claim, session: session), .claim, now)
        } else {
            session = nil
            if serverInfo == nil { send(JanusRequest(.info), .serverInfo, now) }
            send(JanusRequest(.create), .createSession, now)
        }
        return take()
    }

    /// The connection is lost, or could not be made. `chance`: from 0 to 1.
    package mutating func disconnected(_ reason: SFUError, now: Instant, chance: Double) -> [Effect] {
        switch state {
        case .connecting, .settingUp, .on: drop(reason, now, chance, isOpen: false)
        case .idle, .waiting, .ended: break
        }
        return take()
    }

    /// A message came.
    package mutating func received(_ bytes: [UInt8], now: Instant, chance: Double) -> [Effect] {
        guard state == .settingUp || state == .on else {
            counts.untimely += 1
            return []
        }
        do throws(JanusMessage.Refusal) {
            handle(try JanusMessage(decoding: bytes), now, chance)
        } catch {
            counts.unreadable += 1
        }
        return take()
    }

    /// Something is wanted; what comes of it is settled under this number, within ``patience``.
    package mutating func request(_ number: Int, _ command: JanusCommand, now: Instant) -> [Effect] {
        let deadline = now + Self.patience
        switch state {
        case .ended(let error): settle(number, .failure(error))
        case .on:
            if transactions.count < Self.maximumWaiting {
                begin(number, command, now, deadline)
            } else {
                settle(number, .failure(.tooMany))
            }
        case .idle, .connecting, .settingUp, .waiting:
            if waiting.count < Self.maximumWaiting {
                waiting.append(Waiting(number: number, command: command, deadline: deadline))
            } else {
                settle(number, .failure(.tooMany))
            }
        }
        return take()
    }

    /// Time has passed.
    package mutating func timeOut(now: Instant, chance: Double) -> [Effect] {
        for late in waiting.filter({ $0.deadline <= now }) { settle(late.number, .failure(.timedOut)) }
        waiting.removeAll { $0.deadline <= now }
        switch state {
        case .connecting(let until) where until <= now: drop(.timedOut, now, chance, isOpen: true)
        case .waiting(let until) where until <= now: connect(now)
        case .idle, .connecting, .settingUp, .on, .waiting, .ended: break
        }
        for entry in transactions.takeOverdue(now) { overdue(entry, now, chance) }
        if state == .on {
            for (handle, _) in idleHandles.filter({ $0.at <= now }) { detach(handle, now) }
            idleHandles.removeAll { $0.at <= now }
        }
        if let keepAliveAt, keepAliveAt <= now, state == .on, let session {
            self.keepAliveAt = now + Self.keepAliveInterval
            send(JanusRequest(.keepAlive, session: session), .keepAlive, now)
        }
        return take()
    }

    /// The machine's network is another one: a connection is made at once where there is none, and the one that there is has to show soon that
    /// it leads somewhere.
    package mutating func networkChanged(now: Instant) -> [Effect] {
        switch state {
        case .waiting: connect(now)
        case .on:
            guard let session else { break }
            keepAliveAt = now + Self.keepAliveInterval
            send(
                JanusRequest(.keepAlive, session: session), .keepAlive, now, deadline: now + Self.doubtfulPatience)
        case .idle, .connecting, .settingUp, .ended: break
        }
        return take()
    }

    /// From here on this token goes with each request, in this session and in others.
    package mutating func use(_ token: SecretText) { self.token = token }

    /// The room is entered by another PIN from now on, also by who receives a further feed.
    package mutating func use(pin: SecretText, of room: SFUNumber) { rooms.setPin(pin, of: room) }

    /// The session is to end, at the server, too; everything that waits fails.
    package mutating func close(now: Instant) -> [Effect] {
        if state == .on, let session {
            let number = transactions.add(.farewell, handle: nil, deadline: now)
            effects.append(.send(JanusRequest(.destroy, session: session).encoded(transaction: number, token: token)))
        }
        end(.closed, isTold: false)
        return take()
    }

    /// What the server says can't be taken any more.
    package mutating func abandon(_ reason: SFUError) -> [Effect] {
        end(reason, isTold: true)
        return take()
    }

    // MARK: Connections

    private mutating func connect(_ now: Instant) {
        state = .connecting(until: now + Self.patience)
        effects.append(.connect)
    }

    /// Gives a connection up and waits for the next attempt; before there ever was a session that is the end.
    mutating func drop(_ reason: SFUError, _ now: Instant, _ chance: Double, isOpen: Bool) {
        guard hasBeenOn, !reason.isFinal else { return end(reason, isTold: hasBeenOn) }
        if isOpen { effects.append(.disconnect) }
        let wasOn = state == .on
        state = .waiting(until: now + schedule.next(chance: chance))
        keepAliveAt = nil
        rooms.membership?.changed = nil
        for entry in transactions.takeAll() { interrupted(entry) }
        if wasOn { effects.append(.event(.lost(reason))) }
    }

    private mutating func end(_ reason: SFUError, isTold: Bool) {
        if case .ended = state { return }
        let wasIdle = state == .idle
        let isWaiting = if case .waiting = state { true } else { false }
        if !wasIdle, !isWaiting { effects.append(.disconnect) }
        state = .ended(reason)
        keepAliveAt = nil
        for entry in transactions.takeAll() {
            switch entry.purpose {
            case .attach(let number, _), .command(let number, _): settle(number, .failure(reason))
            default: break
            }
        }
        for one in waiting { settle(one.number, .failure(reason)) }
        waiting = []
        if !hasBeenOn { effects.append(.ready(.failure(reason))) }
        if isTold { effects.append(.event(.failed(reason))) }
    }

    /// There is a session and a handle in it.
    mutating func goOn(_ restoration: SFURestoration, _ now: Instant) {
        let isFirst = !hasBeenOn
        state = .on
        hasBeenOn = true
        schedule.reset()
        keepAliveAt = now + Self.keepAliveInterval
        if isFirst {
            effects.append(.ready(.success(serverInfo ?? SFUServerInfo(version: ""))))
        } else {
            effects.append(.event(.restored(restoration)))
        }
        for handle in staleHandles { detach(handle, now) }
        staleHandles = []
        if restoration == .claimed, let room = rooms.membership?.room.number, let service = rooms.service, let session {
            rooms.membership?.changed = []
            send(.room(VideoRoomBody.participants(room), session: session, handle: service), .compare, now)
        }
        let all = waiting
        waiting = []
        for one in all { begin(one.number, one.command, now, one.deadline) }
    }

    mutating func notice(_ info: SFUServerInfo) { serverInfo = info }

    /// The server has forgotten the session: everything in it is gone, and there is to be another.
    mutating func beginAnew(_ now: Instant) {
        if state == .on { effects.append(.event(.lost(.lost))) }
        state = .settingUp
        keepAliveAt = nil
        for entry in transactions.takeAll() { interrupted(entry) }
        session = nil
        rooms = JanusRooms()
        (staleHandles, idleHandles) = ([], [])
        send(JanusRequest(.create), .createSession, now)
    }

    /// A transaction whose answer can't come any more: nobody knows whether the server has done it.
    private mutating func interrupted(_ entry: JanusTransactions.Entry) {
        switch entry.purpose {
        case .attach(let number, _): settle(number, .failure(.lost))
        case .command(let number, let command):
            settle(number, .failure(.lost))
            if let path = command.openedPath, let handle = rooms.remove(path) { staleHandles.append(handle) }
        case .serverInfo, .createSession, .attachService, .claim, .keepAlive, .compare, .abandonedAttach, .farewell:
            break
        }
    }

    private mutating func overdue(_ entry: JanusTransactions.Entry, _ now: Instant, _ chance: Double) {
        switch entry.purpose {
        case .attach(let number, _):
            settle(number, .failure(.timedOut))
            _ = transactions.add(.abandonedAttach, handle: nil, deadline: now + .seconds(60))
        case .command(let number, let command):
            settle(number, .failure(.timedOut))
            if let path = command.openedPath { close(path, now) }
        case .abandonedAttach, .farewell: break
        case .serverInfo, .createSession, .attachService, .claim, .keepAlive, .compare:
            guard state == .settingUp || state == .on else { return }
            drop(.timedOut, now, chance, isOpen: true)
        }
    }

    // MARK: Sending

    /// Sends a request and expects its answer.
    mutating func send(
        _ request: JanusRequest, _ purpose: JanusTransactions.Purpose, _ now: Instant, deadline: Instant? = nil
    ) {
        let number = transactions.add(
            purpose, handle: request.handle, deadline: deadline ?? now + Self.patience)
        effects.append(.send(request.encoded(transaction: number, token: token)))
    }

    /// Gives a handle back.
    mutating func detach(_ handle: Int, _ now: Instant) {
        guard let session else { return }
        send(JanusRequest(.detach, session: session, handle: handle), .farewell, now)
    }

    /// Gives handles back after a while.
    mutating func rest(_ handles: [Int], _ now: Instant) {
        idleHandles += handles.map { ($0, now + Self.idleness) }
    }

    /// Forgets a path and gives its handle back. With the last own feed the room is left.
    mutating func close(_ path: SFUPath, _ now: Instant) {
        if let handle = rooms.remove(path) { detach(handle, now) }
        if case .own = path, rooms.own.isEmpty { for handle in rooms.leave() { detach(handle, now) } }
    }

    mutating func settle(_ number: Int, _ result: Result<JanusAnswer, SFUError>) {
        effects.append(.settle(number, result))
    }

    mutating func tell(_ event: SFUEvent) { effects.append(.event(event)) }

    private mutating func take() -> [Effect] {
        defer { effects = [] }
        return effects
    }
}

extension JanusCommand {
    /// The path that it makes, which is nothing before it has succeeded.
    var openedPath: SFUPath? {
        switch self {
        case .join(_, let feed): .own(feed.id)
        case .subscribe(let feed): .feed(feed)
        default: nil
        }
    }
}
