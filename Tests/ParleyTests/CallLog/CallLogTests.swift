import Calling
import Cryptography
import Foundation
import Signaling
import Synchronization
import TestSupport
import Testing

@testable import Agent
@testable import Parley

extension CallRecord {
    /// A call with what matters here.
    static func sample(
        _ contact: String = "ann", name: String = "Ann", _ direction: CallDirection = .incoming,
        at startedAt: Int64 = 1_000, _ result: CallResult = .completed
    ) -> CallRecord {
        CallRecord(
            callID: .random(), contact: ContactID(rawValue: contact), name: name, direction: direction, media: .audio,
            startedAt: startedAt, endedAt: startedAt, result: result, reason: nil)
    }
}

/// A log in a store of its own, without relays and calls.
private struct LogWorld: Sendable {
    let agent: Agent
    let log: CallLog
    let folder: TemporaryFolder
    let now: Clock

    final class Clock: Sendable {
        let time = Mutex<Int64>(1_000_000)
    }

    init(_ folder: TemporaryFolder? = nil) async throws {
        self.folder = try folder ?? TemporaryFolder()
        let now = Clock()
        self.now = now
        agent = try await Agent(
            configuration: AgentConfiguration(
                directory: self.folder.file("agent"), storeKey: SecretBytes([UInt8](repeating: 7, count: 32)),
                relays: []))
        log = CallLog(agent: agent, wallClock: { now.time.withLock { $0 } })
        try await log.open()
    }

    /// The same store in the next life.
    func again() async throws -> LogWorld {
        await agent.stop()
        return try await LogWorld(folder)
    }

    func query(_ filter: CallLogFilter = CallLogFilter(), text: CallLogText? = nil, limit: Int = 10) -> CallLogQuery {
        CallLogQuery(log, filter, text: text, limit: limit, before: .max)
    }

    func add(_ count: Int, at time: Int64 = 1_000) async {
        for number in 0..<count { await log.add(.sample(at: time + Int64(number))) }
    }

    /// Calls that began at 1, 2 and so on, as their numbers are.
    func fill(_ count: Int) async throws {
        let records = (1...count).map { CallRecord.sample(at: Int64($0)) }
        _ = try await agent.appendRecords(
            records.map { ApplicationRecordDraft(key: CallRecordKey($0).encoded(), value: $0.encoded()) },
            to: CallLog.collection)
    }

    func times() async throws -> [Int64] { try await query(limit: 10_000).next().map(\.record.startedAt) }

    /// Lets every commit fail, or none.
    func fail(_ isFailing: Bool) {
        agent.store.interruption.withLock { hook in
            hook = { moment in if isFailing, moment == .beforeCommit { throw StoreError.full } }
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct CallLogTests {
    @Test func `calls come back in the next life, newest first and page by page`() async throws {
        let first = try await LogWorld()
        await first.add(25)
        let world = try await first.again()
        let query = world.query()
        var pages: [[Int64]] = []
        while query.hasNext { pages.append(try await query.next().map(\.record.startedAt)) }
        #expect(pages.map(\.count) == [10, 10, 5])
        #expect(pages.flatMap(\.self) == (0..<25).reversed().map { 1_000 + $0 })
        #expect(!query.isLoading)
        await world.agent.stop()
    }

    @Test func `pages that are asked for at once come one after the other`() async throws {
        let world = try await LogWorld()
        await world.add(30)
        let query = world.query(limit: 1)
        let pages = try await withThrowingTaskGroup { group in
            for _ in 0..<30 { group.addTask { try await query.next() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(pages.allSatisfy { $0.count == 1 } && Set(pages.joined().map(\.id)).count == 30)
        await world.agent.stop()
    }

    @Test func `a filter and a text find their calls in thousands`() async throws {
        let world = try await LogWorld()
        let records = (0..<2_500).map { number -> CallRecord in
            let isZoe = number % 500 == 0
            let direction: CallDirection = number % 2 == 0 ? .incoming : .outgoing
            let result: CallResult = number % 10 == 0 ? .noAnswer : .completed
            return .sample(isZoe ? "zoe" : "ann", name: isZoe ? "Zoë" : "Ann", direction, at: Int64(number), result)
        }
        _ = try await world.agent.appendRecords(
            records.map { ApplicationRecordDraft(key: CallRecordKey($0).encoded(), value: $0.encoded()) },
            to: CallLog.collection)
        let text = try #require(CallLogText("zoe", names: [:]))
        let found = world.query(text: text)
        #expect(try await found.next().map(\.record.startedAt) == [2_000, 1_500, 1_000, 500, 0])
        #expect(!found.hasNext)
        var filter = CallLogFilter()
        filter.onlyMissed = true
        let missed = try await world.query(filter, limit: 1_000).next()
        #expect(missed.count == 250 && missed.allSatisfy { $0.record.isMissed })
        await world.agent.stop()
    }

    @Test func `the index is read on once a page was given, and not before`() async throws {
        let first = try await LogWorld()
        try await first.fill(2_500)
        let world = try await first.again()
        await world.log.readingAheadEnded()
        #expect(await world.log.indexedCount == 0)
        #expect(try await world.query().next().count == 10)
        await world.log.readingAheadEnded()
        #expect(await world.log.indexedCount == 2_500)
        await world.agent.stop()
    }

    @Test func `what ends, is deleted and is looked for while the index is read on is right`() async throws {
        let first = try await LogWorld()
        try await first.fill(2_500)
        let world = try await first.again()
        _ = try await world.query().next()
        async let all = world.times()
        try await world.log.delete([1, 700, 2_500])
        await world.log.add(.sample(at: 9_000))
        #expect(try await all.count >= 2_497)
        await world.log.readingAheadEnded()
        let wanted = [9_000] + (1...2_500).filter { ![1, 700, 2_500].contains($0) }.reversed().map { Int64($0) }
        #expect(try await world.times() == wanted)
        #expect(await world.log.indexedCount == wanted.count)
        await world.agent.stop()
    }

    @Test func `nothing is read on when the agent has stopped`() async throws {
        let first = try await LogWorld()
        try await first.fill(2_500)
        let world = try await first.again()
        _ = try await world.query().next()
        await world.agent.stop()
        try await limited("reading on ends") { await world.log.readingAheadEnded() }
        let count = await world.log.indexedCount
        await #expect(throws: AccountError.self) { while true { _ = try await world.query(limit: 10_000).next() } }
        #expect(await world.log.indexedCount == count)
    }

    @Test func `who looks hears of calls that end and are deleted`() async throws {
        let world = try await LogWorld()
        await world.add(2)
        var filter = CallLogFilter()
        filter.direction = .incoming
        let query = world.query(filter)
        let calls = try await query.next()
        var changes = query.changes.makeAsyncIterator()
        await world.log.add(.sample("ann", .outgoing))
        await world.log.add(.sample("ann", .incoming, at: 5))
        guard case .inserted(let call) = await changes.next() else {
            Issue.record("no call")
            return
        }
        // Not the outgoing one, which is not looked for.
        #expect(call.record.startedAt == 5)
        try await world.log.delete([calls[0].id])
        #expect(await changes.next() == .removed([calls[0].id]))
        #expect(try await world.times().count == 3)
        try await world.log.deleteAll()
        #expect(await changes.next() == .removedAll(upTo: call.id))
        #expect(try await world.times() == [])
        #expect(try await world.agent.recordCount(of: CallLog.collection) == 0)
        world.log.finish()
        #expect(await changes.next() == nil)
        await world.agent.stop()
    }

    @Test func `a log that is off keeps no calls, and those it has stay`() async throws {
        let first = try await LogWorld()
        await first.add(1)
        var settings = CallLogSettings()
        settings.isOn = false
        try await first.log.set(settings)
        await first.add(3)
        let world = try await first.again()
        #expect(await world.log.settings == settings)
        await world.add(1)
        #expect(try await world.times() == [1_000])
        await world.agent.stop()
    }

    @Test func `calls that are too old go when another is kept and when the time is changed`() async throws {
        let world = try await LogWorld()
        await world.add(3, at: 1_000_000 - 8 * 86_400)
        await world.add(2, at: 1_000_000 - 3 * 86_400)
        var settings = CallLogSettings()
        settings.period = .week
        try await world.log.set(settings)
        #expect(try await world.times().count == 2)
        world.now.time.withLock { $0 += 5 * 86_400 }
        #expect(try await world.times().count == 2)
        await world.add(1, at: 1_000_000 + 5 * 86_400)
        #expect(try await world.times() == [1_000_000 + 5 * 86_400])
        await world.agent.stop()
    }

    @Test func `calls stay for ever unless somebody says otherwise`() async throws {
        #expect(CallLogSettings().isOn && CallLogSettings().period == .forever)
        #expect(CallLogSettings.Period.forever.seconds == nil)
        for period in CallLogSettings.Period.allCases {
            var settings = CallLogSettings()
            settings.period = period
            #expect(CallLogSettings(decoding: settings.encoded()) == settings)
        }
        #expect(CallLogSettings(decoding: [1, 2]) == nil)
    }

    @Test func `a store that fails loses no call`() async throws {
        let world = try await LogWorld()
        await world.add(1)
        world.fail(true)
        await world.add(3, at: 2_000)
        #expect(await world.log.failureCount > 0)
        #expect(await world.log.waitingCount == 3)
        #expect(try await world.times() == [1_000])
        world.fail(false)
        await world.log.store()
        #expect(await world.log.waitingCount == 0)
        #expect(try await world.times() == [2_002, 2_001, 2_000, 1_000])
        await world.agent.stop()
    }

    @Test func `a store that works again is found without anybody's saying so`() async throws {
        let world = try await LogWorld()
        world.fail(true)
        await world.add(1)
        world.fail(false)
        try await waitUntil("the call is kept", within: .seconds(30)) { try await world.times() == [1_000] }
        await world.agent.stop()
    }

    @Test func `those that wait for a store are bounded and what is lost is counted`() async throws {
        let world = try await LogWorld()
        world.fail(true)
        await world.add(CallLog.waitingLimit + 2)
        #expect(await world.log.waitingCount == CallLog.waitingLimit)
        #expect(await world.log.lostCount == 2)
        world.fail(false)
        await world.agent.stop()
    }

    @Test func `an entry that can't be read is passed over and counted`() async throws {
        let world = try await LogWorld()
        await world.add(1)
        let key = CallRecordKey(.sample(at: 2_000)).encoded()
        _ = try await world.agent.appendRecords(
            [
                ApplicationRecordDraft(key: key, value: [9]), ApplicationRecordDraft(key: [9], value: [9]),
            ], to: CallLog.collection)
        let again = try await world.again()
        #expect(try await again.times() == [1_000])
        #expect(await again.log.unreadableCount == 1)
    }

    @Test func `names and times are nowhere in clear`() async throws {
        let world = try await LogWorld()
        await world.log.add(.sample("a contact's id", name: "Annabella Nobody"))
        await world.agent.stop()
        let folder = world.folder.file("agent")
        for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + file))
            for text in ["Annabella", "a contact's id"] { #expect(bytes.range(of: Data(text.utf8)) == nil) }
        }
    }
}

/// Calls that go on when the process ends.
@Suite(.timeLimit(.minutes(5))) struct CallsUnderWayTests {
    private func call(_ id: UInt8, _ direction: CallDirection = .outgoing, answeredAt: Int64? = nil) throws
        -> CallUnderWay
    {
        CallUnderWay(
            callID: try #require(CallID(bytes: [id])), contact: ContactID(rawValue: "ann"), name: "Ann",
            direction: direction, media: .video, startedAt: 10, answeredAt: answeredAt)
    }

    @Test func `what is written comes back`() throws {
        let calls = [try call(1), try call(2, .incoming, answeredAt: 20)]
        #expect(CallsUnderWay.decoded(try #require(CallsUnderWay.encoded(calls))) == calls)
        var several = try call(3)
        several.members = [
            CallRecord.Member(name: "Ann", contact: several.contact), CallRecord.Member(name: "Zed"),
        ]
        #expect(CallsUnderWay.decoded(try #require(CallsUnderWay.encoded([several]))) == [several])
        #expect(several.cutOff.members == several.members && several.cutOff.name == "Ann, Zed")
        #expect(CallsUnderWay.decoded([1]) == nil)
        #expect(CallsUnderWay.decoded(Array("[]".utf8)) == [])
    }

    @Test func `what an earlier Parley wrote opens`() throws {
        let earlier = #"[{"call":"AQ","contact":"ann","name":"Ann","isOutgoing":true,"media":"video","startedAt":10}]"#
        #expect(CallsUnderWay.decoded(Array(earlier.utf8)) == [try call(1)])
    }

    @Test func `a call that was on was lost, another failed`() throws {
        #expect(try call(1).cutOff.result == .dialFailed)
        #expect(try call(1, .incoming).cutOff.result == .acceptFailed)
        #expect(try call(1, answeredAt: 20).cutOff.result == .connectionLost)
        #expect(try call(1, answeredAt: 20).cutOff.answeredAt == 20)
    }

    @Test func `a call that is over does not begin again`() throws {
        let calls = CallsUnderWay()
        let id = try #require(CallID(bytes: [1]))
        calls.begin(try call(1))
        calls.answer(id, at: 5)
        #expect(calls.end(id) == nil)
        let draft = try #require(calls.draft())
        #expect(draft.value.content() == nil)
        calls.settle(draft)
        calls.begin(try call(1))
        #expect(calls.draft() == nil && calls.hasEnded(id))
    }

    @Test func `what has changed while it was written is written again`() throws {
        let calls = CallsUnderWay()
        calls.begin(try call(1))
        let draft = try #require(calls.draft())
        _ = draft.value.content()
        calls.begin(try call(2))
        calls.settle(draft)
        let next = try #require(calls.draft())
        #expect(CallsUnderWay.decoded(try #require(next.value.content()))?.count == 2)
        calls.settle(next)
        #expect(calls.draft() == nil)
    }
}
