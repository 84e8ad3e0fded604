import Cryptography
import SMP
import SMPTransport
import TestSupport
import Testing

@testable import Relay
@testable import RelayRules
@testable import SMPSession

/// Bodies of messages live on disk; a bounded share of them in memory, too.
@Suite(.timeLimit(.minutes(5))) struct StoredBodiesTests {
    private static let cached = 50_000

    private var limits: StoreLimits {
        var limits = StoreLimits()
        limits.cachedBytes = Self.cached
        return limits
    }

    private func body(_ number: Int) -> [UInt8] { Array(repeating: UInt8(number), count: 10_000) }

    @Test func `only the newest bodies stay in memory and all are delivered in their order`() async throws {
        let limits = limits
        try await withRelay(change: .init { $0.storeLimits = limits }) { relay, address in
            let connection = try await RelayConnection.connect(to: address)
            let queue = try await TestQueue(on: connection, subscribes: false)
            for number in 0..<40 {
                let request = queue.sender(.send(notify: false, body: body(number)), secured: false)
                #expect(try await connection.request(request) == .ok)
            }
            let core = relay.service.core
            try await waitUntil("old bodies leave") { core.withStore { $0.bodies.bytes } <= Self.cached }
            #expect(core.withStore { $0.bodies.unwritten } == 0)
            #expect(core.withStore { $0.queues.values.first?.messages.count { $0.isInMemory } } == 5)
            try await expectAll(40, of: queue, on: connection)
            #expect(core.withStore { $0.bodies.bytes } == 0)
        }
    }

    @Test func `a start reads no bodies and delivers them all`() async throws {
        let limits = limits
        try await withRelay(change: .init { $0.storeLimits = limits }) { relay, address in
            var connection = try await RelayConnection.connect(to: address)
            let queue = try await TestQueue(on: connection, subscribes: false)
            for number in 0..<20 {
                let request = queue.sender(.send(notify: false, body: body(number)), secured: false)
                #expect(try await connection.request(request) == .ok)
            }
            await relay.stop()
            try await startAgain(relay)
            let core = relay.service.core
            #expect(core.withStore { $0.queues.values.first?.messages.count { $0.isInMemory } } == 0)
            #expect(
                core.withStore { $0.queues.values.first?.messages.map(\.bodyCount) }?.allSatisfy { $0 == 10_000 }
                    == true)
            #expect(core.withStore { $0.use.bytes } == 20 * (10_000 + StoreLimits.rowCost))
            connection = try await RelayConnection.connect(to: address)
            try await expectAll(20, of: queue, on: connection)
        }
    }

    /// Fetches everything, half of it by GET.
    private func expectAll(_ count: Int, of queue: TestQueue, on connection: RelayConnection) async throws {
        for number in 0..<count {
            guard case .message(let id, let sealed) = try await connection.request(queue.recipient(.get)) else {
                Issue.record("message \(number) is not there")
                return
            }
            #expect(try queue.open(sealed, id).sent == body(number))
            #expect(try await connection.request(queue.recipient(.acknowledge(id))) == .ok)
        }
        #expect(try await connection.request(queue.recipient(.get)) == .ok)
    }

    @Test func `a subscriber gets the next body from the disk as the answer to its acknowledgement`() async throws {
        try await withRelay { relay, address in
            let sender = try await RelayConnection.connect(to: address)
            let queue = try await TestQueue(on: sender, subscribes: false)
            for number in 0..<3 {
                let request = queue.sender(.send(notify: false, body: body(number)), secured: false)
                #expect(try await sender.request(request) == .ok)
            }
            await relay.stop()
            try await startAgain(relay)
            let recipient = try await RelayConnection.connect(to: address)
            var events = EventReader(recipient)
            _ = try await recipient.request(queue.recipient(.subscribe))
            var (id, opened) = try await events.nextMessage(of: queue)
            #expect(opened.sent == body(0))
            for number in 1..<3 {
                guard
                    case .message(let next, let sealed) = try await recipient.request(queue.recipient(.acknowledge(id)))
                else {
                    Issue.record("message \(number) is not there")
                    return
                }
                (id, opened) = (next, try queue.open(sealed, next))
                #expect(opened.sent == body(number))
            }
        }
    }

    @Test(arguments: 0..<10 as Range<UInt64>) func `the books are true whatever happens`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var limits = StoreLimits()
        limits.cachedBytes = 300
        var store = QueueStore(quota: 6, limits: limits)
        store.journal.isKept = true
        var queues: [QueueIDs] = []
        for step in 0..<600 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0 where queues.count < 8: queues.append(try make(&store))
            case 1: _ = queues.randomElement(using: &random).map { store.delete($0.recipientID, session: 1) }
            case 2...5:
                guard let queue = queues.randomElement(using: &random) else { continue }
                let body = [UInt8](repeating: 1, count: Int.random(in: 0..<100, using: &random))
                _ = store.send(queue.senderID, notify: false, body: body, limit: 1_000, time: Int64(step))
            case 6...8:
                guard let queue = queues.randomElement(using: &random),
                    let head = store.queues[queue.recipientID]?.messages.first
                else { continue }
                _ = store.get(queue.recipientID, session: 1)
                _ = store.acknowledge(queue.recipientID, message: head.id, session: 1)
            default:
                _ = store.journal.take()
                store.wrote(store.journal.position)
                #expect(store.bodies.bytes <= 300)
            }
            let messages = store.queues.values.flatMap(\.messages)
            #expect(store.use.messages == messages.count)
            #expect(store.use.bytes == messages.reduce(0) { $0 + $1.bodyCount + StoreLimits.rowCost })
            #expect(store.bodies.bytes == messages.reduce(0) { $0 + ($1.isInMemory ? $1.bodyCount : 0) })
            #expect(store.bodiesInMemory == messages.count { $0.isInMemory && $0.bodyCount > 0 })
            #expect(store.use.queues == store.queues.count)
        }
    }

    private func make(
        _ store: inout QueueStore, from origin: ConnectionOrigin? = nil, link: QueueRequest.Link = .messaging(nil),
        id: CorrelationID = .random()
    ) throws -> QueueIDs {
        let agreement = try RelayEntropy.system.agreement(X25519.PrivateKey().publicKey)
        let request = QueueRequest(
            recipientKey: AuthenticationPrivateKey.ed25519(.init()).publicKey, agreementKey: agreement.publicKey,
            subscribes: false, link: link)
        let made = store.create(
            request, correlationID: id, agreement: agreement, notifier: nil, session: 1, origin: origin)
        switch made.reply {
        case .plain(.queue(let ids)): return ids
        case .plain(.error(let error)): throw RelayRequestError.refused(error)
        default: throw RelayRequestError.unexpectedResponse
        }
    }

    private let noRoom = RelayRequestError.refused(.store("no room"))
    private let first = ConnectionOrigin.ipv4(1)
    private let second = ConnectionOrigin.ipv4(2)

    @Test func `queues are limited in all and by the address they were made from`() throws {
        var limits = StoreLimits()
        (limits.queues, limits.queuesPerAddress) = (5, 2)
        var store = QueueStore(limits: limits)
        let ids = try make(&store, from: first)
        _ = try make(&store, from: first)
        #expect(throws: noRoom) { try make(&store, from: first) }
        _ = try make(&store, from: second)
        _ = store.delete(ids.recipientID, session: 1)
        _ = try make(&store, from: first)
        // This machine has no share, but counts.
        for _ in 0..<2 { _ = try make(&store) }
        #expect(throws: noRoom) { try make(&store) }
        #expect(throws: noRoom) { try make(&store, from: second) }
    }

    @Test func `messages are limited in all and by the address they came from`() throws {
        var limits = StoreLimits()
        let cost = 100 + StoreLimits.rowCost
        (limits.storedBytes, limits.storedBytesPerAddress) = (cost * 5, cost * 2)
        var store = QueueStore(limits: limits)
        let queue = try make(&store)
        func send(_ origin: ConnectionOrigin?) -> BrokerMessage {
            store.send(
                queue.senderID, notify: false, body: Array(repeating: 1, count: 100), limit: 1_000, time: 1,
                origin: origin
            ).reply.brokerMessage
        }
        for _ in 0..<2 { #expect(send(first) == .ok) }
        #expect(send(first) == .error(.store("no room")))
        for _ in 0..<2 { #expect(send(second) == .ok) }
        // What is fetched makes room for its sender again.
        let head = try #require(store.queues[queue.recipientID]?.messages.first)
        _ = store.get(queue.recipientID, session: 1)
        _ = store.acknowledge(queue.recipientID, message: head.id, session: 1)
        #expect(send(first) == .ok)
        #expect(send(nil) == .ok)
        #expect(send(nil) == .error(.store("no room")))
        _ = store.delete(queue.recipientID, session: 1)
        #expect(store.use == StoreUse())
    }

    @Test func `data of links is limited`() throws {
        var limits = StoreLimits()
        limits.linkBytes = 25
        var store = QueueStore(limits: limits)
        func contact(_ count: Int) throws -> QueueIDs {
            let id = CorrelationID.random()
            let data = LinkData(fixed: [1], user: Array(repeating: 2, count: count - 1))
            return try make(
                &store, link: .contact(.init(linkID: .random(), senderID: .sender(for: id), data: data)), id: id)
        }
        let ids = try contact(20)
        #expect(throws: noRoom) { try contact(6) }
        let linkID = try #require(ids.linkID)
        func set(_ count: Int) -> BrokerMessage {
            store.setLinkData(
                linkID, LinkData(fixed: [1], user: Array(repeating: 3, count: count - 1)), queue: ids.recipientID
            ).reply.brokerMessage
        }
        #expect(set(26) == .error(.store("no room")))
        #expect(set(25) == .ok)
        #expect(set(10) == .ok)
        _ = store.deleteLinkData(queue: ids.recipientID)
        #expect(store.use.linkBytes == 0)
    }

    @Test func `after a start with lower limits nothing is lost and nothing new is taken`() throws {
        var before = QueueStore()
        var queues: [QueueIDs] = []
        for _ in 0..<3 { queues.append(try make(&before)) }
        for queue in queues {
            for _ in 0..<2 {
                _ = before.send(queue.senderID, notify: false, body: [1, 2, 3, 4], limit: 10, time: 1)
            }
        }
        var persisted = PersistedQueues()
        persisted.queues = Array(before.queues.values)
        let cost = 4 + StoreLimits.rowCost
        var limits = StoreLimits()
        (limits.queues, limits.storedBytes, limits.messages) = (2, cost * 3, 4)
        var store = QueueStore(limits: limits)
        #expect(!store.isOverLimits)
        store.restore(persisted)
        #expect(store.isOverLimits)
        #expect(store.use.queues == 3 && store.messageCount == 6)
        func send() -> BrokerMessage {
            store.send(queues[0].senderID, notify: false, body: [1, 2, 3, 4], limit: 10, time: 1).reply.brokerMessage
        }
        #expect(throws: noRoom) { try make(&store) }
        #expect(send() == .error(.store("no room")))
        // All of it can be fetched and deleted still.
        for queue in queues {
            #expect(store.subscribe(queue.recipientID, session: 1).reply.brokerMessage == .subscribed(serviceID: nil))
        }
        _ = store.delete(queues[2].recipientID, session: 1)
        #expect(throws: noRoom) { try make(&store) }
        #expect(send() == .error(.store("no room")))
        _ = store.delete(queues[1].recipientID, session: 1)
        #expect(!store.isOverLimits)
        #expect(send() == .ok)
        #expect(send() == .error(.store("no room")))
        _ = try make(&store)
    }

    @Test func `what is not on disk yet is counted`() throws {
        var store = QueueStore()
        store.journal.isKept = true
        let queue = try make(&store)
        for _ in 0..<3 {
            _ = store.send(queue.senderID, notify: false, body: [1, 2, 3, 4], limit: 10, time: 1)
        }
        #expect(store.bodies.unwritten == 12)
        store.wrote(store.journal.position)
        #expect(store.bodies.unwritten == 0)
        #expect(store.bodies.bytes == 12)
    }

    @Test func `what many sessions fetch from is bounded`() throws {
        var limits = StoreLimits()
        limits.fetchedQueues = 3
        var store = QueueStore(limits: limits)
        let agreement = try RelayEntropy.system.agreement(X25519.PrivateKey().publicKey)
        let request = QueueRequest(
            recipientKey: AuthenticationPrivateKey.ed25519(.init()).publicKey, agreementKey: agreement.publicKey,
            subscribes: false, link: .messaging(nil))
        guard
            case .plain(.queue(let ids)) = store.create(
                request, correlationID: .random(), agreement: agreement, notifier: nil, session: 1
            ).reply
        else { throw SMPError.internalError }
        func get(_ session: SessionNumber) -> BrokerMessage {
            store.get(ids.recipientID, session: session).reply.brokerMessage
        }
        // The same session again takes no more.
        #expect([1, 1, 2, 3].map { get($0) } == [.ok, .ok, .ok, .ok])
        #expect(get(4) == .error(.store("no room")))
        store.endSession(2)
        #expect(get(4) == .ok)
        _ = store.delete(ids.recipientID, session: 1)
        for session in [1, 3, 4] as [SessionNumber] { store.endSession(session) }
        #expect(store.fetchedQueues == 0)
    }
}
