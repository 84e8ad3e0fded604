import BaseKit
import Calling
import DesktopApplication
import Foundation
import Parley

// Pretended messages.
extension FakeProvider {
    func messages(with contact: ContactItem) throws -> AsyncStream<[TextMessage]> { messageBoard.stream(contact.id) }

    func send(_ text: String, to contact: ContactItem) async throws {
        if text == "fail" { throw Refusal("The message can’t be sent.") }
        let id = messageBoard.add(text, with: contact.id, state: .waiting)
        Task { [pause, messageBoard] in
            for state in [TextMessage.State.sent, .delivered] {
                try? await Task.sleep(for: pause)
                messageBoard.set(state, of: id, with: contact.id)
            }
        }
    }

    func markRead(_ contact: ContactItem) async throws { setUnread(0, of: contact.id) }

    func deleteAllMessages(with contact: ContactItem) async throws { messageBoard.deleteAll(with: contact.id) }

    /// A contact writes something.
    func write(_ text: String, from contact: ContactItem) {
        messageBoard.add(text, with: contact.id)
        setUnread((contacts.first { $0.id == contact.id }?.unreadMessages ?? 0) + 1, of: contact.id)
        channel.yield(.written(WrittenItem(contact: contact, words: text)))
    }

    /// Messages of two days, of each kind.
    func fillMessages(with contact: ContactItem) {
        let (now, id) = (Int64(Date().timeIntervalSince1970), contact.id)
        messageBoard.add("Have you seen the draft?", with: id, at: now - 90_000)
        messageBoard.add("Not yet.\nTomorrow!", with: id, state: .delivered, at: now - 89_000)
        messageBoard.add(
            "With all figures", with: id, attachment: .file(name: "draft.pdf", size: 2_100_000), at: now - 3_000)
        messageBoard.add("", with: id, attachment: .voice(seconds: 12), at: now - 2_900)
        messageBoard.add("I can’t talk now. I’ll call you back.", with: id, state: .failed, at: now - 60)
        messageBoard.add("https://example.org/a-rather-long-address/that-goes-on/and-on", with: id, at: now - 30)
        setUnread(2, of: id)
    }

    private func setUnread(_ count: Int, of id: ContactItem.ID) {
        contacts = contacts.map {
            guard $0.id == id else { return $0 }
            var changed = $0
            changed.unreadMessages = count
            return changed
        }
    }
}

/// What pretended contacts have written, and what was written to them.
@MainActor final class FakeMessages {
    private var messages: [ContactItem.ID: [TextMessage]] = [:]
    private let changes = Broadcaster<(ContactItem.ID, [TextMessage])>()
    private var last: Int64 = 0

    @discardableResult func add(
        _ text: String, with id: ContactItem.ID, state: TextMessage.State? = nil,
        attachment: TextMessage.Attachment? = nil, at time: Int64 = Int64(Date().timeIntervalSince1970)
    ) -> Int64 {
        last += 1
        messages[id, default: []].append(
            TextMessage(
                id: last, contact: ContactID(rawValue: id), state: state, text: text, attachment: attachment,
                sentAt: time, arrivedAt: time))
        tell(id)
        return last
    }

    func set(_ state: TextMessage.State, of number: Int64, with id: ContactItem.ID) {
        guard let index = messages[id]?.firstIndex(where: { $0.id == number }) else { return }
        messages[id]?[index].state = state
        tell(id)
    }

    func deleteAll(with id: ContactItem.ID) {
        messages[id] = nil
        tell(id)
    }

    func stream(_ id: ContactItem.ID) -> AsyncStream<[TextMessage]> {
        let changes = changes.stream { $0.0 == id }
        let (stream, continuation) = AsyncStream<[TextMessage]>.makeStream()
        continuation.yield(messages[id] ?? [])
        let task = Task {
            for await (_, list) in changes { continuation.yield(list) }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }

    private func tell(_ id: ContactItem.ID) { changes.send((id, messages[id] ?? [])) }
}
