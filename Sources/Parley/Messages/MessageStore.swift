import Agent
import BaseKit
import Calling
import Foundation
import Logging
import Signaling

/// The short messages of an account in the agent's sealed store, the last ones of each contact.
///
/// All changes are made inside of the agent's transactions and take effect here when they are on disk, one after the other.
final class MessageStore: Sendable {
    /// What happens to messages.
    let changes = Broadcaster<MessageChange>()

    private let agent: Agent
    private let wallClock: @Sendable () -> Int64
    private let logger = Logger(label: "im.parley.account")
    private let state = Lock(State())

    private struct State {
        var index = MessageIndex()
        /// How many records could not be read.
        var unreadableCount = 0
        /// Contacts whose own messages were compared with what the agent knows of them.
        var settled: Set<ContactID> = []
    }

    /// What one transaction has made of the index, until it is on disk.
    private final class Outcome: Sendable {
        let value = Lock<(index: MessageIndex, changes: [MessageChange])?>(nil)
    }

    static let collection = "messages"
    private static let readName = "messages-read"

    init(agent: Agent, wallClock: @escaping @Sendable () -> Int64 = { SystemCallClock().wallClock() }) {
        self.agent = agent
        self.wallClock = wallClock
    }

    /// Reads what is kept; before anything else.
    /// - Throws: `AgentError`.
    func open() async throws {
        let read = try await agent.applicationData(Self.readName)
            .flatMap { try? JSONDecoder().decode([String: Int64].self, from: Data($0)) }
        var index = MessageIndex(
            readUpTo: Dictionary(uniqueKeysWithValues: (read ?? [:]).map { (ContactID(rawValue: $0), $1) }))
        var (keys, next): ([ApplicationRecordKey], Int64) = ([], .max)
        while true {
            let batch = try await agent.recordKeys(of: Self.collection, before: next)
            keys += batch
            guard batch.count == Agent.recordBatch, let last = batch.last else { break }
            next = last.number
        }
        var (gone, limited): ([Int64], [(Int64, MessageKey)]) = ([], [])
        for record in keys.reversed() {
            guard let key = try? MessageKey(decoding: record.key) else {
                unreadable(record.number)
                continue
            }
            gone += index.append(record.number, key)
            if key.timeToLive > 0 { limited.append((record.number, key)) }
        }
        for record in try await agent.records(of: Self.collection, numbers: limited.map(\.0)) {
            guard let key = try? MessageKey(decoding: record.key),
                let time = (try? MessageRecord(decoding: record.value))?.expiresAt
            else { continue }
            index.setExpiry(time, of: record.number, key.contact)
        }
        state.withLock { $0.index = index }
        if !gone.isEmpty { try await agent.deleteRecords(of: Self.collection, numbers: gone) }
    }

    /// How many messages of each contact nobody has read.
    var unread: [ContactID: Int] { state.withLock { $0.index.unread } }

    /// How many records could not be read.
    var unreadableCount: Int { state.withLock { $0.unreadableCount } }

    /// Whose messages there are.
    var contacts: Set<ContactID> { state.withLock { Set($0.index.entries.keys) } }

    // MARK: Changes

    private func change(
        _ body: @escaping @Sendable (RecordEditor, inout MessageIndex, inout [MessageChange]) throws -> Void
    ) -> RecordChange {
        let outcome = Outcome()
        return RecordChange { [self] editor in
            var index = state.withLock { $0.index }
            var changes: [MessageChange] = []
            try body(editor, &index, &changes)
            outcome.value.withLock { $0 = (index, changes) }
        } stored: { [self] in
            guard let made = outcome.value.withLock({ $0 }) else { return }
            state.withLock { $0.index = made.index }
            for change in made.changes { changes.send(change) }
        }
    }

    /// What has come in of a contact; `sentAt` is when their relay took it.
    func receiving(_ items: [ReceivedText], from contact: ContactID, sentAt: Int64) -> RecordChange {
        change { [self] editor, index, changes in
            for item in items {
                switch item {
                case .new(let identifier, let message):
                    guard index.incoming(contact, identifier) == nil else { continue }
                    try add(message, identifier, from: contact, sentAt, editor, &index, &changes)
                case .update(let update):
                    guard let entry = index.incoming(contact, update.identifier) else {
                        let message = WrittenMessage(update.content, timeToLive: update.timeToLive)
                        try add(message, update.identifier, from: contact, sentAt, editor, &index, &changes)
                        continue
                    }
                    guard var record = try load(entry, editor), record.isDeleted != true else { continue }
                    record.text = MessageText.cleaned(update.content.text)
                    if let attachment = TextMessage.Attachment(update.content, file: nil), attachment != .unnamedFile {
                        record.attachment = MessageRecord.Attachment(attachment)
                    }
                    record.isEdited = true
                    try replace(entry, record, editor, &changes)
                case .deletion(let identifier):
                    guard let entry = index.incoming(contact, identifier), var record = try load(entry, editor)
                    else { continue }
                    record.text = ""
                    record.attachment = nil
                    record.isDeleted = true
                    try replace(entry, record, editor, &changes)
                }
            }
        }
    }

    private func add(
        _ message: WrittenMessage, _ identifier: String, from contact: ContactID, _ sentAt: Int64,
        _ editor: RecordEditor, _ index: inout MessageIndex, _ changes: inout [MessageChange]
    ) throws {
        let key = MessageKey(
            contact: contact, isOwn: false, identifier: identifier, timeToLive: Int64(message.timeToLive ?? 0))
        var record = MessageRecord(
            text: MessageText.cleaned(message.content.text), sentAt: sentAt, arrivedAt: wallClock())
        record.attachment = TextMessage.Attachment(message.content, file: message.file)
            .map(MessageRecord.Attachment.init)
        if message.isForwarded { record.isForwarded = true }
        let number = try append(key, record, editor, &index)
        changes.append(.arrived(record.message(number, key)))
    }

    private func append(
        _ key: MessageKey, _ record: MessageRecord, _ editor: RecordEditor, _ index: inout MessageIndex
    ) throws -> Int64 {
        let draft = ApplicationRecordDraft(key: key.encoded(), value: record.encoded())
        let number = try editor.append(draft, to: Self.collection)
        try editor.delete(index.append(number, key), of: Self.collection)
        return number
    }

    private func load(_ entry: MessageIndex.Entry, _ editor: RecordEditor) throws -> MessageRecord? {
        guard let record = try editor.record(entry.number, of: Self.collection) else { return nil }
        do {
            return try MessageRecord(decoding: record.value)
        } catch {
            unreadable(entry.number)
            return nil
        }
    }

    private func replace(
        _ entry: MessageIndex.Entry, _ record: MessageRecord, _ editor: RecordEditor, _ changes: inout [MessageChange]
    ) throws {
        try editor.replace(entry.number, of: Self.collection, value: record.encoded())
        changes.append(.changed(entry.key.contact))
    }

    /// What is written here, for the transaction that queues it at the agent.
    /// - Parameter onNumber: Is told its number here.
    func sending(
        _ text: String, to contact: ContactID, at time: Int64, onNumber: @escaping @Sendable (Int64) -> Void
    ) -> RecordChange {
        change { [self] editor, index, changes in
            let key = MessageKey(contact: contact, isOwn: true, message: editor.message ?? 0)
            var record = MessageRecord(text: text, sentAt: time, arrivedAt: time)
            record.state = .waiting
            onNumber(try append(key, record, editor, &index))
            changes.append(.changed(contact))
        }
    }

    /// Something became of a message written here. Nothing happens if it is none, or that is known.
    func settle(_ contact: ContactID, _ message: Int64, as newState: TextMessage.State) async {
        guard state.withLock({ $0.index.own(contact, message) }) != nil else { return }
        await make(
            change { [self] editor, index, changes in
                guard let entry = index.own(contact, message), var record = try load(entry, editor),
                    newState.mayFollow(record.state ?? .waiting)
                else { return }
                record.state = newState
                try replace(entry, record, editor, &changes)
            })
    }

    /// A contact's messages have been read: those that are not to be kept have their time from now on.
    /// - Throws: `AgentError`.
    func markRead(_ contact: ContactID) async throws {
        var copy = state.withLock { $0.index }
        guard copy.markRead(contact) else { return }
        let now = wallClock()
        try await agent.change(
            change { [self] editor, index, changes in
                guard index.markRead(contact) else { return }
                for entry in index.entries[contact] ?? [] where entry.key.timeToLive > 0 && entry.expiresAt == nil {
                    guard var record = try load(entry, editor) else { continue }
                    let time = now + min(entry.key.timeToLive, Self.longestTime)
                    record.expiresAt = time
                    index.setExpiry(time, of: entry.number, contact)
                    try editor.replace(entry.number, of: Self.collection, value: record.encoded())
                }
                try keepRead(index, editor)
                changes.append(.changed(contact))
            })
    }

    /// A century, so that times can be added.
    private static let longestTime: Int64 = 3_155_760_000

    private func keepRead(_ index: MessageIndex, _ editor: RecordEditor) throws {
        let read = Dictionary(uniqueKeysWithValues: index.readUpTo.map { ($0.rawValue, $1) })
        try editor.set(Self.readName, to: read.isEmpty ? nil : [UInt8](try JSONEncoder().encode(read)))
    }

    /// Removes messages, on disk before this returns.
    /// - Throws: `AgentError`.
    func delete(_ numbers: Set<Int64>, of contact: ContactID) async throws {
        try await agent.change(
            change { editor, index, changes in
                let own = (index.entries[contact] ?? []).map(\.number).filter(numbers.contains)
                try editor.delete(own, of: Self.collection)
                index.remove(Set(own))
                changes.append(.changed(contact))
            })
    }

    /// Removes all messages of a contact, on disk before this returns.
    /// - Throws: `AgentError`.
    func deleteAll(of contact: ContactID) async throws {
        guard contacts.contains(contact) else { return }
        try await agent.change(
            change { [self] editor, index, changes in
                try editor.delete((index.entries[contact] ?? []).map(\.number), of: Self.collection)
                index.forget(contact)
                try keepRead(index, editor)
                changes.append(.changed(contact))
            })
    }

    /// Removes what is not to be kept any longer.
    /// - Returns: When there will be more of that, in seconds since 1970.
    func removeExpired() async -> Int64? {
        let now = wallClock()
        if state.withLock({ !$0.index.expired(at: now).isEmpty }) {
            await make(
                change { editor, index, changes in
                    let expired = index.expired(at: now)
                    try editor.delete(expired.map(\.number), of: Self.collection)
                    index.remove(Set(expired.map(\.number)))
                    changes += Set(expired.map(\.key.contact)).map { .changed($0) }
                })
        }
        return state.withLock { $0.index.nextExpiry }
    }

    /// Makes a change that the next start makes up for, should the store fail (``catchUp(with:)``, and the look for what has expired).
    private func make(_ change: RecordChange) async {
        do {
            try await agent.change(change)
        } catch AgentError.stopped {
        } catch {
            logger.error("What became of a message could not be kept: \(error)")
        }
    }

    private func unreadable(_ number: Int64) {
        state.withLock { $0.unreadableCount += 1 }
        logger.error("The message \(number) can't be read")
    }

    // MARK: Reading

    /// The messages with a contact, oldest first.
    /// - Throws: `AgentError`.
    func messages(with contact: ContactID) async throws -> [TextMessage] {
        let entries = state.withLock { $0.index.entries[contact] ?? [] }
        let keys = Dictionary(uniqueKeysWithValues: entries.map { ($0.number, $0.key) })
        let records = try await agent.records(of: Self.collection, numbers: entries.map(\.number))
        return records.compactMap { record in
            guard let key = keys[record.number] else { return nil }
            guard let content = try? MessageRecord(decoding: record.value) else {
                unreadable(record.number)
                return nil
            }
            return content.message(record.number, key)
        }
    }

    /// Looks up what became of messages that a former process has sent, once a contact.
    func catchUp(with contact: ContactID) async {
        guard state.withLock({ $0.settled.insert(contact).inserted }) else { return }
        let connection = ConnectionID(rawValue: contact.rawValue)
        let open = (try? await messages(with: contact)) ?? []
        for message in open where message.state == .waiting || message.state == .sent {
            let entry = state.withLock { $0.index.entries[contact]?.first { $0.number == message.id } }
            guard let number = entry?.key.message else { continue }
            do {
                if try await agent.receipt(of: number, on: connection) == .matching {
                    await settle(contact, number, as: .delivered)
                } else if message.state == .waiting, !(try await agent.isWaiting(number, on: connection)) {
                    await settle(contact, number, as: .sent)
                }
            } catch { return }
        }
    }
}

/// What happens to messages.
enum MessageChange: Sendable, Equatable {
    /// One came in.
    case arrived(TextMessage)
    /// Others are there than before, or they say something else, or have been read.
    case changed(ContactID)

    var contact: ContactID {
        switch self {
        case .arrived(let message): message.contact
        case .changed(let contact): contact
        }
    }
}

/// What a contact has written, changed or taken back.
enum ReceivedText: Sendable, Equatable {
    case new(identifier: String, WrittenMessage)
    case update(MessageUpdate)
    case deletion(identifier: String)

    /// Nil for what is no such thing.
    init?(_ message: ChatMessage) {
        switch message.event {
        case .written(let written): self = .new(identifier: message.identifier ?? "", written)
        case .messageUpdated(let update): self = .update(update)
        case .messageDeleted(let identifier): self = .deletion(identifier: identifier)
        case .information, .contactRequest, .contactDeleted, .call, .group, .unknown: return nil
        }
    }
}
