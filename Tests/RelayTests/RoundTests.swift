import Cryptography
import RelayFixtures
import SMP
import SMPTransport
import TestSupport
import Testing

@testable import Relay
@testable import RelayRules
@testable import SMPSession

/// END and DELD in rounds (SMP fact sheet §9.2), and what else a relay does now and then.
@Suite(.timeLimit(.minutes(5))) struct RoundTests {
    private let fixture = CoreFixture()

    @Test func `endings come together in the next round`() async throws {
        try await withRelay(change: .init { $0.endingInterval = .milliseconds(100) }) { _, address in
            let first = try await RelayConnection.connect(to: address)
            let second = try await RelayConnection.connect(to: address)
            var events = EventReader(first)
            _ = await events.next()
            var queues: [TestQueue] = []
            for _ in 0..<5 { queues.append(try await TestQueue(on: first)) }
            for queue in queues.dropLast() { _ = try await second.request(queue.recipient(.subscribe)) }
            _ = try await second.request(queues[4].recipient(.delete))
            var ended: [RelayEvent] = []
            for _ in 0..<5 { if let event = await events.next() { ended.append(event) } }
            let expected: [RelayEvent] =
                queues.dropLast().map { .ended(queue: $0.ids.recipientID) }
                + [.deleted(queue: queues[4].ids.recipientID)]
            #expect(ended == expected)
        }
    }

    @Test func `the displaced session loses the queue at once`() async throws {
        // No round comes within the test.
        try await withRelay(change: .init { $0.endingInterval = .seconds(3_600) }) { _, address in
            let first = try await RelayConnection.connect(to: address)
            let second = try await RelayConnection.connect(to: address)
            var events = EventReader(second)
            let queue = try await TestQueue(on: first)
            _ = try await second.request(queue.recipient(.subscribe))
            _ = try await first.request(queue.sender(.send(notify: false, body: [1]), secured: false))
            let (id, _) = try await events.nextMessage(of: queue)
            await #expect(throws: RelayRequestError.refused(.noMessage)) {
                try await first.request(queue.recipient(.acknowledge(id)))
            }
        }
    }

    @Test func `who subscribed again is not told that it ended`() throws {
        let first = fixture.session(1)
        let second = fixture.session(2)
        let queue = try first.makeQueue()
        let end = try #require(
            try second.send([try second.transmission(.subscribe, queue.recipientID, queue.recipientKey)]).pushes.first)
        #expect(fixture.core.withStore { $0.isDue(end) })
        _ = try queue.ask(.subscribe, in: first)
        #expect(!fixture.core.withStore { $0.isDue(end) })
    }

    @Test func `endings of a session that left are forgotten`() {
        var endings = PendingEndings()
        let push = Push(session: 1, entity: .random(), reply: .plain(.ended))
        endings.add(push)
        endings.add(Push(session: 2, entity: .random(), reply: .plain(.deleted)))
        endings.endSession(1)
        #expect(Set(endings.take().keys) == [2])
        #expect(endings.take().isEmpty)
    }

    @Test func `a silent session without subscriptions is closed`() async throws {
        try await withRelay(change: .init { $0.idleTimeout = .milliseconds(200) }) { relay, address in
            let listening = try await RelayConnection.connect(to: address)
            _ = try await TestQueue(on: listening)
            let idle = try await RelayConnection.connect(to: address)
            _ = try await TestQueue(on: idle, subscribes: false)
            var events = EventReader(idle)
            _ = await events.next()
            #expect(await events.next() == .down(.closedByPeer))
            #expect(try await listening.request(RelayRequest(.ping)) == .pong)
            #expect(relay.service.core.counters.current.idle == 1)
        }
    }

    @Test func `old messages are dropped by themselves`() async throws {
        try await withRelay(change: .init { $0.messageLifetime = .seconds(1) }) { relay, address in
            let connection = try await RelayConnection.connect(to: address)
            let queue = try await TestQueue(on: connection, subscribes: false)
            _ = try await connection.request(queue.sender(.send(notify: false, body: [1]), secured: false))
            while relay.snapshot.messages > 0 { try await Task.sleep(for: .milliseconds(20)) }
            #expect(try await connection.request(queue.recipient(.get)) == .ok)
            #expect(relay.service.core.counters.current.expired == 1)
        }
    }

    @Test func `old messages are looked for as often as the settings say`() async throws {
        try await withRelay(
            change: .init { configuration in
                configuration.messageLifetime = .seconds(1_000)
                configuration.expiryInterval = .milliseconds(100)
            }
        ) { relay, address in
            let connection = try await RelayConnection.connect(to: address)
            let queue = try await TestQueue(on: connection, subscribes: false)
            #expect(
                try await connection.request(queue.sender(.send(notify: false, body: [1]), secured: false)) == .ok)
            #expect(relay.snapshot.messages == 1)
            // As if it had come long ago. Half of the lifetime would be more than eight minutes.
            relay.service.core.withStore { store in
                guard let message = store.queues[queue.ids.recipientID]?.messages.first else { return }
                let old = StoredMessage(
                    number: message.number, id: message.id, body: .message(time: 1, notify: false, body: []),
                    seen: -2_000)
                store.queues[queue.ids.recipientID]?.messages = [old]
            }
            try await waitUntil("the old message is gone", within: .seconds(30)) { relay.snapshot.messages == 0 }
        }
    }
}
