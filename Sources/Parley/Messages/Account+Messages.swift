import Agent
import BaseKit
import Calling
import Foundation
import Signaling

// Short messages: what contacts write, and answers.
extension Account {
    /// The messages with a contact, oldest first: those of now, then all again whenever something changes. The last 200 are kept.
    public nonisolated func messages(with id: ContactID) -> AsyncStream<[TextMessage]> {
        let (stream, continuation) = AsyncStream<[TextMessage]>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let changes = messageStore.changes.stream(buffering: .bufferingNewest(1)) { $0.contact == id }
        let task = Task { [messageStore] in
            await messageStore.catchUp(with: id)
            if let messages = try? await messageStore.messages(with: id) { continuation.yield(messages) }
            for await _ in changes {
                guard let messages = try? await messageStore.messages(with: id) else { continue }
                continuation.yield(messages)
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    /// How many messages of each contact nobody has read.
    public nonisolated var unreadMessages: [ContactID: Int] { messageStore.unread }

    /// Writes to a contact. When this returns the message is on disk and goes out as soon as it can, also after a restart; what becomes
    /// of it is told by ``messages(with:)``.
    /// - Returns: The message as it is sent: cleaned by `MessageText.cleaned(_:)`.
    /// - Throws: `AccountError.emptyMessage`, `.messageTooLong`, `.notConnected`, `.contactGone`, `.contactBlocked`, `.connection` for a
    ///   contact that was removed, `.store`, `.closed`.
    public func send(text: String, to id: ContactID) async throws(AccountError) -> TextMessage {
        let excess = MessageText.excess(of: text)
        guard excess == 0 else { throw .messageTooLong(by: excess) }
        let cleaned = MessageText.cleaned(text)
        guard !cleaned.isEmpty else { throw .emptyMessage }
        // Cleaning may put longer signs in the place of others.
        guard MessageText.excess(of: cleaned) == 0 else { throw .messageTooLong(by: MessageText.excess(of: cleaned)) }
        guard let record = book[id], !removed.contains(id) else { throw .connection(.agent(.unknownConnection)) }
        guard record.isBlocked != true else { throw .contactBlocked(name(of: id)) }
        guard record.isConnected else {
            throw record.isGone == true ? .contactGone(name(of: id)) : .notConnected(name(of: id))
        }
        let message = ChatMessage.identified(.written(WrittenMessage(text: cleaned)))
        let now = SystemCallClock().wallClock()
        let number = SentNumber()
        let change = messageStore.sending(cleaned, to: id, at: now) { number.set($0) }
        try await inAgent {
            _ = try await agent.send(
                message.encoded(), on: ConnectionID(rawValue: id.rawValue), notify: message.event.notifies,
                making: change)
        }
        return TextMessage(
            id: number.value, contact: id, state: .waiting, text: cleaned, sentAt: now, arrivedAt: now)
    }

    /// The messages of a contact have been read; those that their writer wishes to be forgotten have their time from now on.
    /// - Throws: `AccountError.store`, `.closed`.
    public func markRead(_ id: ContactID) async throws(AccountError) {
        try await inAgent { try await messageStore.markRead(id) }
        scheduleExpiry()
    }

    /// Removes messages here, on disk before this returns; the contact keeps theirs.
    /// - Throws: `AccountError.store`, `.closed`.
    func deleteMessages(_ ids: Set<TextMessage.ID>, with id: ContactID) async throws(AccountError) {
        try await inAgent { try await messageStore.delete(ids, of: id) }
    }

    /// Removes all messages with a contact here, on disk before this returns; the contact keeps theirs.
    /// - Throws: `AccountError.store`, `.closed`.
    public func deleteAllMessages(with id: ContactID) async throws(AccountError) {
        try await inAgent { try await messageStore.deleteAll(of: id) }
    }

    // MARK: What comes in

    /// Keeps what a contact has written and acknowledges the message that brought it, in one transaction. A store that fails leaves
    /// the message with the agent, which is asked again until the store takes it.
    /// - Returns: Whether that is on disk.
    func keep(
        _ items: [ReceivedText], of message: ReceivedMessage, from connection: ConnectionID, receipt: Bool
    ) async -> Bool {
        let id = ContactID(rawValue: connection.rawValue)
        let kept = admitted(items, of: id)
        // Of what is not kept nobody is told that it came in.
        let change = messageStore.receiving(kept, from: id, sentAt: message.brokerTime)
        let unstored = UnstoredText(
            connection: connection, message: message.id, receipt: receipt && kept.count == items.count, change: change)
        guard await !store(unstored) else { return true }
        unstoredTexts.append(unstored)
        Task { [weak self] in
            repeat { try? await Task.sleep(for: .seconds(2)) } while await self?.storeTexts() == false
        }
        return false
    }

    /// Tries again to keep what the store did not take.
    /// - Returns: Whether nothing is left.
    func storeTexts() async -> Bool {
        while let next = unstoredTexts.first {
            guard await store(next) else { return false }
            unstoredTexts.removeAll { $0.connection == next.connection && $0.message == next.message }
        }
        return true
    }

    private func store(_ text: UnstoredText) async -> Bool {
        let draft = keptInvitations.draft()
        do {
            try await agent.acknowledge(
                text.connection, message: text.message, receipt: text.receipt, making: text.change,
                keeping: draft?.value)
            if let draft { keptInvitations.settle(draft, isStored: true) }
            return true
        } catch AgentError.store(let error) {
            if let draft { keptInvitations.settle(draft, isStored: false) }
            logger.error("A message could not be kept yet: \(error)")
            return false
        } catch {
            // The connection is gone, or the account ends and the message comes again.
            if let draft { keptInvitations.settle(draft, isStored: false) }
            return true
        }
    }

    /// What of it is kept: nothing of who is blocked, and not more than may come within a time.
    private func admitted(_ items: [ReceivedText], of id: ContactID) -> [ReceivedText] {
        let kept = items.filter { item in
            guard case .new = item else { return true }
            return messageBudget.admits(id, at: .now)
        }
        guard kept.count < items.count else {
            floods.remove(id)
            return kept
        }
        logger.notice("Messages of \(id) were not kept, for there are too many")
        if floods.insert(id).inserted { listeners.send(.notice(.messagesNotKept(name(of: id)))) }
        return kept
    }

    /// Tells what has happened to messages.
    func handle(_ change: MessageChange) {
        let unread = messageStore.unread
        if unread != toldUnread {
            toldUnread = unread
            listeners.send(.unread(unread))
        }
        guard case .arrived(let message) = change else { return }
        listeners.send(.written(message, contact(message.contact)))
    }

    // MARK: What is not kept for ever

    /// What a former process has left of contacts that there are not any more goes, and what has expired.
    func restoreMessages() async {
        for id in messageStore.contacts where book[id] == nil { try? await messageStore.deleteAll(of: id) }
        toldUnread = messageStore.unread
        listeners.send(.unread(toldUnread))
        scheduleExpiry()
    }

    /// Has messages removed when their time has come.
    func scheduleExpiry() {
        expiry?.cancel()
        expiry = Task { [messageStore] in
            while let next = await messageStore.removeExpired() {
                let rest = next - SystemCallClock().wallClock()
                guard !Task.isCancelled, (try? await Task.sleep(for: .seconds(min(max(rest, 1), 3_600)))) != nil else {
                    return
                }
            }
        }
    }
}

/// A message that was taken in and is neither kept nor acknowledged.
struct UnstoredText: Sendable {
    let connection: ConnectionID
    let message: Int64
    let receipt: Bool
    let change: RecordChange
}

/// The number that a message got in its transaction.
private final class SentNumber: Sendable {
    private let number = Lock<Int64>(0)
    var value: Int64 { number.withLock { $0 } }
    func set(_ value: Int64) { number.withLock { $0 = value } }
}
