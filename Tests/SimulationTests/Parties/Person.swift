import Cryptography
import GRDB
import SMP
import SMPTransport

@testable import Agent
@testable import SMPSession

/// Somebody with an agent: the application, what it has written down, and the process that can die. On the world's thread
/// only.
final class Person: @unchecked Sendable {
    /// One run of the process.
    final class Life: @unchecked Sendable {
        let agent: Agent
        let store: AgentStore
        var isOver = false
        /// Commits until the process dies; nil for none.
        var lastCommits: Int?
        /// Whether the agent says that nothing can be stored.
        var isStoreFailing = false
        /// What the store is when the program ends in the ordinary way; it can't be copied once it is closed.
        var lastMemory: DatabaseQueue?
        /// Why no ratchet may be renewed in this life by this side; nil when one may.
        var reasonToGoOn: String?
        /// Messages that were offered in this life.
        var offered: Set<Int64> = []

        init(_ agent: Agent, _ store: AgentStore) {
            self.agent = agent
            self.store = store
        }
    }

    /// A message this person wanted to send.
    struct Attempt {
        let index: Int
        /// The agent's number, once it said that the message is stored.
        var number: Int64?
        var isSent = false
        /// After all accidents.
        var isLast = false
    }

    let name: String
    let relays: [SimulatedRelay]
    /// The relays of its settings; it reaches the others through these.
    private let own: [SimulatedRelay]
    let network: Network
    private(set) var memory: DatabaseQueue
    /// The store as it is on disk, also while the program ends and has closed it.
    private var disk: DatabaseQueue { life?.lastMemory ?? memory }
    private(set) var life: Life?
    private var lifeCount = 0

    // What the application has written down; it survives its process.
    var connection: ConnectionID?
    /// What this person's own link leads to.
    var linkOwner: ConnectionID?
    var attempts: [Attempt] = []
    var taken: [Int] = []
    var takenNumbers: Set<Int64> = []
    var acknowledged: Set<Int64> = []
    /// Of which a receipt was asked for, and the agent had stored that.
    var receipted: [Int] = []
    /// Messages of this person of which the peer's receipt was told.
    var received: Set<Int64> = []
    /// The first process of this person died at some time.
    var hasDied = false

    /// What its store does instead of committing.
    var storeFault: StoreFault?

    // How it behaves.
    var patience: ClosedRange<Int> = 0...0
    var receiptProbability = 0.0
    var believesLostAnswers = false
    var believesBrokerErrors = false
    /// A fault to see that the simulation notices: a death takes the last commits along.
    var losesCommits = 0
    /// The lines of this life.
    private var lines: [LineState] = []
    /// Faults to see that the simulation notices: copies are not told from what they were copied of; the store forgets what
    /// has changed since the last note.
    var trustsCopies = false
    var forgetsChanges = false
    /// Whether it is looked how the notes follow the ratchet, and whether nothing keeps them from doing so.
    var isWatched = false
    var isUndisturbed = false
    /// Earlier states of the store, and those in which the program had been ended.
    private var copies: [(memory: DatabaseQueue, seen: NoteWatch.Copy)] = []
    private var closedCopies: [DatabaseQueue] = []
    /// What the files look like at the next start.
    private var files = StoreFiles.untouched
    private var reasonToGoOn: String?
    private var keys = MessageKeyWatch()
    private var notes = NoteWatch()
    /// When the ratchet has moved last, or the last life began.
    private var lastMove: Int64 = 0
    /// The senders' ids of queues that hold a note of this person's; a copy that is put back may have forgotten them.
    private(set) var bookmarks: Set<[UInt8]> = []
    private var snapshots: [DatabaseQueue] = []
    private var hasCommitted = false

    /// What the application does with news that are not about messages.
    var onEvent: (AgentEvent) -> Void = { _ in }
    /// Asked for at each start of the process.
    var onStart: () -> Void = {}

    static let storeKey = SecretBytes((0..<32).map { UInt8($0) })

    /// - Parameter ownCount: how many of the relays are its own, from the first.
    init(_ name: String, relays: [SimulatedRelay], ownCount: Int, network: Network, memory: DatabaseQueue?) throws {
        self.name = name
        self.relays = relays
        own = Array(relays.prefix(ownCount))
        self.network = network
        self.memory = try memory ?? Self.emptyMemory()
    }

    static func emptyMemory() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        return try DatabaseQueue(configuration: configuration)
    }

    static func copy(_ memory: DatabaseQueue) throws -> DatabaseQueue {
        let copy = try emptyMemory()
        try memory.backup(to: copy)
        return copy
    }

    var isAlive: Bool { life != nil }

    // MARK: Life

    func start() {
        guard life == nil else { return }
        do {
            lifeCount += 1
            if forgetsChanges { try memory.write { try $0.execute(sql: "UPDATE connection SET changedAfterNote = 0") } }
            let store = try AgentStore(memory, key: Self.storeKey, files: trustsCopies ? .untouched : files)
            files = .untouched
            if let bookmark = try store.read({ try $0.bookmark() }) { bookmarks.insert(bookmark.senderID) }
            var transport = TransportConfiguration()
            transport.logger = .silent
            let configuration = AgentConfiguration(
                directory: "", storeKey: Self.storeKey, relays: own.map(\.address), transport: transport,
                logger: .silent)
            let agent = Agent(configuration: configuration, surroundings: surroundings(), store: store)
            let life = Life(agent, store)
            (life.reasonToGoOn, reasonToGoOn) = (reasonToGoOn, nil)
            self.life = life
            lastMove = network.scheduler.now
            watchCommits(of: life)
            memory.add(transactionObserver: CommitCounter(self, life), extent: .databaseLifetime)
            network.note("\(name) starts, life \(lifeCount)")
            perform { person, life in
                await life.agent.start()
                for await event in life.agent.events {
                    guard !life.isOver else { return }
                    person.heard(event, life)
                }
            }
            onStart()
            adopt()
        } catch {
            network.complain("\(name) can't start: \(error)")
        }
    }

    private func surroundings() -> AgentSurroundings {
        let scheduler = network.scheduler
        let relays = relays
        let (believes, believesBroker) = (believesLostAnswers, believesBrokerErrors)
        lines = []
        let person = Unchecked(self)
        return AgentSurroundings(
            clock: WorldClock(scheduler: scheduler), chance: Chance { scheduler.bits() },
            executor: WorldExecutor(scheduler),
            makeLine: { address, transport in
                let relay = relays.first { $0.address.keyHash == address.keyHash } ?? relays[0]
                if !person.value.own.contains(where: { $0 === relay }) {
                    person.value.network.complain("\(person.value.name) dials \(relay.name), which is not its own")
                }
                let state = LineState(
                    to: relay, scheduler, believesLostAnswers: believes, believesBrokerErrors: believesBroker)
                person.value.lines.append(state)
                state.onRequest = { person.value.watch($0) }
                state.onAnswer = { person.value.watch($0, $1) }
                return SimulatedLine(state, to: address, versions: transport.versions)
            })
    }

    /// The process dies after so many more commits to its store; 0 for now.
    func die(afterCommits count: Int) {
        guard let life, life.lastCommits == nil else { return }
        life.lastCommits = count
    }

    /// No death that was to come does.
    func neverDies() { life?.lastCommits = nil }

    /// Carries out a death that has come; after each step of the world.
    func dieIfDoomed() {
        if losesCommits > 0, hasCommitted { rememberForLosing() }
        guard let life, life.lastCommits == 0 else { return }
        do {
            let last = losesCommits > 0 ? snapshots.first ?? disk : disk
            snapshots = []
            network.note("\(name) dies")
            hasDied = true
            life.isOver = true
            self.life = nil
            // Its sockets close with it.
            for line in lines { line.stop() }
            let kept = try Self.copy(last)
            // The process is gone: what is left of its tasks ends without being heard.
            Task { await life.agent.stop() }
            memory = kept
        } catch {
            network.complain("\(name) can't die: \(error)")
        }
    }

    /// Ends for good.
    func stop() {
        guard let life else { return }
        life.isOver = true
        self.life = nil
        for line in lines { line.stop() }
        Task { await life.agent.stop() }
    }

    /// Called before each commit; an error undoes it.
    fileprivate func willCommit(_ life: Life) throws {
        if life.isOver || life.lastCommits == 0 { throw CancellationError() }
        if var fault = storeFault {
            let isOver = fault.isOver(now: network.scheduler.now)
            storeFault = isOver ? nil : fault
            if !isOver { throw DatabaseError(resultCode: fault.code) }
        }
        hasCommitted = true
        if let left = life.lastCommits { life.lastCommits = left - 1 }
    }

    // MARK: Copies of the store

    /// Ends the program in the ordinary way and starts it again so much later. A copy of the closed store is kept.
    func close(for pause: Int64) {
        perform { person, life in
            // Once: a second time the store may be closed.
            guard life.lastMemory == nil else { return }
            life.lastMemory = try? Self.copy(person.memory)
            await life.agent.stop()
            person.closed(life)
            person.network.scheduler.after(pause) { person.start() }
        }
    }

    private func closed(_ closed: Life) {
        guard life === closed, !closed.isOver else { return }
        network.note("\(name) is closed")
        hasDied = true
        closed.isOver = true
        life = nil
        for line in lines { line.stop() }
        do {
            guard let last = closed.lastMemory else { throw AgentError.stopped }
            memory = last
            // Before its first note nothing could tell this one from later states, were it not for the files.
            let hasNote = try memory.read { try Bool.fetchOne($0, sql: "SELECT isClosed FROM bookmark") } ?? false
            if hasNote { closedCopies.append(try Self.copy(memory)) }
        } catch {
            network.complain("\(name) can't be copied: \(error)")
        }
    }

    /// Copies the store as it is, in the middle of whatever goes on.
    func copyStore() {
        if let copy = try? Self.copy(disk) { copies.append((copy, notes.copy)) }
    }

    /// The process dies, and the next one begins with an earlier state: of the files, which shows; of the whole disk; or of the
    /// disk when the program had ended in order.
    func restoreCopy() {
        let (choice, files): ([DatabaseQueue], StoreFiles) =
            switch network.scheduler.number(0...2) {
            case 0: (copies.map(\.memory), .touched)
            case 1: (copies.filter { notes.protects(from: $0.seen) }.map(\.memory), .cut)
            default: (closedCopies, .untouched)
            }
        guard !choice.isEmpty, let copy = try? Self.copy(choice[network.scheduler.number(0...choice.count - 1)]) else {
            return
        }
        dieNow()
        network.note("\(name) has an earlier store, files: \(files)")
        memory = copy
        self.files = files
        notes.wentBack()
        network.hasTravelled = true
        // The store gives numbers anew.
        acknowledged = []
        takenNumbers = []
    }

    /// The machine ends, and the disk is as it was. After quiet times everything goes on as before.
    func cutPower() {
        guard let life, life.lastCommits == nil else { return }
        let isQuiet = network.scheduler.now > lastMove + Self.latestNote
        if isUndisturbed, isQuiet, !notes.isCurrent { network.complain("\(name) has left no note of its last move") }
        dieNow()
        files = .cut
        reasonToGoOn = isUndisturbed && notes.isCurrent ? "its note was current" : nil
        network.note("\(name) has no power, quiet: \(isQuiet), has to go on: \(reasonToGoOn != nil)")
    }

    /// A note follows a change within a minute; the network takes some time. In milliseconds.
    private static let latestNote: Int64 = 75_000

    private func dieNow() {
        guard life != nil else { return }
        life?.lastCommits = 0
        dieIfDoomed()
    }

    /// Looks at what is on disk after every commit.
    private func watchCommits(of life: Life) {
        let person = Unchecked(self)
        life.store.interruption.withLock {
            $0 = { [weak life] moment in
                guard moment == .afterCommit, let life, !life.isOver else { return }
                person.value.committed(life)
            }
        }
        committed(life)
    }

    private func committed(_ life: Life) {
        if life.lastMemory != nil { life.lastMemory = try? Self.copy(memory) }
        guard isWatched, let connection else { return }
        let found = try? life.store.read { transaction in
            (try transaction.connection(connection)?.ratchet, try transaction.bookmark())
        }
        guard let (ratchet, bookmark) = found else { return }
        let before = notes.moves
        notes.committed(ratchet, queue: bookmark?.senderID, notes: bookmark?.notes ?? [])
        if notes.moves != before { lastMove = network.scheduler.now }
    }

    private func watch(_ request: RelayRequest, _ result: Result<BrokerMessage, RelayRequestError>) {
        guard let note = note(in: request), case .success(.ok) = result else { return }
        notes.taken(note, in: request.entity.bytes)
    }

    /// Only notes are unsigned, go to an own queue, and are as long as a message.
    private func note(in request: RelayRequest) -> [UInt8]? {
        guard case .send(_, let body) = request.command, request.key == nil, bookmarks.contains(request.entity.bytes)
        else { return nil }
        return Array(body.prefix(BookmarkRecord.noteCount))
    }

    /// Looks at what leaves.
    private func watch(_ request: RelayRequest) {
        guard case .send(_, let body) = request.command else { return }
        if request.key == nil, body.count == 16_043, let bookmark = try? life?.store.read({ try $0.bookmark() }) {
            bookmarks.insert(bookmark.senderID)
        }
        if let note = note(in: request) { notes.sent(note, to: request.entity.bytes) }
        guard let connection, let life else { return }
        let queue = try? life.store.read { transaction in
            try transaction.sendQueues(of: connection).first { $0.senderID == request.entity.bytes }
        }
        guard let queue, let message = MessageKeyWatch.message(in: body, queue) else { return }
        if !keys.sees(message) { network.complain("\(name) has encrypted two messages with one key") }
    }

    private func rememberForLosing() {
        hasCommitted = false
        guard life != nil, let snapshot = try? Self.copy(disk) else { return }
        snapshots.append(snapshot)
        if snapshots.count > losesCommits + 1 { snapshots.removeFirst() }
    }

    /// Does something with the agent of this life; it ends with it.
    func perform(_ body: @escaping @Sendable (Person, Life) async -> Void) {
        guard let life else { return }
        Task { await body(self, life) }
    }

    // MARK: The application

    /// A body that tells who sends it and which message it is.
    private func body(_ index: Int, size: Int) -> [UInt8] {
        let head = Array("\(name):\(index):".utf8)
        return head + [UInt8](repeating: UInt8(truncatingIfNeeded: index), count: max(0, size - head.count))
    }

    func send(size: Int, isLast: Bool = false) {
        guard let connection, isAlive else { return }
        let index = attempts.count
        attempts.append(Attempt(index: index, isLast: isLast))
        let body = body(index, size: size)
        network.note("\(name) sends \(index)")
        perform { person, life in
            do {
                let number = try await life.agent.send(body, on: connection, notify: false)
                guard !life.isOver else { return }
                person.attempts[index].number = number
            } catch AgentError.notReady, AgentError.store {
                return
            } catch AgentError.stopped where life.lastMemory != nil {
                // The program was just ended.
                return
            } catch {
                if !life.isOver { person.network.complain("\(person.name) can't send: \(error)") }
            }
        }
    }

    private func heard(_ event: AgentEvent, _ life: Life) {
        network.note("\(name) hears \(String("\(event)".prefix(150)))")
        switch event {
        case .message(let connection, let message) where connection == self.connection: take(message, life)
        case .sent(_, let number):
            guard let index = attempts.firstIndex(where: { $0.number == number }) else { break }
            if attempts[index].isSent, !hasDied {
                network.complainUnlessTravelled("\(name) was told twice that \(index) is sent")
            }
            attempts[index].isSent = true
        case .received(_, let number, let verdict):
            if verdict != .matching { network.complainUnlessTravelled("\(name) got a receipt for something else") }
            received.insert(number)
        case .synchronisation(_, .started) where life.reasonToGoOn != nil:
            network.complain("\(name) renews a ratchet although \(life.reasonToGoOn ?? "")")
        case .storeFailing, .storeRecovered:
            let isFailing = event != .storeRecovered
            if life.isStoreFailing == isFailing { network.complain("\(name) was told twice: \(event)") }
            life.isStoreFailing = isFailing
        case .routing(_, let notice): network.complain("\(name) was told \(notice)")
        default: onEvent(event)
        }
    }

    private func take(_ message: ReceivedMessage, _ life: Life) {
        guard life.offered.insert(message.id).inserted else {
            return network.complain("\(name) was offered message \(message.id) twice in one life")
        }
        if acknowledged.contains(message.id) {
            network.complain("\(name) was offered message \(message.id), which it had acknowledged")
        }
        if message.integrity != .ok {
            network.complainUnlessTravelled("\(name) sees a broken chain: \(message.integrity)")
        }
        let text = String(decoding: message.body.prefix(40), as: UTF8.self)
        let parts = text.split(separator: ":")
        guard parts.count >= 2, parts[0] != name, let index = Int(parts[1]) else {
            return network.complain("\(name) got something nobody sent: \(text)")
        }
        // Offered in an earlier life, written down, and perhaps not acknowledged: nothing new.
        if takenNumbers.insert(message.id).inserted { taken.append(index) }
        let scheduler = network.scheduler
        let wantsReceipt = scheduler.happens(receiptProbability)
        let delay = Int64(scheduler.number(patience))
        let connection = connection ?? ConnectionID(rawValue: "")
        scheduler.after(delay) { [self] in
            guard !life.isOver else { return }
            perform { person, life in
                await life.agent.acknowledge(connection, message: message.id, receipt: wantsReceipt)
                guard !life.isOver, life.lastCommits != 0, person.hasAcknowledged(message.id) else { return }
                person.acknowledged.insert(message.id)
                if wantsReceipt { person.receipted.append(index) }
            }
        }
    }
}

/// Counts a store's commits and lets none through after the last one of a life.
private final class CommitCounter: TransactionObserver {
    private weak var person: Person?
    private let life: Person.Life

    init(_ person: Person, _ life: Person.Life) {
        self.person = person
        self.life = life
    }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseWillCommit() throws { try person?.willCommit(life) }
    func databaseDidCommit(_ database: Database) {}
    func databaseDidRollback(_ database: Database) {}
}
