import Agent
import BaseKit
import Calling
import Cryptography
import Foundation
import Parley
import SMP
import Signaling

/// A log of many calls in a sealed store, and what is asked of it.
struct LogRun: Sendable {
    /// What is measured.
    enum Step: String, CaseIterable, Sendable {
        case open = "open the store"
        case firstPage = "first page"
        case missed = "missed calls, first page, just opened"
        case contact = "a contact's calls, first page, just opened"
        case text = "a name that nobody has, just opened"
        case readAhead = "read ahead after the first page"
        case pageMeanwhile = "a further page meanwhile, the slowest"
        case contactAhead = "a contact's calls, first page, read ahead"
        case textAhead = "a name that nobody has, read ahead"
        case missedAgain = "missed calls, first page, again"
        case contactAgain = "a contact's calls, first page, again"
        case textAgain = "a name that nobody has, again"
        case toTheEnd = "all pages of 50, each"
        case append = "keep a call"
        case delete = "delete a call"

        /// What it may take, in milliseconds.
        var aim: Double? {
            switch self {
            case .firstPage, .pageMeanwhile: 20
            case .missed, .contact, .text: 300
            case .contactAhead, .textAhead, .missedAgain, .contactAgain, .textAgain: 30
            case .readAhead: 3_000
            case .open, .toTheEnd, .append, .delete: nil
            }
        }
    }

    let folder: String
    let calls: Int

    private static let contacts = 200
    private static let key = SecretBytes([UInt8](repeating: 0x5A, count: 32))

    /// How large the store is.
    var bytes: Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.reduce(0) { sum, name in
            let size = try? FileManager.default.attributesOfItem(atPath: folder + "/" + name)[.size] as? Int
            return sum + (size ?? 0)
        }
    }

    private func open() async throws -> (Agent, CallLog) {
        let agent = try await Agent(
            configuration: AgentConfiguration(directory: folder, storeKey: Self.key, relays: []))
        let log = CallLog(agent: agent)
        try await log.open()
        return (agent, log)
    }

    /// Makes the log.
    func fill() async throws {
        let (agent, _) = try await open()
        for start in stride(from: 0, to: calls, by: 1_000) {
            let drafts = (start..<min(calls, start + 1_000)).map { number in
                let record = Self.record(number)
                return ApplicationRecordDraft(key: CallRecordKey(record).encoded(), value: record.encoded())
            }
            _ = try await agent.appendRecords(drafts, to: CallLog.collection)
        }
        await agent.stop()
    }

    /// A call as most are; every tenth was missed, the oldest and rarest contact called a thousand times less than others.
    private static func record(_ number: Int) -> CallRecord {
        let contact = number % 1_000 == 0 ? 0 : 1 + number % (contacts - 1)
        let start = 1_500_000_000 + Int64(number) * 600
        let isMissed = number % 10 == 0
        var record = CallRecord(
            callID: .random(), contact: ContactID(rawValue: "contact-\(contact)-with-an-id"),
            name: "Contact \(contact)",
            direction: isMissed || number % 2 == 0 ? .incoming : .outgoing, media: number % 3 == 0 ? .video : .audio,
            startedAt: start, answeredAt: isMissed ? nil : start + 5, endedAt: start + 65,
            duration: isMissed ? nil : 60_000, result: isMissed ? .noAnswer : .completed,
            reason: isMissed ? .missed : .hungUp)
        record.setup.ringing = 120
        record.setup.accepted = 5_000
        record.setup.offer = 5_100
        record.setup.answer = 5_300
        record.setup.iceConnected = 5_500
        record.setup.dtlsConnected = 5_600
        record.setup.firstFrame = 5_900
        record.path = CallRecord.Path(.direct, addressKind: .host)
        record.quality = CallRecord.Quality(
            roundTrip: 40, lossSent: 10, lossReceived: 20, target: 1_500_000, renewals: 0)
        record.data = CallRecord.DataUse(sent: 1_000_000, received: 2_000_000)
        record.isFrameEncrypted = true
        record.isFingerprintVerified = true
        return record
    }

    private static var missed: CallLogFilter {
        var filter = CallLogFilter()
        filter.onlyMissed = true
        return filter
    }

    private static var rare: CallLogFilter {
        var filter = CallLogFilter()
        filter.contacts = [ContactID(rawValue: "contact-0-with-an-id")]
        return filter
    }

    /// Asks everything once; milliseconds.
    ///
    /// What is asked of a log that was just opened is asked before anything is read ahead.
    func measure() async throws -> [Step: Double] {
        var times: [Step: Double] = [:]
        let start = Instant.now
        var (agent, log) = try await open()
        times[.open] = (Instant.now - start).inSeconds * 1_000
        times[.firstPage] = try await Self.time { _ = try await CallLogQuery(log).next() }
        for (step, filter, text) in [
            (Step.missed, Self.missed, nil), (.contact, Self.rare, nil),
            (.text, CallLogFilter(), CallLogText("zzz", names: [:])),
        ] as [(Step, CallLogFilter, CallLogText?)] {
            await agent.stop()
            (agent, log) = try await open()
            let fresh = log
            times[step] = try await Self.time { _ = try await CallLogQuery(fresh, filter, text: text).next() }
        }
        await agent.stop()
        (agent, log) = try await open()
        let read = log
        let ahead = CallLogQuery(read)
        _ = try await ahead.next()
        async let reading = Self.time { await read.readingAheadEnded() }
        var slowest = 0.0
        for _ in 0..<20 {
            slowest = max(slowest, try await Self.time { _ = try await ahead.next() })
            try await Task.sleep(for: .milliseconds(10))
        }
        times[.pageMeanwhile] = slowest
        times[.readAhead] = await reading
        times[.contactAhead] = try await Self.time { _ = try await CallLogQuery(read, Self.rare).next() }
        times[.textAhead] = try await Self.time {
            _ = try await CallLogQuery(read, text: CallLogText("xxx", names: [:])).next()
        }
        times[.missedAgain] = try await Self.time { _ = try await CallLogQuery(read, Self.missed).next() }
        times[.contactAgain] = try await Self.time { _ = try await CallLogQuery(read, Self.rare).next() }
        times[.textAgain] = try await Self.time {
            _ = try await CallLogQuery(read, text: CallLogText("yyy", names: [:])).next()
        }
        let query = CallLogQuery(read)
        var pages = 0
        let all = try await Self.time {
            while query.hasNext {
                _ = try await query.next()
                pages += 1
            }
        }
        times[.toTheEnd] = all / Double(max(1, pages))
        let count = 20
        times[.append] =
            await Self.time {
                for number in 0..<count { await read.add(Self.record(calls + number)) }
            } / Double(count)
        let newest = try await CallLogQuery(read, limit: count).next()
        times[.delete] = try await Self.time { for call in newest { try await read.delete([call.id]) } } / Double(count)
        await agent.stop()
        return times
    }

    private static func time(_ body: () async throws -> Void) async rethrows -> Double {
        let start = Instant.now
        try await body()
        return (Instant.now - start).inSeconds * 1_000
    }
}
