import Cryptography
import Logging
import SMP
import SMPSession

/// What commands need to know of their session.
package struct SessionContext: Sendable {
    package let number: SessionNumber
    package let version: SMPVersion
    package let sessionID: [UInt8]
    package let key: SessionKey
    /// Of the hello keys; for forwarded commands.
    package let secret: SecretBytes?
    /// Where the session comes from; nil for this machine.
    package var origin: ConnectionOrigin?

    package init(
        number: SessionNumber, version: SMPVersion, sessionID: [UInt8], key: SessionKey, secret: SecretBytes?,
        origin: ConnectionOrigin? = nil
    ) {
        self.number = number
        self.version = version
        self.sessionID = sessionID
        self.key = key
        self.secret = secret
        self.origin = origin
    }

    var verifier: CommandVerifier { CommandVerifier(sessionID: sessionID, sessionKey: key) }
}

/// Who may make queues.
public struct QueueCreation: Sendable, Equatable {
    public var isAllowed: Bool
    /// Asked for if set.
    public var password: RelayPassword?

    public init(isAllowed: Bool = true, password: RelayPassword? = nil) {
        self.isAllowed = isAllowed
        self.password = password
    }

    func permits(_ request: QueueRequest) -> Bool { isAllowed && permits(password: request.password) }

    /// Whether somebody with this password may make queues, and may have commands forwarded.
    func permits(password given: RelayPassword?) -> Bool {
        guard let password else { return true }
        return constantTimeEqual(Array(password.text.utf8), Array((given?.text ?? "").utf8))
    }
}

/// Takes blocks of commands and answers them; the store is locked only for looking up and for executing, never while
/// cryptography runs.
package final class RelayCore: Sendable {
    /// What to send after a block.
    package struct Output: Sendable {
        /// Payloads for the session of the block.
        package var payloads: [[UInt8]] = []
        /// Events for any session, after the payloads.
        package var pushes: [Push] = []
        /// What a proxy has to do; each is answered on its own.
        package var forwards: [ProxyRequest] = []
        /// Commands whose authorisation failed.
        package var refusals = 0
        /// Whether the block held a wrong password.
        package var hasWrongPassword = false
        /// What was changed in the store up to the last of the commands, by whomever.
        package var position: UInt64 = 0
        /// Whether the payloads say that something was done which outlives the relay: then they may not be sent before the
        /// changes up to `position` are on disk.
        package var mustBeWritten = false
    }

    /// Up to so many responses the first messages of subscriptions travel in the same block (SMP fact sheet §9.2).
    private static let responsesWithEvents = 4

    package let writer: StateWriter
    package let counters = RelayCounters()
    private let store: SharedStore
    private let quota: Int
    private let limits: StoreLimits
    private let entropy: RelayEntropy
    private let logger: Logger
    package let creation: QueueCreation
    let isProxy: Bool
    /// Seconds since 1970.
    private let clock: @Sendable () -> Int64
    /// What messages age by; nil for the clock.
    package let age: RelayAge?

    package init(
        quota: Int = 128, limits: StoreLimits = StoreLimits(), creation: QueueCreation = QueueCreation(),
        isProxy: Bool = false, age: RelayAge? = nil, entropy: RelayEntropy = .system,
        logger: Logger = Logger(label: "parley.relay"),
        clock: @escaping @Sendable () -> Int64
    ) {
        let store = SharedStore(QueueStore(quota: quota, limits: limits, entropy: entropy))
        self.store = store
        writer = StateWriter(logger: logger) {
            store.withLock { (changes: $0.journal.take(), position: $0.journal.position) }
        } wrote: { position in
            store.withLock { $0.wrote(position) }
        }
        self.quota = quota
        self.limits = limits
        self.logger = logger
        self.entropy = entropy
        self.creation = creation
        self.isProxy = isProxy
        self.clock = clock
        self.age = age
    }

    /// Takes over what a disk holds, and has it follow from now on. More than the limits allow, such as after they were
    /// lowered, stays: what was promised is kept, and nothing new is taken until there is less.
    ///
    /// - Throws: `RelayStorageError`.
    package func attach(_ persistence: any QueuePersistence) throws {
        let persisted = try persistence.load()
        store.withLock { store in
            var journal = store.journal
            // What was noted while no disk was there is as little true as the state it belonged to.
            _ = journal.take()
            store = QueueStore(quota: quota, limits: limits, entropy: entropy)
            store.journal = journal
            store.restore(persisted)
        }
        if store.withLock({ $0.isOverLimits }) {
            logger.warning("More is kept than the limits allow; nothing new is taken until there is less")
        }
        age?.goOn(from: persisted.age)
        writer.attach(persistence)
    }

    /// Looks at or changes the store directly.
    package func withStore<Value: Sendable>(_ body: (inout QueueStore) -> Value) -> Value {
        store.withLock { body(&$0) }
    }

    /// Has the disk know how old the relay is, if anything ages by it.
    ///
    /// - Returns: what has to be written for it.
    @discardableResult
    package func saveAge() -> UInt64 {
        store.withLock { store in
            if let now = age?.now, store.use.messages > 0 { store.journal.append(.saveAge(now)) }
            return store.journal.position
        }
    }

    /// Whether too much is not on disk yet: who sends should wait.
    package var isBehind: Bool { store.isBehind }

    /// Answers a block that could be decrypted, at once.
    ///
    /// - Parameter read: finds message bodies on disk, by their numbers.
    package func process(
        _ payload: [UInt8], session: SessionContext, read: ([Int64]) -> [Int64: [UInt8]] = { _ in [:] }
    ) -> Output {
        var run = begin(payload, session)
        while !advance(&run, cost: .max) {}
        let missing = run.missingBodies
        if !missing.isEmpty { run.fill(.success(read(missing))) }
        return finish(run)
    }

    /// Reads a block that could be decrypted.
    package func begin(_ payload: [UInt8], _ session: SessionContext) -> BlockRun {
        counters.countBlock()
        let incoming = IncomingCommand.read(payload, version: session.version)
        return BlockRun(session: session, commands: zip(incoming, lookUp(incoming)).map { ($0, $1) })
    }

    /// Carries the next commands of a block out, until they have cost about so many microseconds.
    ///
    /// - Returns: whether none is left.
    package func advance(_ run: inout BlockRun, cost: Int) -> Bool {
        var spent = 0
        while spent < cost, let (item, lookup) = run.next() {
            spent += Self.cost(item, lookup)
            carryOut(item, lookup, in: &run)
        }
        return run.isOver
    }

    /// What to send once all commands of a block were carried out.
    package func finish(_ run: BlockRun) -> Output {
        var output = run.output
        output.payloads = payloads(
            refused: run.refused, executed: run.executed, events: run.events, run.session.version)
        return output
    }

    /// About how long a command takes, in microseconds: what is not verified is small beside what is, but for the keys of a
    /// new queue or notifier and the layers of a forwarded command.
    static func cost(_ item: IncomingCommand, _ lookup: KeyLookup) -> Int {
        guard case .command(let transmission, let command) = item else { return 5 }
        let own =
            switch command.tag {
            case .new, .setNotifier: 200
            case .forwardToRelay: 300
            case .subscribe, .get, .acknowledge, .send: 50
            default: 10
            }
        return own + CommandVerifier.cost(transmission, lookup)
    }

    private func carryOut(_ item: IncomingCommand, _ lookup: KeyLookup, in run: inout BlockRun) {
        switch item {
        case .refused(let error, let correlationID, let entity):
            counters.count(refusal: error)
            run.refused.append(BlockRun.Answer(correlationID: correlationID, entity: entity, reply: .refusal(error)))
        case .command(let transmission, let command):
            let id = transmission.correlationID
            guard run.session.verifier.accepts(transmission, lookup) else {
                counters.count(refusal: .authentication)
                run.output.refusals += 1
                run.refused.append(
                    BlockRun.Answer(
                        correlationID: id, entity: transmission.entityID, reply: .refusal(.authentication)))
                return
            }
            if let refusal = passwordRefusal(command, in: &run) {
                counters.count(command.tag, .refusal(refusal))
                run.executed.append(
                    BlockRun.Answer(correlationID: id, entity: transmission.entityID, reply: .refusal(refusal)))
                return
            }
            let execution: Execution
            switch proxyRequest(command, transmission, run.session) {
            case .success(let request):
                counters.add { $0.commands[command.tag, default: 0] += 1 }
                return run.output.forwards.append(request)
            case .failure(let error):
                execution = .refusal(error)
                counters.count(command.tag, execution)
            case nil:
                if command.tag.promises { run.output.mustBeWritten = true }
                execution = execute(command, transmission, run.session)
            }
            run.executed.append(
                BlockRun.Answer(correlationID: id, entity: transmission.entityID, reply: execution.reply))
            run.events += execution.events
            run.output.pushes += execution.pushes
            run.output.position = max(run.output.position, execution.position)
        }
    }

    /// Why a command with a password is refused. After the first wrong one of a block no other is looked at: a block is one
    /// guess.
    private func passwordRefusal(_ command: Command, in run: inout BlockRun) -> SMPError? {
        guard creation.password != nil, let given = command.givenPassword else { return nil }
        if !run.output.hasWrongPassword, creation.permits(password: given) { return nil }
        run.output.hasWrongPassword = true
        return command.tag == .new ? .authentication : .proxy(.basicAuthentication)
    }

    /// Answers a block that could not be read at all.
    package func refuseBlock(version: SMPVersion) -> [[UInt8]] {
        payloads(
            refused: [BlockRun.Answer(correlationID: .none, entity: .none, reply: .refusal(.block))], executed: [],
            events: [],
            version)
    }

    /// All commands are authorised against the state before the block (SMP fact sheet §9.2).
    private func lookUp(_ incoming: [IncomingCommand]) -> [KeyLookup] {
        store.withLock { store in
            incoming.map { item in
                if case .command(let transmission, let command) = item {
                    store.keys(for: command, entity: transmission.entityID)
                } else {
                    KeyLookup.missing
                }
            }
        }
    }

    private func payloads(
        refused: [BlockRun.Answer], executed: [BlockRun.Answer], events: [Push], _ version: SMPVersion
    ) -> [[UInt8]] {
        let errors = refused.compactMap { encode($0, version) }
        let responses = executed.compactMap { encode($0, version) }
        let followers = events.compactMap {
            encode(BlockRun.Answer(correlationID: .none, entity: $0.entity, reply: $0.reply), version)
        }
        let together = responses.count <= Self.responsesWithEvents
        let groups = [errors] + (together ? [responses + followers] : [responses, followers])
        return groups.flatMap { (try? Batch.pack($0)) ?? [] }
    }

    private func encode(_ answer: BlockRun.Answer, _ version: SMPVersion) -> [UInt8]? {
        answer.reply.transmission(answer.correlationID, answer.entity, version)
    }

    /// Carries an authorised command out.
    func execute(_ command: Command, _ transmission: Transmission, _ session: SessionContext) -> Execution {
        let execution =
            command.tag.changesState && !command.tag.makesRoom && writer.isFailing
            ? .refusal(.store("no room")) : carryOut(command, transmission, session)
        counters.count(command.tag, execution)
        return execution
    }

    private func carryOut(
        _ command: Command, _ transmission: Transmission, _ session: SessionContext
    ) -> Execution {
        switch command {
        case .new(let request): create(request, transmission.correlationID, session)
        case .setNotifier(let keys): setNotifier(keys, transmission.entityID, session.number)
        case .send(let notify, let body):
            send(transmission.entityID, notify: notify, body: body, session)
        case .forwardToRelay(let sealed):
            forward(sealed, transmission.correlationID, session)
        case .ping: Execution(.plain(.pong))
        case .subscribeService, .subscribeNotifierService: .refusal(.command(.prohibited))
        default:
            inStore { $0.execute(command, entity: transmission.entityID, session: session.number) }
        }
    }

    /// Changes the store, and notes how far it was changed then, while nobody else can: the lock is taken often enough.
    private func inStore(_ body: (inout QueueStore) -> Execution) -> Execution {
        store.withLock { store in
            var execution = body(&store)
            execution.position = store.journal.position
            return execution
        }
    }

    private func create(
        _ request: QueueRequest, _ correlationID: CorrelationID, _ session: SessionContext
    ) -> Execution {
        guard creation.permits(request) else { return .refusal(.authentication) }
        do {
            let agreement = try entropy.agreement(request.agreementKey)
            let notifier = try request.notifier.map { try entropy.agreement($0.agreementKey) }
            return inStore {
                $0.create(
                    request, correlationID: correlationID, agreement: agreement, notifier: notifier,
                    session: session.number, origin: session.origin)
            }
        } catch {
            // The client's key is a point of small order.
            return .refusal(.command(.syntax))
        }
    }

    private func setNotifier(
        _ keys: NotifierKeys, _ entity: EntityID, _ session: SessionNumber
    ) -> Execution {
        guard let agreement = try? entropy.agreement(keys.agreementKey) else { return .refusal(.command(.syntax)) }
        return inStore { store in
            store.blocking(entity) ?? store.setNotifier(keys, agreement: agreement, queue: entity, session: session)
        }
    }

    private func send(_ entity: EntityID, notify: Bool, body: [UInt8], _ session: SessionContext) -> Execution {
        let (time, seen) = (clock(), age?.now)
        let limit = SMPLimits.sentBody(session.version)
        return inStore {
            $0.send(
                entity, notify: notify, body: body, limit: limit, time: time, seen: seen,
                origin: session.origin)
        }
    }
}

extension CommandTag {
    /// Whether the command may change what has to be on disk.
    fileprivate var changesState: Bool {
        switch self {
        case .new, .acknowledge, .setSenderKey, .setRecipientKeys, .setLinkData, .deleteLinkData, .setNotifier,
            .deleteNotifier, .suspend, .delete, .secure, .send, .secureAndGetLink:
            true
        case .subscribe, .get, .queueInfo, .getLink, .subscribeNotifier, .ping, .openProxySession, .forwardToProxy,
            .forwardToRelay, .subscribeService, .subscribeNotifierService:
            false
        }
    }

    /// Whether the command needs no room on disk, but makes some: then it is carried out while the disk is full, too.
    fileprivate var makesRoom: Bool {
        switch self {
        case .acknowledge, .delete, .suspend: true
        default: false
        }
    }

    /// Whether the answer promises what has to be on disk before.
    ///
    /// The answer to ACK promises nothing: should the relay lose the removal, it delivers the message again with the same
    /// id, as it does when the ACK itself was lost, and recipients tell it by the id (SMP fact sheet §9.2 and §11).
    fileprivate var promises: Bool {
        switch self {
        case .acknowledge: false
        // A forwarded command may be any that a sender has.
        case .forwardToRelay: true
        default: changesState
        }
    }
}

extension Command {
    /// The password that it brings along.
    var givenPassword: RelayPassword? {
        switch self {
        case .new(let request): request.password
        case .openProxySession(_, let password): password
        default: nil
        }
    }
}
