import BaseKit
import Foundation
import Logging
import SFURules
import Signaling
import TLS

/// How a call server is reached.
public struct SFUConfiguration: Sendable {
    /// A file with the certificates of authorities (PEM) in place of the system's.
    public var authorities: String?
    /// Where it logs: no keys, tokens or session descriptions.
    public var logger: Logger

    /// A configuration.
    public init(authorities: String? = nil, logger: Logger = Logger(label: "parley.sfu")) {
        (self.authorities, self.logger) = (authorities, logger)
    }
}

/// This side of a room on a Janus server: who is there, and the session descriptions to and from it. Of media it knows nothing.
///
/// It connects with ``connect()``, or with the first thing it is asked for, and makes a lost connection again by itself. Everything that is
/// asked for is answered within ten seconds.
public actor SFURoomClient {
    /// The most events that nobody has read yet: who reads no more is not served any more.
    private static let maximumUnread = 4_096

    /// The server.
    public nonisolated let address: SFUAddress
    /// What becomes of room and connection, for one reader. It ends with ``close()`` and with ``SFUEvent/failed(_:)``.
    public nonisolated let events: AsyncStream<SFUEvent>

    private let configuration: SFUConfiguration
    private let tell: AsyncStream<SFUEvent>.Continuation
    private var machine: JanusMachine
    private var ready: Result<SFUServerInfo, SFUError>?
    private var connecting: [CheckedContinuation<Result<SFUServerInfo, SFUError>, Never>] = []
    private var waiting: [Int: CheckedContinuation<Result<JanusAnswer, SFUError>, Never>] = [:]
    private var nextNumber = 1
    /// The present connection; those before it are heard no more.
    private var generation = 0
    private var outgoing: AsyncStream<[UInt8]>.Continuation?
    private var dialling: Task<Void, Never>?
    private var timer: (due: Instant, task: Task<Void, Never>)?
    /// When the first connection was there.
    private(set) var openedAt: Instant?

    /// Connects to nothing yet. `keys`: a token is made of the secret now, if there is one.
    public init(
        address: SFUAddress, keys: SFUKeys = SFUKeys(), configuration: SFUConfiguration = SFUConfiguration()
    ) {
        self.address = address
        self.configuration = configuration
        (events, tell) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.maximumUnread))
        machine = JanusMachine(keys: keys, token: keys.usedToken(wallClock: Int64(Date().timeIntervalSince1970)))
    }

    deinit {
        dialling?.cancel()
        timer?.task.cancel()
        outgoing?.finish()
        tell.finish()
    }

    // MARK: The connection

    /// Connects; what the server says of itself. Does nothing the second time.
    @discardableResult public func connect() async throws(SFUError) -> SFUServerInfo {
        if let failure = machine.failure { throw failure }
        if ready == nil { perform(machine.start(now: .now)) }
        if let ready { return try ready.get() }
        return try await withCheckedContinuation { connecting.append($0) }.get()
    }

    /// This machine's network is another one: does not wait until it is found out that the connection leads nowhere.
    public func networkChanged() { perform(machine.networkChanged(now: .now)) }

    /// Ends the session at the server, which ends everything in it, and the connection.
    public func close() {
        perform(machine.close(now: .now))
        tell.finish()
    }

    /// The token that goes with each request: what members of a room need, too.
    public var token: SecretText? { machine.token }

    /// Goes on with another token, in this session and in others that follow.
    public func use(_ token: SecretText) { machine.use(token) }

    /// The room is entered by another PIN from now on: whoever is in needs it to receive further feeds.
    public func use(pin: SecretText, of room: SFUNumber) { machine.use(pin: pin, of: room) }

    /// What the server says of itself, once it has.
    var serverInfo: SFUServerInfo? { machine.serverInfo }

    /// What the server said that was passed over.
    package var counts: JanusCounts { machine.counts }

    // MARK: Rooms

    /// Makes a room. Throws ``SFUError/roomExists``, ``SFUError/mayNotMakeRooms``.
    public func makeRoom(_ plan: SFURoomPlan) async throws(SFUError) { _ = try await ask(.makeRoom(plan)) }

    /// Whether there is a room.
    public func exists(_ room: SFUNumber) async throws(SFUError) -> Bool {
        guard case .exists(let exists) = try await ask(.exists(room)) else { throw .malformed }
        return exists
    }

    /// Who is in a room, this side among them.
    public func participants(of room: SFUNumber) async throws(SFUError) -> [SFUParticipant] {
        guard case .participants(let all) = try await ask(.participants(room)) else { throw .malformed }
        return all
    }

    /// Ends a room for everybody.
    public func destroyRoom(_ room: SFUNumber, secret: SecretText) async throws(SFUError) {
        _ = try await ask(.destroyRoom(room, secret: secret))
    }

    /// Gives a room another PIN and another secret. Who is in stays. Throws ``SFUError/wrongSecret``.
    public func lockRoom(_ room: SFUNumber, secret: SecretText, _ lock: SFURoomLock) async throws(SFUError) {
        _ = try await ask(.lockRoom(room, secret: secret, lock))
    }

    /// Puts a feed out of a room. It can come back by another number, as long as it knows the PIN.
    public func kick(_ feed: SFUNumber, from room: SFUNumber, secret: SecretText) async throws(SFUError) {
        _ = try await ask(.kick(feed, room: room, secret: secret))
    }

    // MARK: Own feeds

    /// Joins a room as a feed that does not send yet. Several feeds may be in it, such as one for the camera and one for the screen. Those who
    /// send follow as events.
    ///
    /// Throws ``SFUError/wrongPin``, ``SFUError/noSuchRoom``, ``SFUError/feedTaken``: a feed's number is to be random, and another one each time.
    public func join(_ room: SFURoom, as feed: SFUFeed) async throws(SFUError) { _ = try await ask(.join(room, feed)) }

    /// Sends by an own feed, or changes what is sent: offer in, answer out. Others hear of the feed when its media connection is there.
    ///
    /// Throws ``SFUError/roomFull``. After an error the feed is of no more use: leave, and join by another number.
    public func publish(_ offer: String, as feed: SFUNumber) async throws(SFUError) -> String {
        try await describe(.publish(own: feed, offer: offer))
    }

    /// Leaves the room with one own feed. With the last one all that was received ends, too.
    public func leave(_ feed: SFUNumber) async throws(SFUError) { _ = try await ask(.leave(own: feed)) }

    // MARK: Feeds of others

    /// Asks for the media of a feed, over a connection of its own; the server's offer. This side has to be in the room.
    public func subscribe(_ feed: SFUNumber) async throws(SFUError) -> String { try await describe(.subscribe(feed)) }

    /// Answers the server's offer for a feed; media come then.
    public func answer(_ answer: String, to feed: SFUNumber) async throws(SFUError) {
        _ = try await ask(.answer(feed, answer))
    }

    /// Changes what comes of a feed.
    public func configure(_ feed: SFUNumber, _ choice: SFUFeedChoice) async throws(SFUError) {
        _ = try await ask(.configure(feed, choice))
    }

    /// Wants no more of a feed.
    public func unsubscribe(_ feed: SFUNumber) async throws(SFUError) { _ = try await ask(.unsubscribe(feed)) }

    /// Tells the server candidates of this side's. `isComplete`: no more come.
    public func addCandidates(
        _ candidates: [SFUCandidate], for path: SFUPath, isComplete: Bool = false
    ) async throws(SFUError) {
        _ = try await ask(.addCandidates(path, candidates, isComplete: isComplete))
    }

    private func describe(_ command: JanusCommand) async throws(SFUError) -> String {
        guard case .description(let text) = try await ask(command) else { throw .malformed }
        return text
    }

    private func ask(_ command: JanusCommand) async throws(SFUError) -> JanusAnswer {
        perform(machine.start(now: .now))
        let number = nextNumber
        nextNumber += 1
        let result = await withCheckedContinuation { continuation in
            waiting[number] = continuation
            perform(machine.request(number, command, now: .now))
        }
        return try result.get()
    }

    // MARK: What the machine wants

    private func perform(_ effects: [JanusMachine.Effect]) {
        for effect in effects {
            switch effect {
            case .connect: dial()
            case .disconnect: hangUp()
            case .send(let text): outgoing?.yield(text)
            case .ready(let result):
                ready = result
                for continuation in connecting { continuation.resume(returning: result) }
                connecting = []
            case .settle(let number, let result): waiting.removeValue(forKey: number)?.resume(returning: result)
            case .event(let event): pass(event)
            }
        }
        setTimer()
    }

    private func pass(_ event: SFUEvent) {
        switch event {
        case .lost(let reason):
            configuration.logger.info(
                "Call server lost", metadata: ["server": "\(address.place)", "reason": "\(reason)"])
        case .restored(let restoration):
            configuration.logger.info(
                "Call server is back", metadata: ["server": "\(address.place)", "session": "\(restoration)"])
        case .failed(let reason):
            configuration.logger.info(
                "Call server given up", metadata: ["server": "\(address.place)", "reason": "\(reason)"])
        default: break
        }
        let result = tell.yield(event)
        if case .failed = event { tell.finish() }
        if case .dropped = result { Task { self.giveUp() } }
    }

    private func giveUp() { perform(machine.abandon(.malformed)) }

    // MARK: The channel

    private func dial() {
        hangUp()
        let (texts, continuation) = AsyncStream<[UInt8]>.makeStream()
        outgoing = continuation
        let (number, address, authorities) = (generation, address, configuration.authorities)
        dialling = Task { [weak self] in
            do throws(SFUError) {
                let context = address.isSecure ? try Self.context(authorities) : nil
                let connection = try await WebSocketConnection.open(address, tls: context)
                await self?.opened(number)
                let reason = await connection.run(sending: texts) { [weak self] in await self?.received($0, number) }
                await self?.ended(reason, number)
            } catch {
                await self?.ended(error, number)
            }
        }
    }

    private static func context(_ authorities: String?) throws(SFUError) -> OpenSSLContext {
        do throws(TLSFailure) {
            return try OpenSSLContext(
                .client(authorities.map { .file($0) } ?? .system), TLSSettings(oldest: .tls12))
        } catch {
            throw SFUError(connecting: error)
        }
    }

    /// What was to be sent still goes out: the stream ends behind it, and the connection then.
    private func hangUp() {
        generation += 1
        outgoing?.finish()
        outgoing = nil
        dialling = nil
    }

    private func opened(_ number: Int) {
        guard number == generation else { return }
        openedAt = openedAt ?? .now
        perform(machine.connected(now: .now))
    }

    private func received(_ bytes: [UInt8], _ number: Int) {
        guard number == generation else { return }
        perform(machine.received(bytes, now: .now, chance: .random(in: 0...1)))
    }

    private func ended(_ reason: SFUError, _ number: Int) {
        guard number == generation else { return }
        perform(machine.disconnected(reason, now: .now, chance: .random(in: 0...1)))
    }

    // MARK: The clock

    private func setTimer() {
        guard let due = machine.deadline else {
            timer?.task.cancel()
            timer = nil
            return
        }
        guard timer?.due != due else { return }
        timer?.task.cancel()
        let task = Task { [weak self] in
            try? await Task.sleep(for: max(.zero, due - .now))
            guard !Task.isCancelled else { return }
            await self?.timeOut(due)
        }
        timer = (due, task)
    }

    private func timeOut(_ due: Instant) {
        guard timer?.due == due else { return }
        timer = nil
        perform(machine.timeOut(now: .now, chance: .random(in: 0...1)))
    }
}
