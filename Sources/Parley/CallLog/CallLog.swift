import Agent
import BaseKit
import Calling
import Logging
import Signaling

/// The log of an account's calls in the agent's sealed store, with an index of what is looked through. The index is read as far as
/// somebody looks back, and on from there in small slices once a page was given, so that a look through all of it finds it read.
package actor CallLog {
    /// What happens to the log.
    nonisolated let changes = Broadcaster<CallLogChange>()
    /// The calls that go on.
    nonisolated let underWay = CallsUnderWay()
    /// How it is kept.
    private(set) var settings = CallLogSettings()

    private let agent: Agent
    private let wallClock: @Sendable () -> Int64
    private let logger = Logger(label: "im.parley.account")
    private var index = CallLogIndex()
    private var reading: Task<Void, any Error>?
    private var readingAhead: Task<Void, Never>?
    /// Calls that are over and not on disk, oldest first.
    private var waiting: [CallRecord] = []
    private var isWriting = false
    /// Whether another attempt is due.
    private var isPausing = false

    /// How often the store did not take what had to be kept.
    private(set) var failureCount = 0
    /// How many calls were lost because too many waited for the store.
    private(set) var lostCount = 0
    /// How many entries could not be read.
    private(set) var unreadableCount = 0

    package static let collection = "calls"
    static let settingsName = "call-log"
    /// How many calls wait for a store that fails.
    static let waitingLimit = 500
    /// How many are written in one transaction.
    private static let batch = 50
    /// How long a store that failed is left alone.
    private static let pause: Duration = .seconds(2)
    /// How many keys are read ahead at once, about a millisecond's work, and how long the agent is left alone after each slice.
    private static let slice = 200
    private static let breath: Duration = .milliseconds(1)
    /// How many calls the index has after which nothing more is read ahead: 12 MB of memory.
    private static let aheadLimit = 500_000

    package init(agent: Agent, wallClock: @escaping @Sendable () -> Int64 = { SystemCallClock().wallClock() }) {
        self.agent = agent
        self.wallClock = wallClock
    }

    /// Reads the settings and what a former process has left; before anything else.
    /// - Throws: `AgentError`.
    package func open() async throws {
        if let bytes = try await agent.applicationData(Self.settingsName) {
            settings = CallLogSettings(decoding: bytes) ?? CallLogSettings()
        }
        try await underWay.restore(from: agent)
    }

    // MARK: Writing

    /// Keeps a call that is over, if calls are kept. It is written soon.
    package func add(_ record: CallRecord) async {
        if settings.isOn {
            if waiting.count < Self.waitingLimit {
                waiting.append(record)
            } else {
                lostCount += 1
                logger.error("A call was not kept, for \(waiting.count) wait for the store")
            }
        }
        await store()
        await forgetOld()
    }

    /// How many calls wait for the store.
    var waitingCount: Int { waiting.count }

    /// Writes what is not on disk yet: calls that are over and, in the same transaction, which ones go on.
    func store() async {
        guard !isWriting else { return }
        isWriting = true
        defer { isWriting = false }
        while true {
            let (records, draft) = (Array(waiting.prefix(Self.batch)), underWay.draft())
            guard !records.isEmpty || draft != nil else { return }
            do {
                let numbers = try await agent.appendRecords(
                    records.map { ApplicationRecordDraft(key: CallRecordKey($0).encoded(), value: $0.encoded()) },
                    to: Self.collection, keeping: draft?.value)
                if let draft { underWay.settle(draft) }
                waiting.removeFirst(records.count)
                for (number, record) in zip(numbers, records) { insert(LoggedCall(id: number, record: record)) }
            } catch {
                return fail(error)
            }
        }
    }

    private func insert(_ call: LoggedCall) {
        if index.append(call.id, CallRecordKey(call.record)) { changes.send(.inserted(call)) }
    }

    /// Counted, logged and tried again later; also when the agent says that its store works.
    private func fail(_ error: any Error) {
        failureCount += 1
        guard error as? AgentError != .stopped, !isPausing else { return }
        isPausing = true
        logger.error("Calls could not be kept yet: \(error)")
        Task { [weak self] in
            try? await Task.sleep(for: Self.pause)
            await self?.tryAgain()
        }
    }

    private func tryAgain() async {
        isPausing = false
        await store()
    }

    // MARK: Reading

    /// The next calls of a cursor, and the cursor behind them.
    /// - Throws: `AgentError`.
    func page(_ cursor: CallLogCursor, limit: Int) async throws -> (CallLogCursor, [LoggedCall]) {
        var cursor = cursor
        while true {
            switch cursor.next(limit, in: index) {
            case .needsOlder: try await addOlder()
            case .page(let numbers):
                let records = try await agent.records(of: Self.collection, numbers: numbers)
                readAhead()
                return (cursor, records.compactMap(read))
            }
        }
    }

    /// Reads the rest of the index while nobody waits for it. Whoever comes meanwhile reads with it; a store that fails ends it until the
    /// next page, and an agent that has stopped for good.
    private func readAhead() {
        guard readingAhead == nil, !index.isComplete, index.count < Self.aheadLimit else { return }
        readingAhead = Task(priority: .utility) { [weak self] in
            while await self?.readSlice() == true { try? await Task.sleep(for: Self.breath) }
        }
    }

    /// - Returns: Whether there is more to read.
    private func readSlice() async -> Bool {
        do {
            try await addOlder(Self.slice)
            if !index.isComplete, index.count < Self.aheadLimit { return true }
        } catch {
            logger.debug("The call log is not read ahead: \(error)")
        }
        readingAhead = nil
        return false
    }

    /// Waits until nothing more is read ahead.
    package func readingAheadEnded() async { await readingAhead?.value }

    /// How many calls the index has.
    var indexedCount: Int { index.count }

    /// Everybody calls are kept of, under the names they had.
    /// - Throws: `AgentError`.
    func contacts() async throws -> [(contact: ContactID, name: String)] {
        while !index.isComplete { try await addOlder() }
        return index.contacts
    }

    private func read(_ record: ApplicationRecord) -> LoggedCall? {
        do {
            return LoggedCall(id: record.number, record: try CallRecord(decoding: record.value))
        } catch {
            unreadableCount += 1
            logger.error("An entry of the call log can't be read: \(error)")
            return nil
        }
    }

    /// Reads on in the log, once for all who wait for it.
    private func addOlder(_ count: Int = Agent.recordBatch) async throws {
        if let reading { return try await reading.value }
        let reading = Task {
            // Not by whoever waits: until that one goes on, everybody else would find a task that has ended, wait for nothing and look again.
            defer { self.reading = nil }
            try await readOlder(count)
        }
        self.reading = reading
        try await reading.value
    }

    private func readOlder(_ count: Int) async throws {
        guard !index.isComplete else { return }
        let keys = try await agent.recordKeys(of: Self.collection, before: index.oldest, limit: count)
        let decoded = keys.map { (number: $0.number, key: try? CallRecordKey(decoding: $0.key)) }
        index.add(older: decoded, isLast: keys.count < count)
    }

    // MARK: Deleting

    /// Deletes calls, on disk before this returns.
    /// - Throws: `AgentError`.
    package func delete(_ numbers: Set<Int64>) async throws {
        guard !numbers.isEmpty else { return }
        try await agent.deleteRecords(of: Self.collection, numbers: numbers.sorted())
        index.remove(numbers)
        changes.send(.removed(numbers))
    }

    /// Deletes every call that is over by now.
    /// - Throws: `AgentError`; then some may be left.
    func deleteAll() async throws {
        if !isWriting { waiting = [] }
        guard let last = try await agent.deleteRecords(of: Self.collection) else { return }
        index.remove(upTo: last)
        changes.send(.removedAll(upTo: last))
    }

    // MARK: Settings

    /// Keeps calls so from now on; what is too old by that goes.
    /// - Throws: `AgentError`.
    func set(_ settings: CallLogSettings) async throws {
        try await agent.setApplicationData(Self.settingsName, to: settings.encoded())
        self.settings = settings
        await forgetOld()
    }

    /// Deletes what is older than calls are to be kept.
    func forgetOld() async {
        guard let seconds = settings.period.seconds else { return }
        do {
            while !index.isComplete { try await addOlder() }
            try await delete(Set(index.numbers(before: wallClock() - seconds)))
        } catch {
            logger.error("Old calls could not be deleted yet: \(error)")
        }
    }

    /// Nobody hears of it any more.
    nonisolated func finish() { changes.finish() }
}
