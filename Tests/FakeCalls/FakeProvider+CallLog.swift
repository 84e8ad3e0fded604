import BaseKit
import Calling
import DesktopApplication
import Foundation
import Parley
import Signaling

// A pretended log of calls.
extension FakeProvider {
    func callLog(
        _ filter: CallLogFilter, text: String?, limit: Int, before number: LoggedCall.ID
    ) async throws -> any CallLogPages {
        let names = Dictionary(contacts.map { (ContactID(rawValue: $0.id), $0.name) }) { first, _ in first }
        let wanted = text.flatMap { CallLogText($0, names: names) }
        return FakePages(log, filter, text: wanted, limit: limit, before: number)
    }

    func contactsInLog(named names: [String]) async throws -> Set<ContactID> {
        Set(contacts.filter { names.contains($0.name) }.map { ContactID(rawValue: $0.id) })
    }

    func deleteCalls(_ ids: Set<LoggedCall.ID>) async throws { log.delete { ids.contains($0.id) } }

    func deleteAllCalls() async throws { log.delete { _ in true } }

    func callLogSettings() async -> CallLogSettings? { log.settings }

    func setCallLogSettings(_ settings: CallLogSettings) async throws { log.settings = settings }

    func setKeepsCalls(_ keeps: Bool, with contact: ContactItem) async throws {
        contacts = contacts.map {
            guard $0.id == contact.id else { return $0 }
            var changed = $0
            changed.keepsCalls = keeps
            return changed
        }
    }
}

/// The calls of a pretended log, newest first.
@MainActor final class FakeLog {
    private(set) var calls: [LoggedCall] = []
    var settings = CallLogSettings()
    let changes = Broadcaster<CallLogChange>()

    /// A log of so many calls with these contacts, an hour and a half between one and the next, the last a little before `now`.
    init(_ count: Int, with contacts: [ContactItem], now: Date = Date()) {
        guard !contacts.isEmpty else { return }
        calls = (0..<count).map { index in
            let contact = contacts[index % contacts.count]
            return LoggedCall(
                id: Int64(count - index),
                record: Self.record(index, contact, at: Int64(now.timeIntervalSince1970) - 600 - Int64(index) * 5_400))
        }
    }

    private static func record(_ index: Int, _ contact: ContactItem, at start: Int64) -> CallRecord {
        let isMissed = index % 4 == 1
        let isDeclined = index % 7 == 3
        let result: CallResult = isMissed ? .noAnswer : isDeclined ? .declined : .completed
        let reason: CallEndReason = isMissed ? .missed : isDeclined ? .declinedByPeer : .hungUp
        var record = CallRecord(
            callID: .random(), contact: ContactID(rawValue: contact.id), name: contact.name,
            direction: isMissed || index % 2 == 0 ? .incoming : .outgoing, media: index % 3 == 0 ? .video : .audio,
            startedAt: start, answeredAt: result == .completed ? start + 7 : nil, endedAt: start + 199,
            duration: result == .completed ? 192_000 : nil, result: result, reason: reason)
        guard result == .completed else { return record }
        record.setup.ringing = 110
        record.setup.accepted = 7_000
        record.setup.firstFrame = 7_900
        record.path = CallRecord.Path(.direct, addressKind: .host)
        record.quality = CallRecord.Quality(
            roundTrip: 43, lossSent: 50, lossReceived: 120, target: 1_800_000, renewals: 0)
        record.data = CallRecord.DataUse(sent: 31_000_000, received: 28_400_000)
        record.isFrameEncrypted = true
        record.isFingerprintVerified = true
        return record
    }

    /// A call with these and somebody who is no contact.
    static func ofSeveral(with contacts: [ContactItem], _ id: CallID, now: Date = Date()) -> CallRecord {
        let start = Int64(now.timeIntervalSince1970) - 300
        var members = contacts.map { CallRecord.Member(name: $0.name, contact: ContactID(rawValue: $0.id)) }
        members.append(CallRecord.Member(name: "Nora Newcomer"))
        var record = CallRecord(
            callID: id, contact: ContactID(rawValue: contacts.first?.id ?? ""),
            name: members.map(\.name).joined(separator: ", "), direction: .outgoing, media: .video, startedAt: start,
            answeredAt: start + 6, endedAt: start + 251, duration: 245_000, result: .completed, reason: .hungUp)
        record.members = members
        record.groupReason = .hungUp
        record.isFrameEncrypted = true
        return record
    }

    /// A call ends.
    func add(_ record: CallRecord) {
        let call = LoggedCall(id: (calls.first?.id ?? 0) + 1, record: record)
        calls.insert(call, at: 0)
        changes.send(.inserted(call))
    }

    func delete(where isGone: (LoggedCall) -> Bool) {
        let ids = Set(calls.filter(isGone).map(\.id))
        calls.removeAll { ids.contains($0.id) }
        changes.send(.removed(ids))
    }
}

/// Pages of a pretended log.
@MainActor private final class FakePages: CallLogPages {
    private let log: FakeLog
    private let filter: CallLogFilter
    private let text: CallLogText?
    private let limit: Int
    private var last: Int64

    init(_ log: FakeLog, _ filter: CallLogFilter, text: CallLogText?, limit: Int, before number: Int64) {
        self.log = log
        self.filter = filter
        self.text = text
        self.limit = limit
        last = number
    }

    private func isMeant(_ record: CallRecord) -> Bool {
        let key = CallRecordKey(record)
        return filter.matches(key) && text?.matches(key.contacts, called: key.name) ?? true
    }

    private var rest: some Sequence<LoggedCall> {
        log.calls.lazy.filter { [last] in $0.id < last }.filter { self.isMeant($0.record) }
    }

    var hasNext: Bool { rest.first { _ in true } != nil }

    var changes: AsyncStream<CallLogChange> { log.changes.stream() }

    func next() async throws -> [LoggedCall] {
        let page = Array(rest.prefix(limit))
        last = page.last?.id ?? last
        return page
    }
}
