import Agent
import BaseKit
import Calling
import Signaling
import TestSupport
import Testing

@testable import Parley

/// Short messages between real accounts over a real relay.
@Suite(.serialized, .timeLimit(.minutes(5))) struct MessageTests {
    @Test func `what one writes the other reads, in order and with receipts`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let told = Task { [updates = pair.bob.updates] () -> [String] in
                var texts: [String] = []
                for await update in updates {
                    if case .written(let message, let contact) = update {
                        texts.append("\(contact.name): \(message.text)")
                    }
                    if texts.count == 5 { break }
                }
                return texts
            }
            for number in 1...5 {
                let sent = try await pair.ann.send(text: " message \(number)\n", to: pair.contactBob.id)
                #expect(sent.text == "message \(number)")
                #expect(sent.state == .waiting)
            }
            let read = try await pair.bob.messages(with: pair.contactAnn.id) { $0.count == 5 }
            #expect(read.map(\.text) == (1...5).map { "message \($0)" })
            #expect(read.allSatisfy { !$0.isOwn && abs($0.sentAt - SystemCallClock().wallClock()) < 120 })
            #expect(await told.value == (1...5).map { "Ann: message \($0)" })
            #expect(pair.bob.unreadMessages == [pair.contactAnn.id: 5])
            let own = try await pair.ann.messages(with: pair.contactBob.id) { $0.allSatisfy { $0.state == .delivered } }
            #expect(own.map(\.text) == read.map(\.text))
            #expect(pair.ann.unreadMessages.isEmpty)
            _ = try await pair.bob.send(text: "answer", to: pair.contactAnn.id)
            _ = try await pair.ann.messages(with: pair.contactBob.id) { $0.last?.text == "answer" }
        }
    }

    @Test func `what came and what waits survives restarts, once, and receipts are caught up with`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            _ = try await pair.ann.send(text: "one", to: pair.contactBob.id)
            _ = try await pair.bob.messages(with: pair.contactAnn.id) { $0.count == 1 }
            await pair.bob.close()
            _ = try await pair.ann.send(text: "two", to: pair.contactBob.id)
            _ = try await pair.ann.messages(with: pair.contactBob.id) { $0.last?.state == .sent }
            await pair.ann.close()
            let bob = try await neighbourhood.open("Bob")
            let read = try await bob.messages(with: pair.contactAnn.id) { $0.count == 2 }
            #expect(read.map(\.text) == ["one", "two"])
            #expect(bob.unreadMessages == [pair.contactAnn.id: 2])
            try await bob.markRead(pair.contactAnn.id)
            let ann = try await neighbourhood.open("Ann")
            let own = try await ann.messages(with: pair.contactBob.id) { $0.allSatisfy { $0.state == .delivered } }
            #expect(own.map(\.text) == ["one", "two"])
            await bob.close()
            let again = try await neighbourhood.open("Bob")
            #expect(again.unreadMessages.isEmpty)
            #expect(try await again.messages(with: pair.contactAnn.id) { _ in true }.map(\.text) == ["one", "two"])
        }
    }

    @Test func `what an agent acknowledged without its account is delivered again, and kept once`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            await pair.bob.close()
            _ = try await pair.ann.send(text: "late", to: pair.contactBob.id)
            _ = try await pair.ann.messages(with: pair.contactBob.id) { $0.last?.state == .sent }
            // The process dies after each step: nothing is acknowledged before it is kept.
            for _ in 0..<2 {
                let bob = try await neighbourhood.open("Bob")
                _ = try await bob.messages(with: pair.contactAnn.id) { $0.count == 1 }
                await bob.close()
            }
            let bob = try await neighbourhood.open("Bob")
            #expect(try await bob.messages(with: pair.contactAnn.id) { _ in true }.map(\.text) == ["late"])
        }
    }

    @Test func `the last 200 are kept`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let items = (1...203).map { number in
                ReceivedText.new(identifier: "n\(number)", WrittenMessage(text: "\(number)"))
            }
            let store = pair.bob.messageStore
            try await pair.bob.agent.change(store.receiving(items, from: pair.contactAnn.id, sentAt: 1))
            let read = try await pair.bob.messages(with: pair.contactAnn.id) { _ in true }
            #expect(read.map(\.text) == (4...203).map(String.init))
            #expect(try await pair.bob.agent.recordCount(of: MessageStore.collection) == 200)
            _ = try await pair.ann.send(text: "one more", to: pair.contactBob.id)
            let after = try await pair.bob.messages(with: pair.contactAnn.id) { $0.last?.text == "one more" }
            #expect(after.count == 200)
            #expect(after.first?.text == "5")
            #expect(try await pair.bob.agent.recordCount(of: MessageStore.collection) == 200)
            await pair.bob.close()
            let bob = try await neighbourhood.open("Bob")
            #expect(try await bob.messages(with: pair.contactAnn.id) { _ in true } == after)
        }
    }

    @Test func `a contact changes and takes back what it wrote, and nothing of this side's`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            func send(_ event: ChatEvent, _ identifier: String = "x") async throws {
                try await pair.ann.say(ChatMessage(event, identifier: identifier), to: pair.contactBob.id)
            }
            _ = try await pair.bob.send(text: "mine", to: pair.contactAnn.id)
            let file = FileAnnouncement(name: "../a.pdf", size: 2_100_000)
            try await send(.written(WrittenMessage(MessageContent(.file, text: "see"), file: file)), "m1")
            try await send(.written(WrittenMessage(text: "secret")), "m2")
            // The same again is no second one.
            try await send(.written(WrittenMessage(text: "secret")), "m2")
            try await send(
                .messageUpdated(MessageUpdate(identifier: "m1", content: MessageContent(.file, text: "look"))))
            try await send(.messageDeleted(identifier: "m2"))
            try await send(.messageUpdated(MessageUpdate(identifier: "m2", content: MessageContent(text: "again"))))
            try await send(.messageDeleted(identifier: "nobody's"))
            try await send(.messageUpdated(MessageUpdate(identifier: "m3", content: MessageContent(text: "unknown"))))
            let read = try await pair.bob.messages(with: pair.contactAnn.id) { $0.last?.text == "unknown" }
            #expect(read.map(\.text) == ["mine", "look", "", "unknown"])
            #expect(read[1].isEdited)
            #expect(read[1].attachment == .file(name: "a.pdf", size: 2_100_000))
            #expect(read[2].isDeleted)
            #expect(read.map(\.isOwn) == [true, false, false, false])
            let bytes = try await pair.bob.agent.records(of: MessageStore.collection, limit: 10).flatMap(\.value)
            #expect(!String(decoding: bytes, as: UTF8.self).contains("secret"))
        }
    }

    @Test func `a message that is not to be kept goes some time after it was read`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let message = WrittenMessage(MessageContent(text: "soon gone"), timeToLive: 2)
            try await pair.ann.say(ChatMessage(.written(message), identifier: "m"), to: pair.contactBob.id)
            _ = try await pair.ann.send(text: "stays", to: pair.contactBob.id)
            let read = try await pair.bob.messages(with: pair.contactAnn.id) { $0.count == 2 }
            #expect(read.map(\.expiresAt) == [nil, nil])
            try await pair.bob.markRead(pair.contactAnn.id)
            await pair.bob.close()
            let bob = try await neighbourhood.open("Bob")
            let left = try await bob.messages(with: pair.contactAnn.id) { $0.count == 1 }
            #expect(left.map(\.text) == ["stays"])
            #expect(try await bob.agent.recordCount(of: MessageStore.collection) == 1)
        }
    }

    @Test func `who is blocked is kept nowhere, told to nobody, and sees the same receipts`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            try await pair.bob.setBlocked(true, pair.contactAnn.id)
            _ = try await pair.ann.send(text: "unheard", to: pair.contactBob.id)
            _ = try await pair.ann.messages(with: pair.contactBob.id) { $0.last?.state == .delivered }
            #expect(try await pair.bob.agent.recordCount(of: MessageStore.collection) == 0)
            await #expect(throws: AccountError.contactBlocked("Ann")) {
                _ = try await pair.bob.send(text: "no", to: pair.contactAnn.id)
            }
            try await pair.bob.setBlocked(false, pair.contactAnn.id)
            _ = try await pair.ann.send(text: "heard", to: pair.contactBob.id)
            let read = try await pair.bob.messages(with: pair.contactAnn.id) { !$0.isEmpty }
            #expect(read.map(\.text) == ["heard"])
        }
    }

    @Test func `nobody is told that a message came in where receipts are off`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood, bob: { $0.sendsReceipts = false })
            _ = try await pair.ann.send(text: "hi", to: pair.contactBob.id)
            _ = try await pair.bob.messages(with: pair.contactAnn.id) { $0.count == 1 }
            _ = try await pair.bob.send(text: "later", to: pair.contactAnn.id)
            let own = try await pair.ann.messages(with: pair.contactBob.id) { $0.count == 2 }
            #expect(own[0].state == .sent)
        }
    }

    @Test func `a flood is kept up to its limit, told once, and not confirmed beyond`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let id = pair.contactAnn.id
            await pair.bob.spendMessages(of: id, leaving: 1)
            let notices = Task { [updates = pair.bob.updates] () -> [AccountNotice] in
                var notices: [AccountNotice] = []
                for await update in updates {
                    if case .notice(.messagesNotKept(let name)) = update { notices.append(.messagesNotKept(name)) }
                    if case .written(let message, _) = update, message.text == "end" { break }
                }
                return notices
            }
            for text in ["kept", "not kept", "nor this"] {
                _ = try await pair.ann.send(text: text, to: pair.contactBob.id)
            }
            _ = try await pair.ann.messages(with: pair.contactBob.id) { $0.first?.state == .delivered }
            // Whatever was sent before has come when this has.
            try await pair.ann.say(ChatMessage(.information(Profile(displayName: "Anna"))), to: pair.contactBob.id)
            try await waitUntil("the name came") { await pair.bob.contacts().first?.offeredName == "Anna" }
            await pair.bob.forgetFlood()
            _ = try await pair.ann.send(text: "end", to: pair.contactBob.id)
            let own = try await pair.ann.messages(with: pair.contactBob.id) { $0.last?.state == .delivered }
            #expect(own.map(\.state) == [.delivered, .sent, .sent, .delivered])
            #expect(await notices.value == [.messagesNotKept("Ann")])
            #expect(try await pair.bob.messages(with: id) { _ in true }.map(\.text) == ["kept", "end"])
        }
    }

    @Test func `what can't be sent is refused with its reason`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            await #expect(throws: AccountError.emptyMessage) {
                _ = try await pair.ann.send(text: " \n\u{2028}", to: pair.contactBob.id)
            }
            await #expect(throws: AccountError.messageTooLong(by: 7)) {
                _ = try await pair.ann.send(
                    text: String(repeating: "a", count: Self.longest + 7), to: pair.contactBob.id)
            }
            let invitation = try await pair.ann.makeInvitation()
            await #expect(throws: AccountError.notConnected(await pair.ann.name(of: invitation.id))) {
                _ = try await pair.ann.send(text: "hi", to: invitation.id)
            }
            try await pair.bob.remove(pair.contactAnn.id)
            await #expect(throws: AccountError.connection(.agent(.unknownConnection))) {
                _ = try await pair.bob.send(text: "hi", to: pair.contactAnn.id)
            }
            try await waitUntil("Ann knows") { await pair.ann.contacts().first?.trouble == .gone }
            await #expect(throws: AccountError.contactGone("Bob")) {
                _ = try await pair.ann.send(text: "hi", to: pair.contactBob.id)
            }
        }
    }

    /// The longest text of letters.
    private static var longest: Int {
        let beyond = 20_000
        return beyond - MessageText.excess(of: String(repeating: "a", count: beyond))
    }

    @Test func `messages are deleted one by one, all at once, and with their contact`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            for text in ["a", "b", "c"] { _ = try await pair.ann.send(text: text, to: pair.contactBob.id) }
            let read = try await pair.bob.messages(with: pair.contactAnn.id) { $0.count == 3 }
            try await pair.bob.deleteMessages([read[1].id], with: pair.contactAnn.id)
            #expect(try await pair.bob.messages(with: pair.contactAnn.id) { _ in true }.map(\.text) == ["a", "c"])
            #expect(pair.bob.unreadMessages == [pair.contactAnn.id: 2])
            try await pair.bob.deleteAllMessages(with: pair.contactAnn.id)
            #expect(pair.bob.unreadMessages.isEmpty)
            #expect(try await pair.bob.agent.recordCount(of: MessageStore.collection) == 0)
            try await pair.ann.remove(pair.contactBob.id)
            #expect(try await pair.ann.agent.recordCount(of: MessageStore.collection) == 0)
        }
    }
}

extension Account {
    /// Waits until the messages with a contact are as wanted.
    nonisolated func messages(
        with id: ContactID, where isWanted: @escaping @Sendable ([TextMessage]) -> Bool
    ) async throws -> [TextMessage] {
        try await limited("messages come") { [stream = messages(with: id)] in
            var last: [TextMessage] = []
            for await messages in stream {
                last = messages
                if isWanted(messages) { return messages }
            }
            throw Overdue("The account was closed before: \(last)")
        }
    }

    /// Sends what another program might.
    func say(_ message: ChatMessage, to id: ContactID) async throws {
        _ = try await agent.send(
            message.encoded(), on: ConnectionID(rawValue: id.rawValue), notify: message.event.notifies)
    }

    /// As if a contact had written this much already.
    func spendMessages(of id: ContactID, leaving rest: Int) {
        for _ in 0..<(MessageIndex.limitOfContact - rest) { _ = messageBudget.admits(id, at: .now) }
    }

    func forgetFlood() { messageBudget = MessageBudget() }
}
