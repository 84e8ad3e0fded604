import BaseKit
import Logging
import RelayRules
import SMP
import SMPSession
import SMPTransport
import Synchronization

/// Connects sessions with the core: lock, run, unlock, then act.
final class RelayService: ServerSessionHandler {
    let core: RelayCore
    let housekeeper: Housekeeper
    private let endingInterval: Duration
    private let idleTimeout: Duration?
    private let logger: Logger
    private let sessions = Lock<[SessionNumber: SessionWatch]>([:])
    private let endings = Lock(PendingEndings())
    private let proxy = Lock<RelayProxy?>(nil)
    private let passwords = Lock(PasswordGuard())
    private let workers: CommandWorkers<Work>
    private let slice: Int
    private let input: InputGauge
    /// How far changes of the store were seen.
    private let seen = Atomic<UInt64>(0)

    /// What is to be done for a session: a block, or what is left of one.
    private enum Work: Sendable {
        case block(SessionWatch, Result<[UInt8], SMPDecodingError>)
        case run(SessionWatch, BlockRun, OutputReserve)
        /// Everything is carried out, and bodies that were on disk are there.
        case ending(SessionWatch, BlockRun, OutputReserve)
    }

    /// - Parameters:
    ///   - endingInterval: how long END and DELD wait for others to leave together with them.
    ///   - housekeeper: hears of changes.
    ///   - idleTimeout: after which the housekeeper looks whether a session is used.
    init(
        core: RelayCore, work: WorkLimits = WorkLimits(), endingInterval: Duration = .zero,
        housekeeper: Housekeeper = Housekeeper(), idleTimeout: Duration? = nil, logger: Logger
    ) {
        self.core = core
        self.endingInterval = endingInterval
        self.housekeeper = housekeeper
        self.idleTimeout = idleTimeout
        self.logger = logger
        workers = CommandWorkers(limits: work)
        slice = work.slice
        input = InputGauge(limit: work.waitingBlocks)
        workers.use { [weak self] item, place in self?.work(item, at: place) ?? .finished }
    }

    /// Forgets addresses that owe no processor time and gave no wrong passwords of late.
    ///
    /// - Returns: when there is more to forget, though nobody does anything; nil for never.
    func tidy() -> Instant? {
        let now = Instant.now
        let owed = workers.tidy(at: now)
        let forgiven = passwords.withLock { passwords in
            passwords.tidy(at: now)
            return passwords.nextForgiven
        }
        return [owed, forgiven].compactMap(\.self).min()
    }

    /// Sessions by version.
    var sessionCounts: [SMPVersion: Int] {
        sessions.withLock { sessions in
            sessions.values.reduce(into: [:]) { $0[$1.session.version, default: 0] += 1 }
        }
    }

    func sessionStarted(_ session: ServerSession) {
        let watch = SessionWatch(session, input: input, at: .now)
        workers.sessionStarted(session.number, from: session.origin)
        sessions.withLock { $0[session.number] = watch }
        if let idleTimeout { housekeeper.expect(.now + idleTimeout) }
        logger.debug("Session started", metadata: ["session": "\(session.number)", "version": "\(session.version)"])
    }

    func session(_ session: ServerSession, received payload: Result<[UInt8], SMPDecodingError>) {
        guard let watch = sessions.withLock({ $0[session.number] }) else { return }
        watch.heard(at: .now)
        workers.addOrDo(.block(watch, payload), for: session.number)
    }

    func sessionEnded(_ session: ServerSession, reason: TransportError) {
        sessions.withLock { $0.removeValue(forKey: session.number) }?.ended()
        passwords.withLock { $0.ended(session.number) }
        endings.withLock { $0.endSession(session.number) }
        // A command under way would make the session known again.
        workers.sessionEnded(session.number) { [self] in
            core.withStore { $0.endSession(session.number) }
            proxy.withLock { $0 }?.ended(session.number)
            housekeeper.changed()
        }
        logger.debug("Session ended", metadata: ["session": "\(session.number)", "reason": "\(reason)"])
    }

    /// Does a piece of what a client asked for; on an event loop only what is small.
    private func work(_ item: Work, at place: CommandWorkers<Work>.Place) -> CommandWorkers<Work>.Outcome {
        switch item {
        case .block(let watch, .failure):
            watch.begin()
            core.counters.count(refusal: .block)
            watch.session.send(core.refuseBlock(version: watch.session.version))
            watch.took(refusals: 0, at: .now)
            watch.answered()
            return .finished
        case .block(let watch, .success(let payload)):
            guard !waitsForRoom(watch.session), !waitsForDisk(watch) else { return .more(item) }
            watch.begin()
            let run = core.begin(payload, SessionContext(watch.session))
            guard place == .worker || run.isSmall else { return .more(.run(watch, run, reserve(for: run, watch))) }
            return advance(run, watch)
        case .run(let watch, let run, let reserve):
            reserve.release()
            return advance(run, watch)
        case .ending(let watch, let run, let reserve):
            reserve.release()
            finish(run, watch)
            return .finished
        }
    }

    /// A client that does not read its answers is not worked for either.
    private func waitsForRoom(_ session: ServerSession) -> Bool {
        guard session.lacksRoom else { return false }
        workers.hold(session.number)
        if session.wantsRoom { return true }
        workers.release(session.number)
        return false
    }

    func sessionHasRoom(_ session: ServerSession) { workers.release(session.number) }

    private func advance(_ run: BlockRun, _ watch: SessionWatch) -> CommandWorkers<Work>.Outcome {
        guard !waitsForPasswords(run, watch) else { return .more(.run(watch, run, reserve(for: run, watch))) }
        var run = run
        watch.startWork()
        guard core.advance(&run, cost: slice) else {
            return .more(.run(watch, run, reserve(for: run, watch)))
        }
        let missing = run.missingBodies
        guard missing.isEmpty else {
            read(missing, run, watch)
            return .finished
        }
        finish(run, watch)
        return .finished
    }

    /// Bodies that wait with a block for its turn count as if they waited for the client already.
    private func reserve(for run: BlockRun, _ watch: SessionWatch) -> OutputReserve {
        watch.session.reserve(run.bodyBytes)
    }

    /// Whose address gave wrong passwords waits before another one is looked at.
    private func waitsForPasswords(_ run: BlockRun, _ watch: SessionWatch) -> Bool {
        guard core.creation.password != nil, run.bringsPassword else { return false }
        let guesser = PasswordGuard.Guesser(watch.session.number, from: watch.session.origin)
        let wait = passwords.withLock { $0.wait(for: guesser, at: .now) }
        if wait > .zero { workers.hold(watch.session.number, for: wait) }
        return wait > .zero
    }

    /// The session's next block waits until its bodies are there.
    private func read(_ missing: [Int64], _ run: BlockRun, _ watch: SessionWatch) {
        let number = watch.session.number
        let reserve = reserve(for: run, watch)
        workers.hold(number)
        core.writer.read(missing) { [workers] bodies in
            var run = run
            run.fill(bodies)
            workers.add(.ending(watch, run, reserve), for: number, isNext: true)
            workers.release(number)
        }
    }

    /// Who has sent something waits while too much is not on disk.
    private func waitsForDisk(_ watch: SessionWatch) -> Bool {
        guard watch.hasUnanswered, core.isBehind else { return false }
        let number = watch.session.number
        workers.hold(number)
        let position = core.withStore { $0.journal.position }
        core.writer.whenWritten(position) { [workers] in workers.release(number) }
        return true
    }

    private func finish(_ run: BlockRun, _ watch: SessionWatch) {
        let output = core.finish(run)
        watch.took(refusals: output.refusals, at: .now)
        if output.hasWrongPassword {
            let guesser = PasswordGuard.Guesser(watch.session.number, from: watch.session.origin)
            passwords.withLock { $0.failed(guesser, at: .now) }
        }
        answer(output, to: watch)
        watch.endWork()
        if !output.forwards.isEmpty { forward(output.forwards) }
    }

    /// Sends what waited of END and DELD.
    private func sendEndings() {
        for (number, pushes) in endings.withLock({ $0.take() }) {
            guard let session = sessions.withLock({ $0[number] })?.session else { continue }
            let due = core.withStore { store in pushes.filter { store.isDue($0) } }
            session.send {
                let transmissions = due.compactMap { $0.reply.transmission(.none, $0.entity, session.version) }
                return (try? Batch.pack(transmissions)) ?? []
            }
        }
    }

    /// Closes sessions that listen to nothing and said nothing for so long.
    ///
    /// - Returns: how many, and when there may be more; nil for not while nobody connects.
    func closeIdle(after time: Duration) -> (count: Int, next: Instant?) {
        let now = Instant.now
        let heard = sessions.withLock { $0.values.map { (watch: $0, last: $0.lastHeard) } }
        let silent = heard.filter { now - $0.last >= time }
        let idle = core.withStore { store in silent.filter { !store.listens($0.watch.session.number) } }
        for (watch, _) in idle { watch.session.close() }
        let next = heard.filter { now - $0.last < time }.map { $0.last + time }.min()
        // Who listens may not do so for ever.
        let listening = silent.count > idle.count ? now + time / 2 : nil
        return (idle.count, [next, listening].compactMap(\.self).min())
    }

    /// Ends all sessions, spread evenly over a time, so that their clients don't come back all at once; what was asked before
    /// is answered first.
    func closeAll(over duration: Duration) async {
        let all = sessions.withLock { $0.values.sorted { $0.lastHeard < $1.lastHeard } }
        let begin = Instant.now
        // Answers that wait for a slow disk delay the end of all sessions once, not that of each.
        let latest = begin + duration + .seconds(1)
        for (index, watch) in all.enumerated() {
            try? await Task.sleep(for: begin + duration * (index + 1) / all.count - .now)
            while watch.hasUnanswered, .now < latest { try? await Task.sleep(for: .milliseconds(10)) }
            watch.session.close()
        }
    }

    /// A message may reach its recipient before it is on disk: should the relay die in between, the sender was not told
    /// `OK` and sends it again, as after a lost answer.
    private func answer(_ output: RelayCore.Output, to watch: SessionWatch) {
        defer { notice(output) }
        guard output.mustBeWritten else {
            watch.session.send(output.payloads)
            push(output.pushes)
            watch.answered()
            return core.writer.note(output.position)
        }
        push(output.pushes.filter(\.isMessage))
        let reserve = watch.session.reserve(output.payloads.reduce(0) { $0 + $1.count })
        core.writer.whenWritten(output.position) { [self] in
            reserve.release()
            watch.session.send(output.payloads)
            push(output.pushes.filter { !$0.isMessage })
            watch.answered()
        }
    }

    /// What changes something is followed by a turn of the housekeeper.
    private func notice(_ output: RelayCore.Output) {
        guard output.mustBeWritten || output.position > seen.load(ordering: .relaxed) else { return }
        seen.max(output.position, ordering: .relaxed)
        housekeeper.changed()
    }

    /// Has commands forwarded from now on, or not any more; returns what did it until now.
    func setProxy(_ new: RelayProxy?) -> RelayProxy? {
        proxy.withLock { proxy in
            defer { proxy = new }
            return proxy
        }
    }

    /// Answers a command that was forwarded, if its session is still there.
    func answer(_ request: ProxyRequest, _ message: BrokerMessage) {
        sessions.withLock { $0[request.session] }?.session.send { request.payload(message) }
    }

    private func forward(_ requests: [ProxyRequest]) {
        guard let proxy = proxy.withLock({ $0 }) else {
            for request in requests { answer(request, .error(.proxy(.noSession))) }
            return
        }
        for request in requests { proxy.receive(request) }
    }

    /// Keeps an event for the next round, which comes only when there is something to send: an idle relay sleeps.
    private func collect(_ push: Push) {
        let isFirst = endings.withLock { endings in
            defer { endings.add(push) }
            return endings.isEmpty
        }
        guard isFirst else { return }
        Task { [weak self, endingInterval] in
            try? await Task.sleep(for: endingInterval)
            self?.sendEndings()
        }
    }

    private func push(_ pushes: [Push]) {
        for push in pushes {
            if endingInterval > .zero, push.isEnding {
                collect(push)
                continue
            }
            guard let watch = sessions.withLock({ $0[push.session] }) else { continue }
            let version = watch.session.version
            watch.send(event: {
                let transmission = push.reply.transmission(.none, push.entity, version)
                return transmission.flatMap { try? Batch.encode([$0]) }.map { [$0] } ?? []
            })
        }
    }
}

extension SessionContext {
    fileprivate init(_ session: ServerSession) {
        self.init(
            number: session.number, version: session.version, sessionID: session.sessionID, key: session.key,
            secret: session.secret, origin: session.origin)
    }
}
